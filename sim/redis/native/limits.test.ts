import { describe, expect, test } from 'vitest';
import { ErrorReply, modeOf, OK, type EvictionPolicy } from '../keyspace.js';
import { PER_KEY } from './ledger.js';
import { TestServer } from './test-server.js';

/** A server with room for three keys of one byte with values of nine. */
function small(policy: EvictionPolicy): TestServer {
  const server = new TestServer();
  server.mode.maxMemory = 3 * (PER_KEY + 10);
  server.mode.maxMemoryPolicy = policy;
  return server;
}

const NINE = '123456789';

describe('when memory is short', () => {
  test('without a policy what may use memory is refused, the rest is not', () => {
    const server = small('noeviction');
    for (const key of ['a', 'b', 'c', 'd']) expect(server.run('SET', key, NINE)).toBe(OK);
    expect(server.errorOf('SET', 'e', NINE)).toBe("OOM command not allowed when used memory > 'maxmemory'.");
    expect(server.run('GET', 'a')).toBe(NINE);
    server.run('MULTI');
    expect(server.errorOf('GET', 'a')).toMatch(/^OOM /);
    expect(server.errorOf('EXEC')).toMatch(/^EXECABORT /);
    expect(server.run('DEL', 'd')).toBe(1);
    expect(server.run('SET', 'e', NINE)).toBe(OK);
  });

  test('a script is refused at its first write, unless that frees memory', () => {
    const server = small('noeviction');
    for (const key of ['a', 'b', 'c', 'd']) server.run('SET', key, NINE);
    expect(server.errorOf('EVAL', 'return redis.call("set", "e", "x")', '0')).toMatch(/^OOM /);
    expect(server.run('EVAL', 'redis.call("del", "a") return redis.call("set", "e", "x")', '0')).toBe(OK);
  });

  test('LRU takes the key unused for longest', () => {
    const server = small('allkeys-lru');
    for (const key of ['a', 'b', 'c', 'd']) server.run('SET', key, NINE);
    server.run('GET', 'a');
    server.run('SET', 'e', NINE);
    expect(server.changes).toEqual(['set a', 'set b', 'set c', 'set d', 'evicted a', 'set e']);
    server.run('GET', 'b');
    expect(server.changes.at(-1)).toBe('evicted b');
  });

  test('LFU takes the key used least', () => {
    const server = small('allkeys-lfu');
    server.run('SET', 'a', NINE);
    server.run('SET', 'b', NINE);
    server.run('SET', 'c', NINE);
    for (let i = 0; i < 100; i++) for (const key of ['a', 'c']) server.run('GET', key);
    server.run('SET', 'd', NINE);
    server.run('PING');
    expect(server.changes.at(-1)).toBe('evicted b');
  });

  test('volatile policies take only keys with a deadline: the nearest with TTL', () => {
    const server = small('volatile-ttl');
    server.run('SET', 'a', NINE);
    server.run('SET', 'b', NINE, 'PX', '500');
    server.run('SET', 'c', NINE, 'PX', '100');
    server.run('SET', 'd', NINE);
    server.run('SET', 'e', NINE);
    server.run('SET', 'f', NINE);
    expect(server.changes.filter((change) => change.startsWith('evicted'))).toEqual([
      'evicted c',
      'evicted b',
    ]);
    expect(server.errorOf('SET', 'g', NINE)).toMatch(/^OOM /);
  });

  test('a limit that is set later counts what is there', () => {
    const server = new TestServer();
    server.run('SELECT', '1');
    for (const key of ['a', 'b']) server.run('SET', key, NINE);
    server.run('CONFIG', 'SET', 'maxmemory', String(PER_KEY + 20), 'maxmemory-policy', 'allkeys-lru');
    server.run('PING');
    expect(server.changes.at(-1)).toBe('evicted db1\u2192a');
    server.run('CONFIG', 'SET', 'maxmemory', '0');
    server.run('SET', 'c', NINE);
    expect(server.run('DBSIZE')).toBe(2);
  });
});

