import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { clampRange, entryOf, settle, type EntryFor } from './collections.js';
import { command, NO_SUCH_KEY, NOT_INTEGER, OUT_OF_RANGE, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';

const LEAST_INTEGER = '-9223372036854775808';
const RANK_ZERO = new ErrorReply(
  "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list",
);

function push(engine: Engine, args: readonly Bytes[], left: boolean, onlyExisting: boolean): Reply {
  const key = args[1]!;
  const found = entryOf(engine, key, 'list');
  if (found instanceof ErrorReply) return found;
  if (found === undefined && onlyExisting) return 0;
  const entry: EntryFor<'list'> = found ?? { kind: 'list', value: [], deadlineMs: null };
  for (let i = 2; i < args.length; i++) {
    if (left) entry.value.unshift(args[i]!);
    else entry.value.push(args[i]!);
  }
  settle(engine, key, entry, entry.value.length, found === undefined);
  return entry.value.length;
}

function range(engine: Engine, args: readonly Bytes[]): Reply {
  const start = parseInteger(args[2]!);
  const end = parseInteger(args[3]!);
  if (start === undefined || end === undefined) return NOT_INTEGER;
  const entry = entryOf(engine, args[1]!, 'list');
  if (entry instanceof ErrorReply) return entry;
  const bounds = entry === undefined ? null : clampRange(start, end, entry.value.length);
  return bounds === null ? [] : entry!.value.slice(bounds[0], bounds[1] + 1);
}

function length(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'list');
  return entry instanceof ErrorReply ? entry : (entry?.value.length ?? 0);
}

function index(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'list');
  if (entry === undefined) return null;
  if (entry instanceof ErrorReply) return entry;
  const at = parseInteger(args[2]!);
  return at === undefined ? NOT_INTEGER : (entry.value.at(at) ?? null);
}

function setAt(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return NO_SUCH_KEY;
  if (entry instanceof ErrorReply) return entry;
  const at = parseInteger(args[2]!);
  if (at === undefined) return NOT_INTEGER;
  const position = at < 0 ? entry.value.length + at : at;
  if (position < 0 || position >= entry.value.length) return OUT_OF_RANGE;
  entry.value[position] = args[3]!;
  engine.store.changed(key, entry);
  return OK;
}

/** LREM key count value: from the front, with a negative count from the back, with 0 all. */
function remove(engine: Engine, args: readonly Bytes[]): Reply {
  const count = parseInteger(args[2]!);
  if (count === undefined) return NOT_INTEGER;
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const items = entry.value;
  const most = count === 0 ? Infinity : Math.abs(count);
  let removed = 0;
  const from = count < 0 ? items.length - 1 : 0;
  for (let i = from; i >= 0 && i < items.length && removed < most;) {
    if (items[i] === args[3]) {
      items.splice(i, 1);
      removed++;
      if (count < 0) i--;
    } else {
      i += count < 0 ? -1 : 1;
    }
  }
  if (removed > 0) settle(engine, key, entry, items.length, false);
  return removed;
}

function trim(engine: Engine, args: readonly Bytes[]): Reply {
  const start = parseInteger(args[2]!);
  const end = parseInteger(args[3]!);
  if (start === undefined || end === undefined) return NOT_INTEGER;
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return OK;
  if (entry instanceof ErrorReply) return entry;
  const bounds = clampRange(start, end, entry.value.length);
  entry.value = bounds === null ? [] : entry.value.slice(bounds[0], bounds[1] + 1);
  settle(engine, key, entry, entry.value.length, false);
  return OK;
}

/** LINSERT key BEFORE | AFTER pivot item */
function insert(engine: Engine, args: readonly Bytes[]): Reply {
  const where = args[2]!.toLowerCase();
  if (where !== 'before' && where !== 'after') return SYNTAX;
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const at = entry.value.indexOf(args[3]!);
  if (at < 0) return -1;
  entry.value.splice(where === 'before' ? at : at + 1, 0, args[4]!);
  engine.store.changed(key, entry);
  return entry.value.length;
}

interface Search {
  /** Which match is the first to be answered; negative: from the back. */
  rank: number;
  /** How many are answered; null: one, by itself. */
  count: number | null;
  /** How many items are looked at; 0: all. */
  most: number;
}

function readSearch(args: readonly Bytes[]): Search | ErrorReply {
  const search: Search = { rank: 1, count: null, most: 0 };
  for (let i = 3; i < args.length; i += 2) {
    const option = args[i]!.toLowerCase();
    const text = args[i + 1];
    if (text === undefined || !['rank', 'count', 'maxlen'].includes(option)) return SYNTAX;
    const value = parseInteger(text);
    if (option === 'rank') {
      if (value === undefined) return NOT_INTEGER;
      if (value === 0) return RANK_ZERO;
      // The least integer has no opposite: in 7.0 it finds the last match, as -1 does.
      search.rank = text === LEAST_INTEGER ? -1 : value;
    } else if (value === undefined || value < 0) {
      return new ErrorReply(`ERR ${option.toUpperCase()} can't be negative`);
    } else if (option === 'count') search.count = value;
    else search.most = value;
  }
  return search;
}

/** LPOS key item [RANK rank] [COUNT count] [MAXLEN length] */
function positions(engine: Engine, args: readonly Bytes[]): Reply {
  const search = readSearch(args);
  if (search instanceof ErrorReply) return search;
  const entry = entryOf(engine, args[1]!, 'list');
  if (entry instanceof ErrorReply) return entry;
  const items = entry?.value ?? [];
  const wanted = search.count === 0 ? Infinity : (search.count ?? 1);
  const step = search.rank < 0 ? -1 : 1;
  let skip = Math.abs(search.rank) - 1;
  const found: number[] = [];
  let looked = 0;
  for (let i = step < 0 ? items.length - 1 : 0; i >= 0 && i < items.length; i += step) {
    if (found.length >= wanted || (search.most !== 0 && looked++ >= search.most)) break;
    if (items[i] !== args[2]) continue;
    if (skip > 0) skip--;
    else found.push(i);
  }
  return search.count === null ? (found[0] ?? null) : found;
}

export const LISTS: readonly Command[] = [
  command('lpush', (engine, args) => push(engine, args, true, false)),
  command('rpush', (engine, args) => push(engine, args, false, false)),
  command('lpushx', (engine, args) => push(engine, args, true, true)),
  command('rpushx', (engine, args) => push(engine, args, false, true)),
  command('lrange', range),
  command('llen', length),
  command('lindex', index),
  command('lset', setAt),
  command('lrem', remove),
  command('ltrim', trim),
  command('linsert', insert),
  command('lpos', positions),
];
