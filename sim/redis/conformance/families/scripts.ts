import { countedKeys, field, integer, key, maybe, of, some, value, word } from './arguments.js';

/** Compare and delete, compare and extend, set and count: what locks send. */
const LOCK_SCRIPTS = [
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end',
  'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], 100) else return 0 end',
  'return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", 100)',
  'redis.call("set", KEYS[1], ARGV[1]) return redis.call("incr", "b")',
];
const READING = 'return {redis.call("get", KEYS[1]), redis.call("pttl", KEYS[1]), redis.call("time")[1]}';
const SHA_OF_KEYS_1 = '4e6d8fc8bb01276962cce5371fa795a7763657ae';

export const SCRIPTS = [
  of('eval', word(...LOCK_SCRIPTS, READING), word('1'), key, value),
  of('eval', word(...LOCK_SCRIPTS, READING), word('1'), key, value),
  of(
    'eval',
    word(
      'return {redis.pcall("incr", KEYS[1]), redis.call("exists", KEYS[1])}',
      'redis.call("set", "a", "1") redis.call("nosuch")',
      'return redis.call("get")',
      'return redis.call("hset", KEYS[1], "f", "1")',
      'return redis.call("multi")',
      'return redis.call("blpop", "a", "0")',
      'return redis.call("blpop", KEYS[1], 0)',
      'return redis.call("subscribe", "x")',
      'return redis.call("select", "1")',
      'return redis.call("publish", "x", "from a script")',
      'return redis.call("watch", "a")',
      'return redis.pcall("lpush", KEYS[1], "pushed")',
      'return redis.call()',
      'return tonumber(ARGV[1])',
      'return nosuch',
      'return {1, {2, "x"}, false, {err = "E x"}, {ok = "fine"}}',
      'local t = {} for i = 1, 50 do t[i] = i end return #t',
      'return redis.call("flushall")',
    ),
    word('1'),
    key,
    value,
  ),
  of('eval', word('return redis.call("ping")', 'return #KEYS', 'return ARGV'), integer, some(key)),
  of('eval', word('return KEYS', 'return #ARGV'), countedKeys(), some(value, 2, 0)),
  of('evalsha', word(SHA_OF_KEYS_1, SHA_OF_KEYS_1.toUpperCase(), 'abc', ''), word('0', '1'), key),
  of('evalsha_ro', word(SHA_OF_KEYS_1, 'abc'), word('0', '1'), key),
  of('script', word('load'), word('return KEYS[1]', 'return +', '', 'return 1')),
  of('script', word('exists'), some(word('abc', SHA_OF_KEYS_1, SHA_OF_KEYS_1.toUpperCase()))),
  of(
    'script',
    maybe('flush', ['flush', 'sync'], ['flush', 'bad'], ['flush', 'async', 'x'], 'load', 'nosuch', 'kill'),
  ),
  of('eval_ro', word('return redis.call("del", KEYS[1])', READING), word('1'), key),
  of('eval', word('return redis.call("hget", KEYS[1], ARGV[1])'), word('1'), key, field),
];
