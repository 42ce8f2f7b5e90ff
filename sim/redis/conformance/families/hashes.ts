import { field, index, integer, key, maybe, of, pairs, pattern, some, value, word } from './arguments.js';

const counter = word('1', '5', '-3');

export const HASHES = [
  of('hset', key, pairs(field, value)),
  of('hset', key, pairs(field, counter)),
  of('hset', key, some(field, 4)),
  of('hmset', key, pairs(field, value)),
  of('hsetnx', key, field, value),
  of('hget', key, field),
  of('hmget', key, some(field)),
  of('hdel', key, some(field)),
  of('hexists', key, field),
  of('hincrby', key, field, integer),
  of('hincrbyfloat', key, field, word('0.1', '-1.5', '1e3', 'nan', 'inf', 'x', '')),
  of('hgetall', key),
  of('hkeys', key),
  of('hvals', key),
  of('hlen', key),
  of('hstrlen', key, field),
  of('hscan', key, word('0', 'x'), maybe(['count', '100'], ['match', 'f'], 'bad', ['count', '0'])),
  of('hscan', key, word('0'), word('match'), pattern),
  of('hrandfield', key, maybe('1', '0', '-5', 'x', ['2', 'withvalues'], ['2', 'bad']), maybe()),
  of('hrandfield', key, index),
];