describe('what the server decides', () => {
  test('writes that too few replicas would see are refused', () => {
    const server = new TestServer();
    server.mode.writesRefused = new ErrorReply('NOREPLICAS Not enough good replicas to write.');
    expect(server.errorOf('SET', 'k', 'v')).toBe('NOREPLICAS Not enough good replicas to write.');
    expect(server.errorOf('EVAL', 'return redis.call("set", "k", "v")', '0')).toMatch(/^NOREPLICAS /);
    server.run('MULTI');
    server.run('GET', 'k');
    expect(server.errorOf('SET', 'k', 'v')).toMatch(/^NOREPLICAS /);
    expect(server.errorOf('EXEC')).toMatch(/^EXECABORT /);
    expect(server.run('GET', 'k')).toBeNull();
  });

  test('a replica that lost its master and serves no stale data refuses reads', () => {
    const server = new TestServer();
    server.mode.replica = true;
    server.mode.masterDown = true;
    expect(server.errorOf('GET', 'k')).toBe(
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    );
    expect(server.run('INFO', 'server')).toContain('redis_version:7.0.15');
    expect(server.errorOf('EVAL', 'return redis.call("get", "k")', '0')).toMatch(/^MASTERDOWN /);
  });

  test('a cluster is asked where keys are, those of scripts and transactions too', () => {
    const asked: string[] = [];
    const server = new TestServer(modeOf(), {
      route: (_session, keys, writes) => {
        asked.push(`${keys.join(' ')}${writes ? ' writes' : ''}`);
        return keys.includes('far') ? new ErrorReply('MOVED 1 host:6379') : null;
      },
    });
    server.mode.cluster = true;
    expect(server.errorOf('GET', 'far')).toBe('MOVED 1 host:6379');
    server.run('MSET', 'a', '1', 'b', '2');
    expect(server.errorOf('EVAL', 'return 1', '1', 'far')).toMatch(/^MOVED /);
    expect(server.errorOf('EVAL', 'return redis.call("get", "far")', '0')).toMatch(
      /^ERR Script attempted to access a non local key in a cluster node/,
    );
    server.run('MULTI');
    expect(server.errorOf('BLPOP', 'near', 'far', '0')).toMatch(/^MOVED /);
    expect(server.errorOf('EXEC')).toMatch(/^EXECABORT /);
    expect(server.errorOf('SELECT', '1')).toBe('ERR SELECT is not allowed in cluster mode');
    expect(asked).toEqual(['far', 'a b writes', 'far', 'far', 'near far writes']);
  });
});

describe('later versions', () => {
  test('compare before they set and delete', () => {
    const redis = new TestServer(modeOf([8, 4]));
    redis.run('SET', 'k', 'a');
    expect(redis.run('SET', 'k', 'b', 'IFEQ', 'x')).toBeNull();
    expect(redis.run('SET', 'k', 'b', 'IFEQ', 'a', 'GET')).toBe('a');
    expect(redis.run('SET', 'none', 'b', 'IFEQ', '')).toBeNull();
    expect(redis.run('SET', 'new', 'b', 'IFNE', 'a')).toBe(OK);
    expect(redis.errorOf('SET', 'k', 'b', 'NX', 'IFEQ', 'a')).toBe('ERR syntax error');
    expect(redis.run('DELEX', 'k', 'IFEQ', 'a')).toBe(0);
    expect(redis.run('DELEX', 'k', 'IFEQ', 'b')).toBe(1);
    redis.run('SET', 'd', 'a');
    const digest = redis.run('DIGEST', 'd') as string;
    expect(redis.run('DELEX', 'd', 'IFDNE', digest)).toBe(0);
    expect(redis.errorOf('DELEX', 'd', 'IFDEQ', 'short')).toMatch(/16 hexadecimal/);
    expect(redis.run('DELEX', 'd', 'IFDEQ', digest.toUpperCase())).toBe(1);
    redis.run('RPUSH', 'l', 'a');
    expect(redis.errorOf('DELEX', 'l', 'IFEQ', 'a')).toBe(
      'ERR Key should be of string type if conditions are specified',
    );
    expect(redis.run('DELEX', 'l')).toBe(1);
  });

  test('and others do not', () => {
    const valkey = new TestServer(modeOf([9, 0], 'valkey'));
    valkey.run('SET', 'k', 'a');
    expect(valkey.run('SET', 'k', 'b', 'IFEQ', 'a')).toBe(OK);
    expect(valkey.errorOf('SET', 'k', 'b', 'IFNE', 'a')).toBe('ERR syntax error');
    expect(valkey.run('DELIFEQ', 'k', 'a')).toBe(0);
    expect(valkey.run('DELIFEQ', 'k', 'b')).toBe(1);
    expect(valkey.errorOf('DELEX', 'k')).toMatch(/^ERR unknown command/);
    const old = new TestServer();
    expect(old.errorOf('SET', 'k', 'b', 'IFEQ', 'a')).toBe('ERR syntax error');
    expect(old.errorOf('DELIFEQ', 'k', 'b')).toMatch(/^ERR unknown command/);
    expect(new TestServer(modeOf([8, 0], 'valkey')).errorOf('SET', 'k', 'b', 'IFEQ', 'a')).toBe(
      'ERR syntax error',
    );
  });
});
