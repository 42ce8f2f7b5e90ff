import type { Bytes } from '../keyspace.js';
import type { Command, KeyFinder } from './command.js';
import { parseInteger } from './numbers.js';

/** The keys that a command names; undefined: its arguments are wrong. */
export function keysOf(command: Command, args: readonly Bytes[]): readonly Bytes[] | undefined {
  if (command.findKeys !== null) return command.findKeys(args);
  if (command.keys === null) return [];
  const { first, last, step } = command.keys;
  const end = last < 0 ? args.length + last : last;
  const keys: Bytes[] = [];
  for (let i = first; i <= end; i += step) {
    const key = args[i];
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

/** Keys that follow their number, which stands at `at`; `also`: places of single keys before it. */
export function countedKeys(at: number, ...also: readonly number[]): KeyFinder {
  return (args) => {
    const count = parseInteger(args[at] ?? '');
    if (count === undefined || count < 0 || at + count >= args.length) return undefined;
    return [...also.map((place) => args[place]!), ...args.slice(at + 1, at + 1 + count)];
  };
}

/** XREAD and XREADGROUP: the first half of what follows STREAMS. */
export const streamKeys: KeyFinder = (args) => {
  const from = args.findIndex((arg, i) => i > 0 && arg.toLowerCase() === 'streams') + 1;
  const count = (args.length - from) / 2;
  return from === 0 || count < 1 || !Number.isInteger(count) ? undefined : args.slice(from, from + count);
};

/** SORT: its key, and the one that STORE names. */
export const sortKeys: KeyFinder = (args) => {
  const keys = [args[1]!];
  for (let i = 2; i < args.length - 1; i++) if (args[i]!.toLowerCase() === 'store') keys.push(args[i + 1]!);
  return keys;
};
