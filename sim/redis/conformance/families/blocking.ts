import { countedKeys, field, key, maybe, of, pairs, some, timeout, value, word } from './arguments.js';
import { side } from './lists.js';

const count = maybe(['COUNT', '2'], ['count', '1'], ['COUNT', '0'], 'bad');

export const BLOCKING = [
  of('blpop', some(key, 2), timeout),
  of('blpop', some(key, 2), timeout),
  of('brpop', some(key, 2), timeout),
  of('blmove', key, key, side, side, timeout),
  of('brpoplpush', key, key, timeout),
  of('blmpop', timeout, countedKeys(), side, count),
  of('bzpopmin', some(key, 2), timeout),
  of('bzpopmax', some(key, 2), timeout),
  of('bzmpop', timeout, countedKeys(), word('MIN', 'MAX'), count),
  of(
    'client',
    word('unblock'),
    word('{id:0}', '{id:1}', '{id:2}', '99999', 'x'),
    maybe('TIMEOUT', 'error', 'bad'),
  ),
];

/** What ends the waiting, and what comes in between. */
export const UNBLOCKING = [
  of('lpush', key, some(value)),
  of('rpush', key, some(value)),
  of('zadd', key, pairs(word('1', '2'), field)),
  of('del', some(key, 2)),
  of('lrange', key, word('0'), word('-1')),
  of('zrange', key, word('0'), word('-1')),
  of('rename', key, key),
  of('lmove', key, key, word('LEFT'), word('RIGHT')),
  of('set', key, value),
  of('pexpire', key, word('1', '10', '100')),
  of('copy', key, key),
  of('swapdb', word('0'), word('1')),
  of('move', key, word('1')),
  of('select', word('0', '0', '1')),
  of('flushall'),
  of('eval', word('return redis.call("rpush", KEYS[1], ARGV[1], ARGV[1])'), word('1'), key, value),
  of('xadd', key, word('*', '1-1'), pairs(field, value)),
  of('xread', of('BLOCK', word('0', '10')), word('STREAMS'), key, word('$', '0')),
  of('xdel', key, word('1-1')),
  of('zpopmin', key),
  of('lpop', key),
  of('quit'),
  of('reset'),
  of('client', word('kill'), word('ID'), word('{id:0}', '{id:1}', '{id:2}')),
];
