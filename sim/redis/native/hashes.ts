import { ErrorReply, MapReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, settle, type EntryFor } from './collections.js';
import { command, NOT_FLOAT, NOT_INTEGER, wrongArity, type Command } from './command.js';
import { draw, drawOne, readDraw } from './draws.js';
import type { Engine } from './engine.js';
import { addLongDoubles, formatLongDouble, parseLongDouble } from './long-double.js';
import { fitsInt64, integerReply, parseInt64 } from './numbers.js';
import { scanEntry } from './scans.js';
import type { NativeSession } from './session.js';

const FIELD_NOT_INTEGER = new ErrorReply('ERR hash value is not an integer');
const FIELD_NOT_FLOAT = new ErrorReply('ERR hash value is not a float');
const INFINITE = new ErrorReply('ERR value is NaN or Infinity');
const NOT_FINITE = new ErrorReply('ERR increment would produce NaN or Infinity');
const OVERFLOW = new ErrorReply('ERR increment or decrement would overflow');

function emptyHash(): EntryFor<'hash'> {
  return { kind: 'hash', value: new Map(), deadlineMs: null };
}

/** Sets fields; answers how many of them are new. */
function setFields(engine: Engine, args: readonly Bytes[], name: string): number | ErrorReply {
  if (args.length % 2 !== 0) return wrongArity(name);
  const key = args[1]!;
  const found = entryOf(engine, key, 'hash');
  if (found instanceof ErrorReply) return found;
  const entry = found ?? emptyHash();
  const before = entry.value.size;
  for (let i = 2; i < args.length; i += 2) entry.value.set(args[i]!, args[i + 1]!);
  settle(engine, key, entry, entry.value.size, found === undefined);
  return entry.value.size - before;
}

function hmset(engine: Engine, args: readonly Bytes[]): Reply {
  const added = setFields(engine, args, 'hmset');
  return typeof added === 'number' ? OK : added;
}

function hsetnx(engine: Engine, args: readonly Bytes[]): Reply {
  const found = entryOf(engine, args[1]!, 'hash');
  if (found instanceof ErrorReply) return found;
  if (found?.value.has(args[2]!)) return 0;
  return setFields(engine, args, 'hsetnx');
}

function hdel(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const entry = entryOf(engine, key, 'hash');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  let removed = 0;
  for (let i = 2; i < args.length; i++) if (entry.value.delete(args[i]!)) removed++;
  if (removed > 0) settle(engine, key, entry, entry.value.size, false);
  return removed;
}

function hincrby(engine: Engine, args: readonly Bytes[]): Reply {
  const [, key = '', field = '', amount = ''] = args;
  const by = parseInt64(amount);
  if (by === undefined) return NOT_INTEGER;
  const found = entryOf(engine, key, 'hash');
  if (found instanceof ErrorReply) return found;
  const entry = found ?? emptyHash();
  const old = entry.value.get(field);
  const current = old === undefined ? 0n : parseInt64(old);
  if (current === undefined) return FIELD_NOT_INTEGER;
  const next = current + by;
  if (!fitsInt64(next)) return OVERFLOW;
  entry.value.set(field, next.toString());
  settle(engine, key, entry, entry.value.size, found === undefined);
  return integerReply(next);
}

/** HINCRBYFLOAT key field increment */
function hincrbyfloat(engine: Engine, args: readonly Bytes[]): Reply {
  const [, key = '', field = '', amount = ''] = args;
  const by = parseLongDouble(amount);
  if (by === undefined) return NOT_FLOAT;
  if (typeof by === 'string') return INFINITE;
  const found = entryOf(engine, key, 'hash');
  if (found instanceof ErrorReply) return found;
  const entry = found ?? emptyHash();
  const current = parseLongDouble(entry.value.get(field) ?? '0');
  if (current === undefined) return FIELD_NOT_FLOAT;
  const sum = addLongDoubles(current, by);
  if (sum === undefined || typeof sum === 'string') return NOT_FINITE;
  const text = formatLongDouble(sum);
  entry.value.set(field, text);
  settle(engine, key, entry, entry.value.size, found === undefined);
  return text;
}

function hrandfield(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const plan = readDraw(args, 'withvalues');
  if (plan instanceof ErrorReply) return plan;
  const entry = entryOf(engine, args[1]!, 'hash');
  if (entry instanceof ErrorReply) return entry;
  if (plan === null) return entry === undefined ? null : drawOne(engine, [...entry.value.keys()]);
  if (entry === undefined) return [];
  const fields = draw(engine, [...entry.value.keys()], plan.count);
  if (!plan.withValues) return fields;
  const pairs = fields.map((field) => [field, entry.value.get(field)!]);
  return engine.protocolFor(session) === 3 ? pairs : pairs.flat();
}

function hscan(engine: Engine, args: readonly Bytes[]): Reply {
  return scanEntry(engine, args, 'hash', (entry) => [...entry.value]);
}

/** A reading command: what it answers for the fields, an absent key counting as no fields. */
function reading(read: (fields: ReadonlyMap<Bytes, Bytes>, args: readonly Bytes[]) => Reply) {
  const none: ReadonlyMap<Bytes, Bytes> = new Map();
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const entry = entryOf(engine, args[1]!, 'hash');
    return entry instanceof ErrorReply ? entry : read(entry?.value ?? none, args);
  };
}

export const HASHES: readonly Command[] = [
  command('hset', (engine, args) => setFields(engine, args, 'hset')),
  command('hmset', hmset),
  command('hsetnx', hsetnx),
  command('hdel', hdel),
  command('hincrby', hincrby),
  command('hincrbyfloat', hincrbyfloat),
  command('hrandfield', hrandfield),
  command('hscan', hscan),
  command(
    'hget',
    reading((fields, args) => fields.get(args[2]!) ?? null),
  ),
  command(
    'hmget',
    reading((fields, args) => args.slice(2).map((field) => fields.get(field) ?? null)),
  ),
  command(
    'hexists',
    reading((fields, args) => (fields.has(args[2]!) ? 1 : 0)),
  ),
  command(
    'hlen',
    reading((fields) => fields.size),
  ),
  command(
    'hstrlen',
    reading((fields, args) => fields.get(args[2]!)?.length ?? 0),
  ),
  command(
    'hkeys',
    reading((fields) => [...fields.keys()]),
  ),
  command(
    'hvals',
    reading((fields) => [...fields.values()]),
  ),
  command(
    'hgetall',
    reading((fields) => new MapReply([...fields].flat())),
  ),
];
