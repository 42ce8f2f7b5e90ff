/** The first line of a script that says what the script will do: `#!lua flags=no-writes,allow-oom`. */
import { ErrorReply, type Bytes } from '../keyspace.js';

export const SCRIPT_FLAGS = [
  'no-writes',
  'allow-oom',
  'allow-stale',
  'no-cluster',
  'allow-cross-slot-keys',
] as const;
export type ScriptFlag = (typeof SCRIPT_FLAGS)[number];

export interface Shebang {
  /** The script without the words of its first line: its lines keep their numbers. */
  readonly body: Bytes;
  /** Null: there is no such line, and the script may do anything until it does. */
  readonly flags: ReadonlySet<ScriptFlag> | null;
}

export function shebangOf(text: Bytes): Shebang | ErrorReply {
  if (!text.startsWith('#!')) return { body: text, flags: null };
  const end = text.indexOf('\n');
  if (end < 0) return new ErrorReply('ERR Invalid script shebang');
  const [engine, ...options] = text
    .slice(0, end)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (engine !== '#!lua') return new ErrorReply(`ERR Unexpected engine in script shebang: ${engine}`);
  const flags = new Set<ScriptFlag>();
  for (const option of options) {
    if (!option.startsWith('flags=')) return new ErrorReply(`ERR Unknown lua shebang option: ${option}`);
    const words = option.slice('flags='.length);
    for (const word of words === '' ? [] : words.split(',')) {
      const flag = SCRIPT_FLAGS.find((each) => each === word);
      if (flag === undefined) return new ErrorReply(`ERR Unexpected flag in script shebang: ${word}`);
      flags.add(flag);
    }
  }
  return { body: text.slice(end), flags };
}
