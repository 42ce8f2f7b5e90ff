import fc, { type Arbitrary } from 'fast-check';
import {
  field,
  fixed,
  integer,
  key,
  maybe,
  of,
  score,
  some,
  spanMs,
  spanSeconds,
  timeMs,
  timeSeconds,
  value,
} from './arbitrary-arguments.js';

/** One command of a sequence, and which of two connections sends it. */
export interface Step {
  readonly connection: 0 | 1;
  readonly args: readonly string[];
}

const setOptions = fc
  .array(
    fc.oneof(
      fc.constantFrom(['NX'], ['xx'], ['GET'], ['KEEPTTL'], ['PX'], ['bad'], ['persist']),
      spanSeconds.map((n) => ['EX', n]),
      spanMs.map((n) => ['px', n]),
      timeSeconds.map((n) => ['EXAT', n]),
      timeMs.map((n) => ['PXAT', n]),
    ),
    { maxLength: 3 },
  )
  .map((options) => options.flat());

const getexOptions = fc.oneof(
  maybe(['persist'], ['EX'], ['NX'], ['PERSIST', 'EX', '100']),
  spanSeconds.map((n) => ['EX', n]),
  timeMs.map((n) => ['pxat', n]),
);

const strings = [
  of('set', key, value, setOptions),
  of('set', key, value, setOptions),
  of('get', key),
  of('setnx', key, value),
  of('setex', key, spanSeconds, value),
  of('psetex', key, spanMs, value),
  of('getset', key, value),
  of('getdel', key),
  of('getex', key, getexOptions),
  of('mset', some(key, 4)),
  of('msetnx', some(key, 4)),
  of('mget', some(key)),
  of('append', key, value),
  of('strlen', key),
  of('incr', key),
  of('decr', key),
  of('incrby', key, integer),
  of('decrby', key, integer),
];

const keys = [
  of('del', some(key)),
  of('unlink', some(key)),
  of('exists', some(key)),
  of('type', key),
  of('touch', some(key)),
  of('keys', fc.constantFrom('*', 'a', '[ab]', '?', '[^a]', 'x*', '\\a', '[a-b]')),
  of(
    'scan',
    fc.constantFrom('0', 'x', ''),
    maybe(['match', 'a*'], ['count', '0'], ['count', '100'], ['type', 'string'], ['bad']),
  ),
  fixed('dbsize'),
  of('flushall', maybe(['async'], ['bad'], ['sync', 'x'])),
];

const expiry = [
  of('expire', key, spanSeconds, maybe(['NX'], ['xx'], ['NX', 'XX'], ['bad'], ['GT', 'LT'], ['constructor'])),
  of('pexpire', key, spanMs, maybe(['NX'], ['XX'])),
  of('expireat', key, timeSeconds, maybe(['NX'], ['XX'], ['gt'], ['LT'], ['NX', 'GT'])),
  of('pexpireat', key, timeMs, maybe(['GT'], ['LT'], ['XX', 'GT'])),
  of('persist', key),
  of('ttl', key),
  of('pttl', key),
  of('expiretime', key),
  of('pexpiretime', key),
];

const scripts = [
  of(
    'eval',
    fc.constantFrom('return redis.call("set", KEYS[1], ARGV[1])', 'return redis.call("get", KEYS[1])'),
    fc.constant('1'),
    key,
    value,
  ),
  of(
    'eval',
    fc.constant('return {redis.pcall("incr", KEYS[1]), redis.call("exists", KEYS[1])}'),
    fc.constant('1'),
    key,
  ),
  of('eval', fc.constant('return redis.call("ping")'), integer, some(key)),
  of(
    'evalsha',
    fc.constantFrom('4e6d8fc8bb01276962cce5371fa795a7763657ae', 'abc', ''),
    fc.constantFrom('0', '1'),
    key,
  ),
  of(
    'script',
    fc.constantFrom(
      ['load', 'return KEYS[1]'],
      ['load', 'return +'],
      ['exists', 'abc', '4e6d8fc8bb01276962cce5371fa795a7763657ae'],
    ),
  ),
  of('script', fc.constantFrom(['flush'], ['flush', 'sync'], ['flush', 'bad'], ['load'], ['nosuch'])),
  of(
    'eval_ro',
    fc.constantFrom('return redis.call("del", KEYS[1])', 'return redis.call("get", KEYS[1])'),
    fc.constant('1'),
    key,
  ),
];

