/** Where output goes: the document or the report on stdout, all else on stderr. */
import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colour when a person looks on, unless NO_COLOR says otherwise. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

export function painter(colour: boolean): Paint {
  return colour ? (style, text) => styleText(style, text) : (_style, text) => text;
}

/** Columns of the terminal: its own width, at least 100 where there is none to ask. */
export function terminalWidth(stream: { columns?: number } = process.stdout): number {
  return Math.max(stream.columns ?? 100, 40);
}

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

export function note(text: string): void {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** A word as a shell takes it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
