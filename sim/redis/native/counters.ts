/** Strings as numbers. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_FLOAT, NOT_INTEGER, WRONG_TYPE, type Command } from './command.js';
import type { Engine } from './engine.js';
import { addLongDoubles, formatLongDouble, parseLongDouble } from './long-double.js';
import { fitsInt64, integerReply, parseInt64 } from './numbers.js';
import { write } from './strings.js';

const INCREMENT_OVERFLOW = new ErrorReply('ERR increment or decrement would overflow');
const NOT_FINITE = new ErrorReply('ERR increment would produce NaN or Infinity');
const DECREMENT_OVERFLOW = new ErrorReply('ERR decrement would overflow');

function increment(engine: Engine, key: Bytes, by: bigint): Reply {
  const entry = engine.store.find(key);
  if (entry !== undefined && entry.kind !== 'string') return WRONG_TYPE;
  const current = entry === undefined ? 0n : parseInt64(entry.value);
  if (current === undefined) return NOT_INTEGER;
  const next = current + by;
  if (!fitsInt64(next)) return INCREMENT_OVERFLOW;
  write(engine, key, entry, next.toString());
  return integerReply(next);
}

/** INCRBYFLOAT key increment */
function incrementByFloat(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const entry = engine.store.find(key);
  if (entry !== undefined && entry.kind !== 'string') return WRONG_TYPE;
  const current = entry === undefined ? parseLongDouble('0') : parseLongDouble(entry.value);
  const by = parseLongDouble(args[2]!);
  if (current === undefined || by === undefined) return NOT_FLOAT;
  const sum = addLongDoubles(current, by);
  if (sum === undefined || typeof sum === 'string') return NOT_FINITE;
  const text = formatLongDouble(sum);
  write(engine, key, entry, text);
  return text;
}

function incrementBy(engine: Engine, args: readonly Bytes[]): Reply {
  const by = parseInt64(args[2]!);
  return by === undefined ? NOT_INTEGER : increment(engine, args[1]!, by);
}

function decrementBy(engine: Engine, args: readonly Bytes[]): Reply {
  const by = parseInt64(args[2]!);
  if (by === undefined) return NOT_INTEGER;
  return fitsInt64(-by) ? increment(engine, args[1]!, -by) : DECREMENT_OVERFLOW;
}

export const COUNTERS: readonly Command[] = [
  command('incr', (engine, args) => increment(engine, args[1]!, 1n)),
  command('decr', (engine, args) => increment(engine, args[1]!, -1n)),
  command('incrby', incrementBy),
  command('incrbyfloat', incrementByFloat),
  command('decrby', decrementBy),
];
