import { ErrorReply, MapReply, NIL_ARRAY, type Bytes, type Reply } from '../keyspace.js';
import { giveUpAfterMs, waitFor } from './blocking.js';
import { entryOf } from './collections.js';
import { command, NOT_INTEGER, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { streamKeys } from './key-places.js';
import { parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';
import { BAD_ID, parseId } from './stream-ids.js';
import { firstFrom, itemReply } from './streams.js';

const GROUP_ONLY = new ErrorReply(
  'ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.',
);

function notOfXread(option: string): ErrorReply {
  return new ErrorReply(
    `ERR The ${option} option is only supported by XREADGROUP. You called XREAD instead.`,
  );
}

interface Reading {
  /** 0: all. */
  count: number;
  /** Null: it does not wait. */
  deadlineMs: number | null;
  keys: readonly Bytes[];
  ids: readonly Bytes[];
}

/** XREAD [COUNT count] [BLOCK milliseconds] STREAMS key ... id ... */
function readOptions(engine: Engine, args: readonly Bytes[]): Reading | ErrorReply {
  const reading: Reading = { count: 0, deadlineMs: null, keys: [], ids: [] };
  for (let i = 1; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    const value = args[i + 1];
    if (option === 'block' && value !== undefined) {
      const deadlineMs = giveUpAfterMs(engine, value);
      if (deadlineMs instanceof ErrorReply) return deadlineMs;
      reading.deadlineMs = deadlineMs;
      i++;
    } else if (option === 'count' && value !== undefined) {
      const count = parseInteger(value);
      if (count === undefined) return NOT_INTEGER;
      reading.count = Math.max(0, count);
      i++;
    } else if (option === 'streams' && value !== undefined) {
      const rest = args.slice(i + 1);
      if (rest.length % 2 !== 0) {
        return new ErrorReply(
          "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.",
        );
      }
      reading.keys = rest.slice(0, rest.length / 2);
      reading.ids = rest.slice(rest.length / 2);
      break;
    } else if (option === 'group' && args.length - 1 - i >= 2) return notOfXread('GROUP');
    else if (option === 'noack') return notOfXread('NOACK');
    else return SYNTAX;
  }
  return reading.keys.length === 0 ? SYNTAX : reading;
}

/** What each key's entries must be above. */
function startsOf(engine: Engine, { keys, ids }: Reading): bigint[] | ErrorReply {
  const starts: bigint[] = [];
  for (const [i, key] of keys.entries()) {
    const entry = entryOf(engine, key, 'stream');
    if (entry instanceof ErrorReply) return entry;
    const text = ids[i]!;
    if (text === '>') return GROUP_ONLY;
    const id = text === '$' ? (entry?.value.lastId ?? 0n) : parseId(text, 0n);
    if (id === undefined) return BAD_ID;
    starts.push(id);
  }
  return starts;
}

/** The entries of a key above an identifier; null: none. */
function entriesAbove(engine: Engine, key: Bytes, above: bigint, count: number): Reply[] | null {
  const entry = entryOf(engine, key, 'stream');
  if (entry === undefined || entry instanceof ErrorReply) return null;
  const from = firstFrom(entry.value, above + 1n);
  const items = entry.value.entries.slice(from, count === 0 ? undefined : from + count);
  return items.length === 0 ? null : items.map(itemReply);
}

/** Streams and what they have: a map in RESP3, pairs in RESP2. */
function streamsReply(engine: Engine, session: NativeSession, found: readonly [Bytes, Reply][]): Reply {
  return engine.protocolFor(session) === 3 ? new MapReply(found.flat()) : found;
}

function read(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const reading = readOptions(engine, args);
  if (reading instanceof ErrorReply) return reading;
  const starts = startsOf(engine, reading);
  if (starts instanceof ErrorReply) return starts;
  const { keys, count, deadlineMs } = reading;
  const found: [Bytes, Reply][] = [];
  for (const [i, key] of keys.entries()) {
    const entries = entriesAbove(engine, key, starts[i]!, count);
    if (entries !== null) found.push([key, entries]);
  }
  if (found.length > 0) return streamsReply(engine, session, found);
  if (deadlineMs === null || engine.atomic) return NIL_ARRAY;
  const startOf = (key: Bytes) => starts[keys.indexOf(key)]!;
  return waitFor(
    engine,
    session,
    'stream',
    keys,
    deadlineMs,
    (key) => streamsReply(engine, session, [[key, entriesAbove(engine, key, startOf(key), count)!]]),
    (key) => entriesAbove(engine, key, startOf(key), 1) !== null,
  );
}

export const STREAM_READS: readonly Command[] = [command('xread', read, streamKeys)];
