import fc from 'fast-check';
import { countedKeys, index, integer, key, maybe, of, options, some, value, word } from './arguments.js';

export const side = word('LEFT', 'right', 'LEFT', 'RIGHT', 'bad');

export const LISTS = [
  of('lpush', key, some(value)),
  of('rpush', key, some(value)),
  of('rpush', key, some(value)),
  of('lpushx', key, some(value)),
  of('rpushx', key, some(value)),
  of('lpop', key, fc.oneof(maybe(), some(integer, 2))),
  of('rpop', key, fc.oneof(maybe(), some(integer, 2))),
  of('lrange', key, index, index),
  of('lrange', key, word('0'), word('-1')),
  of('llen', key),
  of('lindex', key, index),
  of('lset', key, index, value),
  of('lrem', key, index, value),
  of('ltrim', key, index, index),
  of('linsert', key, word('BEFORE', 'after', 'bad'), value, value),
  of(
    'lpos',
    key,
    value,
    options([
      of('RANK', word('1', '-1', '2', '0', 'x', '-9223372036854775808')),
      of('COUNT', word('0', '1', '2', '-1', 'x')),
      of('MAXLEN', word('0', '1', '2', '-1')),
      maybe('bad', 'RANK'),
    ]),
  ),
  of('lmove', key, key, side, side),
  of('rpoplpush', key, key),
  of('lmpop', countedKeys(), side, maybe(['COUNT', '2'], ['COUNT', '0'], ['COUNT', 'x'], 'COUNT', 'bad')),
];