const transactions = [
  fixed('multi'),
  fixed('multi'),
  fixed('exec'),
  fixed('exec'),
  fixed('discard'),
  of('watch', some(key, 2)),
  fixed('unwatch'),
];

const connection = [
  of('ping', maybe(['x'], ['x', 'y'])),
  of('echo', value),
  of('select', fc.constantFrom('0', '1', 'x', '-1')),
  of('publish', key, value),
  of(
    'client',
    fc.constantFrom(
      ['setname', 'me'],
      ['getname'],
      ['setname', 'a b'],
      ['setname'],
      ['nosuch'],
      ['setname', ''],
    ),
  ),
  fixed('client'),
  fixed('nosuch', 'a', 'b'),
  fixed(''),
  fixed('get'),
  fixed('set', 'a'),
  fixed('role'),
];

const hashes = [
  of('hset', key, some(field, 4)),
  of('hset', key, field, value),
  of('hmset', key, field, value),
  of('hsetnx', key, field, value),
  of('hget', key, field),
  of('hmget', key, some(field)),
  of('hdel', key, some(field)),
  of('hexists', key, field),
  of('hincrby', key, field, integer),
  of('hgetall', key),
  of('hkeys', key),
  of('hvals', key),
  of('hlen', key),
  of('hstrlen', key, field),
];

const sets = [
  of('sadd', key, some(value)),
  of('srem', key, some(value)),
  of('smembers', key),
  of('sismember', key, value),
  of('smismember', key, some(value)),
  of('scard', key),
];

const lists = [
  of('lpush', key, some(value)),
  of('rpush', key, some(value)),
  of('rpushx', key, some(value)),
  of('lpop', key, fc.oneof(maybe(), some(integer, 2))),
  of('rpop', key, fc.oneof(maybe(), some(integer, 2))),
  of('lrange', key, integer, integer),
  of('llen', key),
  of('lindex', key, integer),
  of('lset', key, integer, value),
  of('lrem', key, integer, value),
  of('ltrim', key, integer, integer),
];

const sortedSets = [
  of('zadd', key, score, field),
  of(
    'zadd',
    key,
    maybe(['NX'], ['XX'], ['GT'], ['lt', 'ch'], ['INCR'], ['NX', 'XX'], ['GT', 'NX']),
    score,
    field,
  ),
  of('zadd', key, score, field, score, field),
  of('zincrby', key, score, field),
  of('zrem', key, some(field)),
  of('zscore', key, field),
  of('zcard', key),
  of('zrank', key, field),
  of('zrevrank', key, field),
  of('zrange', key, integer, integer, maybe(['withscores'], ['rev'], ['limit', '0', '1'])),
  of(
    'zrange',
    key,
    score,
    score,
    fc.constant(['byscore']),
    maybe(['rev'], ['limit', '1', '2'], ['limit', '-1', '2'], ['bad']),
  ),
  of('zrevrange', key, integer, integer),
  of('zrangebyscore', key, score, score, maybe(['withscores'], ['limit', '0', '1'], ['limit', '0'])),
  of('zrevrangebyscore', key, score, score),
  of('zremrangebyscore', key, score, score),
  of('zremrangebyrank', key, integer, integer),
  of('zcount', key, score, score),
];

const cased = (args: readonly string[], upper: boolean): readonly string[] =>
  upper ? [args[0]!.toUpperCase(), ...args.slice(1)] : args;

function sequences(commands: readonly Arbitrary<string[]>[]): Arbitrary<Step[]> {
  const step = fc
    .tuple(fc.oneof(...commands), fc.constantFrom<0 | 1>(0, 0, 0, 1), fc.boolean())
    .map(([args, from, upper]): Step => ({ connection: from, args: cased(args, upper) }));
  return fc.array(step, { minLength: 1, maxLength: 25 });
}

/** Sequences that stay with one family of commands, beside a few others that meet it. */
export const SEQUENCES: Readonly<Record<string, Arbitrary<Step[]>>> = {
  'strings, keys and expiry': sequences([...strings, ...keys, ...expiry]),
  'transactions and scripts': sequences([
    ...transactions,
    ...scripts,
    ...strings.slice(0, 6),
    ...connection,
    keys[0]!,
  ]),
  'hashes and sets': sequences([...hashes, ...sets, strings[0]!, keys[0]!, expiry[0]!]),
  'lists and sorted sets': sequences([...lists, ...sortedSets, strings[0]!, keys[0]!]),
  everything: sequences([
    ...[strings, keys, expiry, transactions, scripts, connection, hashes, sets, lists, sortedSets].flat(),
  ]),
};
