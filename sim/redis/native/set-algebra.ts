/** Intersections, unions and differences of sets. */
import { ErrorReply, SetReply, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, type EntryFor } from './collections.js';
import { command, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { countedKeys } from './key-places.js';
import { parseInteger } from './numbers.js';

type Combination = (sets: readonly ReadonlySet<Bytes>[]) => Set<Bytes>;

const NONE: ReadonlySet<Bytes> = new Set();

const intersection: Combination = (sets) => {
  const [smallest, ...others] = [...sets].sort((a, b) => a.size - b.size);
  return new Set([...(smallest ?? NONE)].filter((member) => others.every((set) => set.has(member))));
};

const union: Combination = (sets) => new Set(sets.flatMap((set) => [...set]));

const difference: Combination = ([first, ...others]) =>
  new Set([...(first ?? NONE)].filter((member) => !others.some((set) => set.has(member))));

/** The sets of these keys, missing ones empty. */
function setsOf(engine: Engine, keys: readonly Bytes[]): ReadonlySet<Bytes>[] | ErrorReply {
  const sets: ReadonlySet<Bytes>[] = [];
  for (const key of keys) {
    const entry = entryOf(engine, key, 'set');
    if (entry instanceof ErrorReply) return entry;
    sets.push(entry?.value ?? NONE);
  }
  return sets;
}

function combined(combine: Combination) {
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const sets = setsOf(engine, args.slice(1));
    return sets instanceof ErrorReply ? sets : new SetReply([...combine(sets)]);
  };
}

function stored(combine: Combination) {
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const sets = setsOf(engine, args.slice(2));
    if (sets instanceof ErrorReply) return sets;
    const value = combine(sets);
    const entry: EntryFor<'set'> = { kind: 'set', value, deadlineMs: null };
    if (value.size > 0) engine.store.put(args[1]!, entry);
    else engine.store.delete(args[1]!);
    return value.size;
  };
}

/** SINTERCARD numkeys key ... [LIMIT limit] */
function readCardinality(args: readonly Bytes[]): { keys: readonly Bytes[]; limit: number } | ErrorReply {
  const count = parseInteger(args[1]!);
  if (count === undefined || count < 1) return new ErrorReply('ERR numkeys should be greater than 0');
  if (count > args.length - 2)
    return new ErrorReply("ERR Number of keys can't be greater than number of args");
  let limit = Infinity;
  for (let i = 2 + count; i < args.length; i += 2) {
    if (args[i]!.toLowerCase() !== 'limit' || args[i + 1] === undefined) return SYNTAX;
    const given = parseInteger(args[i + 1]!);
    if (given === undefined || given < 0) return new ErrorReply("ERR LIMIT can't be negative");
    limit = given === 0 ? Infinity : given;
  }
  return { keys: args.slice(2, 2 + count), limit };
}

function interCard(engine: Engine, args: readonly Bytes[]): Reply {
  const asked = readCardinality(args);
  if (asked instanceof ErrorReply) return asked;
  const sets = setsOf(engine, asked.keys);
  return sets instanceof ErrorReply ? sets : Math.min(asked.limit, intersection(sets).size);
}

export const SET_ALGEBRA: readonly Command[] = [
  command('sinter', combined(intersection)),
  command('sunion', combined(union)),
  command('sdiff', combined(difference)),
  command('sinterstore', stored(intersection)),
  command('sunionstore', stored(union)),
  command('sdiffstore', stored(difference)),
  command('sintercard', interCard, countedKeys(1)),
];
