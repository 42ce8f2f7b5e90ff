import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { clampRange, entryOf, settle, type EntryFor } from './collections.js';
import { command, NO_SUCH_KEY, NOT_INTEGER, WRITE, wrongArity, type Command } from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';

const NOT_POSITIVE = new ErrorReply('ERR value is out of range, must be positive');
const OUT_OF_RANGE = new ErrorReply('ERR index out of range');

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

function pop(engine: Engine, args: readonly Bytes[], left: boolean): Reply {
  if (args.length > 3) return wrongArity(left ? 'lpop' : 'rpop');
  const counted = args.length === 3;
  const count = counted ? parseInteger(args[2]!) : 1;
  if (count === undefined || count < 0) return NOT_POSITIVE;
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return null;
  if (entry instanceof ErrorReply) return entry;
  if (count === 0) return [];
  const items = entry.value;
  const taken = left ? items.splice(0, count) : items.splice(Math.max(0, items.length - count)).reverse();
  settle(engine, key, entry, items.length, false);
  return counted ? taken : taken[0]!;
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

export const LISTS: readonly Command[] = [
  command('lpush', -3, WRITE, (engine, args) => push(engine, args, true, false)),
  command('rpush', -3, WRITE, (engine, args) => push(engine, args, false, false)),
  command('lpushx', -3, WRITE, (engine, args) => push(engine, args, true, true)),
  command('rpushx', -3, WRITE, (engine, args) => push(engine, args, false, true)),
  command('lpop', -2, WRITE, (engine, args) => pop(engine, args, true)),
  command('rpop', -2, WRITE, (engine, args) => pop(engine, args, false)),
  command('lrange', 4, 0, range),
  command('llen', 2, 0, length),
  command('lindex', 3, 0, index),
  command('lset', 4, WRITE, setAt),
  command('lrem', 4, WRITE, remove),
  command('ltrim', 4, WRITE, trim),
];
