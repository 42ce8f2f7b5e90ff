import { countedKeys, index, integer, key, maybe, of, pattern, some, value, word } from './arguments.js';

/** SPOP chooses by chance, which both sides can't do alike: it takes all there are, or from a set of one. */
const SOLE = 'sole';

export const SETS = [
  of('sadd', key, some(value)),
  of('sadd', key, some(value)),
  of('sadd', word(SOLE), word('the one')),
  of('srem', key, some(value)),
  of('smembers', key),
  of('sismember', key, value),
  of('smismember', key, some(value)),
  of('scard', key),
  of('smove', key, key, value),
  of('spop', word(SOLE), maybe('1', '2', '0', '-1', 'x')),
  of('spop', key, word('100', '0', '-1', 'x')),
  of('srandmember', key, maybe('1', '-5', '0')),
  of('srandmember', key, index),
  of('sinter', some(key)),
  of('sunion', some(key)),
  of('sdiff', some(key)),
  of('sinterstore', key, some(key)),
  of('sunionstore', key, some(key)),
  of('sdiffstore', key, some(key)),
  of(
    'sintercard',
    countedKeys(),
    maybe(['LIMIT', '1'], ['LIMIT', '-1'], ['LIMIT', '0'], ['LIMIT', 'x'], 'bad'),
  ),
  of('sscan', key, word('0', 'x'), maybe(['count', '100'], 'bad')),
  of('sscan', key, word('0'), word('match'), pattern),
  of('scard', integer),
];
