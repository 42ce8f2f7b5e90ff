import { BLOCKED, ErrorReply, NIL_ARRAY, type Bytes, type Reply } from '../keyspace.js';
import { entryOf } from './collections.js';
import type { Engine } from './engine.js';
import type { EntryKind } from './entry.js';
import { nameOf } from './names.js';
import { readDouble, parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';

const NOT_A_TIMEOUT = new ErrorReply('ERR timeout is not a float or out of range');
const NOT_A_WHOLE_TIMEOUT = new ErrorReply('ERR timeout is not an integer or out of range');
const NEGATIVE_TIMEOUT = new ErrorReply('ERR timeout is negative');

/** A timeout in seconds as the millisecond after which a command gives up (0 seconds: never), or its error. */
export function giveUpMs(engine: Engine, seconds: Bytes): number | ErrorReply {
  const value = readDouble(seconds);
  if (value === undefined) return NOT_A_TIMEOUT;
  // To fifteen digits, so that 0.07 s are 70 ms; Redis has long doubles for it.
  const ms = Math.ceil(Number((value * 1000).toPrecision(15)));
  // What does not fit 64 bits turns negative there.
  if (ms < 0 || ms >= 2 ** 63) return NEGATIVE_TIMEOUT;
  return ms === 0 ? Infinity : engine.store.nowMs + ms;
}

/** The same for a timeout in whole milliseconds. */
export function giveUpAfterMs(engine: Engine, text: Bytes): number | ErrorReply {
  const ms = parseInteger(text);
  if (ms === undefined) return NOT_A_WHOLE_TIMEOUT;
  if (ms < 0) return NEGATIVE_TIMEOUT;
  return ms === 0 ? Infinity : engine.store.nowMs + ms;
}

/**
 * Pops off the first of the keys that has anything; where none has, waits for one.
 *
 * @param deadlineMs null: it does not wait
 * @param popOf takes from the live entry of a key, and gives the reply
 */
export function popFirst(
  engine: Engine,
  session: NativeSession,
  kind: 'list' | 'zset',
  keys: readonly Bytes[],
  deadlineMs: number | null,
  popOf: (key: Bytes) => Reply,
): Reply {
  for (const key of keys) {
    const entry = entryOf(engine, key, kind);
    if (entry instanceof ErrorReply) return entry;
    if (entry !== undefined) return popOf(key);
  }
  if (deadlineMs === null || engine.atomic) return NIL_ARRAY;
  return waitFor(engine, session, kind, keys, deadlineMs, popOf);
}

/** A command that found nothing waits for one of its keys. */
export function waitFor(
  engine: Engine,
  session: NativeSession,
  kind: EntryKind,
  keys: readonly Bytes[],
  deadlineMs: number,
  serve: (key: Bytes) => Reply,
  available?: (key: Bytes) => boolean,
): Reply {
  const names = keys.map((key) => nameOf(session.db, key));
  const wait = { session, names, kind, deadlineMs, serve, inVain: NIL_ARRAY };
  engine.waiting.enter(available === undefined ? wait : { ...wait, available });
  return BLOCKED;
}
