import {
  index,
  INT64_MAX,
  integer,
  key,
  maybe,
  of,
  options,
  pairs,
  some,
  spanMs,
  spanSeconds,
  timeMs,
  timeSeconds,
  value,
  word,
} from './arguments.js';

const lifetimes = [of('EX', spanSeconds), of('px', spanMs), of('EXAT', timeSeconds), of('PXAT', timeMs)];
const setOptions = options([
  maybe('NX', 'xx', 'GET', 'KEEPTTL', 'PX', 'bad', 'persist', 'IFEQ'),
  ...lifetimes,
]);
const getexOptions = options([maybe('persist', 'EX', 'NX', 'KEEPTTL', 'bad'), ...lifetimes], 2);

/** Reads of the key's value and deadline, so that a change does not go unseen. */
export const STRING_READS = [of('get', key), of('pttl', key), of('type', key)];

export const STRING_SETS = [
  of('set', key, value, setOptions),
  of('set', key, value, of('PX', spanMs)),
  of('set', key, value),
];

const number = word(
  '0.1',
  '-0.1',
  '1e3',
  '5.0e3',
  'inf',
  '-inf',
  'nan',
  'x',
  '',
  ' 1',
  '1.7e308',
  '3',
  '0x10',
  '1e-20',
);
const float = of('incrbyfloat', key, number);
/** Offsets up to what makes a value too long, but none that makes one long. */
const offset = word('0', '1', '5', '-1', '20', '536870912', INT64_MAX, 'x', '');
const bitOffset = word('0', '1', '7', '8', '100', '-1', '4294967296', INT64_MAX, 'x', '');

export const STRINGS = [
  ...STRING_SETS,
  ...STRING_SETS,
  ...STRING_READS,
  of('setnx', key, value),
  of('setex', key, spanSeconds, value),
  of('psetex', key, spanMs, value),
  of('getset', key, value),
  of('getdel', key),
  of('getex', key, getexOptions),
  of('mset', pairs(key, value)),
  of('mset', some(key, 4)),
  of('msetnx', pairs(key, value)),
  of('mget', some(key)),
  of('append', key, value),
  of('strlen', key),
  of('incr', key),
  of('decr', key),
  of('incrby', key, integer),
  of('decrby', key, integer),
  float,
  of('getrange', key, index, index),
  of('substr', key, index, index),
  of('setrange', key, offset, value),
  of('setbit', key, bitOffset, word('0', '1', '2', 'x')),
  of('getbit', key, bitOffset),
  of('bitcount', key, maybe(['0', '-1'], ['0'], ['1', '2', 'BIT'], ['1', '2', 'byte'], ['x', '1'])),
];
