/** `redlock@4.2.0` as it comes from npm; it ships no types. */
import { createRequire } from 'node:module';

export type Callback = (error: Error | null, reply?: unknown) => void;

/** What redlock@4 asks of a client. */
export interface ScriptClient {
  evalsha(sha: string, args: unknown[], callback: Callback): void;
  eval(args: unknown[], callback: Callback): void;
}

export interface Redlock4Lock {
  unlock(): PromiseLike<void>;
}

export interface Redlock4 {
  readonly scripts: Readonly<
    Record<'lockScript' | 'unlockScript' | 'extendScript', { value: string; hash: string }>
  >;
  lock(resource: string, ttlMs: number): PromiseLike<Redlock4Lock>;
}

interface Redlock4Constructor {
  new (
    clients: readonly ScriptClient[],
    options: { driftFactor?: number; retryCount?: number; retryDelay?: number; retryJitter?: number },
  ): Redlock4;
  readonly LockError: new (message: string) => Error;
}

export const Redlock4 = createRequire(import.meta.url)('redlock') as Redlock4Constructor;

/** The library's own Lua. */
export const REDLOCK4_SCRIPTS = new Redlock4([undefined as unknown as ScriptClient], {}).scripts;
