import { createHash } from 'node:crypto';

/** A Lua script with the number of its keys; its SHA-1 is computed when it is first wanted. */
export class Script {
  private digest: string | undefined;

  constructor(
    readonly keyCount: number,
    readonly text: string,
  ) {}

  get sha(): string {
    return (this.digest ??= createHash('sha1').update(this.text).digest('hex'));
  }
}

/** True for the reply of a server that does not know the script (any more): restarts forget scripts. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
