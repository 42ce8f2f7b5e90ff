import { describe, expect, it, beforeAll } from 'vitest';
import { inMacrotask } from '../../kernel/macrotask.js';
import type { LockBundle } from '../../sealed/bundle.js';
import { ErrorReply, type KeyspaceFactory } from '../keyspace.js';
import { freshMocks, KeptMocks } from './engine.js';
import { bundleMock } from './load.js';
import { EngineServer, START_MS } from './testing/server.js';

let bundle: LockBundle;
beforeAll(async () => {
  bundle = await bundleMock();
});

const serverOf = (create: KeyspaceFactory): Promise<EngineServer> =>
  inMacrotask(() => new EngineServer(create));
const server = (): Promise<EngineServer> => serverOf(freshMocks(bundle));

describe('keys', () => {
  it('are told of as they change, with deadlines as Redis counts them', async () => {
    const redis = await server();
    expect(await redis.ask('SET k v PX 100 NX')).toBe('OK');
    expect(await redis.ask('SET k w NX')).toBe('(nil)');
    expect(await redis.ask('GET k')).toBe('"v"');
    // Gone at 100, where Redis's key is gone at 101: so its deadline is 99.
    expect(redis.changed()).toEqual(['set k @99']);
    expect(await redis.ask('PEXPIRE k 500')).toBe('(integer) 1');
    expect(await redis.ask('PERSIST k')).toBe('(integer) 1');
    expect(await redis.ask('SET k w')).toBe('OK');
    expect(await redis.ask('DEL k')).toBe('(integer) 1');
    expect(await redis.ask('DEL k')).toBe('(integer) 0');
    expect(redis.changed()).toEqual(['deadline k @499', 'deadline k', 'set k', 'deleted k']);
  });

  it('are changed in place or replaced, and what changes nothing is not told', async () => {
    const redis = await server();
    await redis.ask('INCR n');
    await redis.ask('INCR n');
    await redis.ask('HSET h f 1');
    await redis.ask('HSET h f 1');
    await redis.ask('HSET h f 2');
    await redis.ask('SREM s x');
    await redis.ask('SADD s x');
    await redis.ask('SADD s x');
    expect(redis.changed()).toEqual(['set n', 'changed n', 'set h', 'changed h', 'set s']);
    await redis.ask('MSET n 1 m 2');
    await redis.ask('RENAME m n');
    await redis.ask('FLUSHALL');
    expect(redis.changed()).toEqual([
      'set n',
      'set m',
      'set n',
      'deleted m',
      'deleted n',
      'deleted h',
      'deleted s',
    ]);
  });

  it('expire in the order of their deadlines when the clock says so, and not before', async () => {
    const redis = await server();
    await redis.ask('SET late v PX 60');
    await redis.ask('SET early v PX 50');
    expect(redis.keyspace.nextWakeMs()).toBe(START_MS + 49);
    redis.changed();
    await redis.wait(49);
    expect(await redis.ask('PTTL early')).toBe('(integer) 1');
    expect(redis.changed()).toEqual([]);
    await redis.wait(11);
    expect(redis.changed()).toEqual(['expired early', 'expired late']);
    expect(await redis.ask('EXISTS early late')).toBe('(integer) 0');
    expect(redis.keyspace.nextWakeMs()).toBe(Infinity);
  });

  it('expire before the command that comes at the same instant, and are set anew', async () => {
    const redis = await server();
    await redis.ask('SET k v PX 50 NX');
    redis.changed();
    redis.nowMs = 50;
    expect(await redis.ask('SET k w PX 50 NX')).toBe('OK');
    expect(redis.changed()).toEqual(['expired k', 'set k @99']);
  });

  it('with a deadline in the past are deleted by the command that gives it', async () => {
    const redis = await server();
    await redis.ask('SET k v');
    await redis.ask('PEXPIRE k -1');
    expect(redis.changed()).toEqual(['set k', 'deleted k']);
  });

  it('are records that can be taken and put', async () => {
    const redis = await server();
    await redis.ask('SET k v PX 100');
    await redis.ask('SADD s a b');
    const records = [...redis.keyspace.entries()];
    expect(records.map(([key, { deadlineMs }]) => [key, deadlineMs])).toEqual([
      ['k', START_MS + 99],
      ['s', null],
    ]);
    redis.keyspace.reset();
    redis.changed();
    expect(await redis.ask('DBSIZE')).toBe('(integer) 0');
    expect(redis.changed()).toEqual([]);
    for (const [key, record] of records) redis.keyspace.load(key, record);
    expect(redis.changed()).toEqual(['set k @99', 'set s']);
    expect(await redis.ask('SMEMBERS s')).toBe('["a", "b"]');
    expect(await redis.ask('PTTL k')).toBe('(integer) 100');
    redis.keyspace.load('k', undefined);
    expect(redis.changed()).toEqual(['deleted k']);
    expect(redis.keyspace.record('k')).toBe(undefined);
  });

  it('hold bytes as they came', async () => {
    const redis = await server();
    const bytes = String.fromCharCode(...Array(256).keys());
    await redis.ask(['SET', bytes, bytes]);
    expect(await redis.ask(['STRLEN', bytes])).toBe('(integer) 256');
    expect(await redis.ask(['EVAL', "return redis.call('get', KEYS[1])", '1', bytes])).toBe(
      JSON.stringify(bytes),
    );
    expect(await redis.ask(['HGETALL', 'none'])).toBe('[]');
  });
});

describe('scripts', () => {
  const RELEASE =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

  it('change keys as their commands do', async () => {
    const redis = await server();
    await redis.ask([
      'EVAL',
      "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])",
      '1',
      'k',
      'me',
      '100',
    ]);
    expect(await redis.ask(['EVAL', RELEASE, '1', 'k', 'you'])).toBe('(integer) 0');
    await redis.ask([
      'EVAL',
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('set', KEYS[1], ARGV[1], 'PX', 300) end",
      '1',
      'k',
      'me',
    ]);
    await redis.ask(['EVAL', "return redis.call('pexpire', KEYS[1], ARGV[1])", '1', 'k', '200']);
    expect(await redis.ask(['EVAL', RELEASE, '1', 'k', 'me'])).toBe('(integer) 1');
    await redis.ask([
      'EVAL',
      "redis.call('hset', KEYS[1], 'f', 1) redis.call('hincrby', KEYS[1], 'f', 1) return 1",
      '1',
      'h',
    ]);
    await redis.ask(['EVAL', "return redis.call('hincrby', KEYS[1], 'f', 1)", '1', 'h']);
    expect(redis.changed()).toEqual([
      'set k @99',
      'set k @299',
      'deadline k @199',
      'deleted k',
      'set h',
      'changed h',
    ]);
  });

  it('are known by their digest to the client that ran them', async () => {
    const redis = await server();
    const sha = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db';
    expect(await redis.ask(['EVALSHA', sha, '0'])).toBe(
      '(error) NOSCRIPT No matching script. Please use EVAL.',
    );
    expect(await redis.ask(['EVAL', 'return 1', '0'])).toBe('(integer) 1');
    expect(await redis.ask(['EVALSHA', sha, '0'])).toBe('(integer) 1');
    redis.keyspace.reset();
    expect(await redis.ask(['EVALSHA', sha, '0'])).toMatch(/NOSCRIPT/);
  });

  it('read the clock of the server', async () => {
    const redis = await server();
    redis.nowMs = 5000;
    expect(await redis.ask(['EVAL', 'return os.time()', '0'])).toBe(`(integer) ${START_MS / 1000 + 5}`);
    expect(await redis.ask('LASTSAVE')).toBe(`(integer) ${START_MS / 1000 + 5}`);
  });
});

describe('connections', () => {
  it('queue what comes between MULTI and EXEC', async () => {
    const redis = await server();
    expect(await redis.ask('EXEC')).toBe('(error) ERR EXEC without MULTI');
    expect(await redis.ask('MULTI')).toBe('OK');
    expect(await redis.ask('SET k v PX 100')).toBe('QUEUED');
    expect(await redis.ask('INCR n')).toBe('QUEUED');
    expect(await redis.ask('GET k', 2)).toBe('(nil)');
    expect(redis.changed()).toEqual([]);
    expect(await redis.ask('EXEC')).toBe('[OK, (integer) 1]');
    expect(redis.changed()).toEqual(['set k @99', 'set n']);
    await redis.ask('MULTI');
    await redis.ask('DEL k');
    expect(await redis.ask('DISCARD')).toBe('OK');
    expect(await redis.ask('GET k')).toBe('"v"');
  });

  it('give up a transaction whose keys another has touched', async () => {
    const redis = await server();
    await redis.ask('WATCH k');
    await redis.ask('SET k other', 2);
    await redis.ask('MULTI');
    await redis.ask('SET k mine');
    expect(await redis.ask('EXEC')).toBe('(nil array)');
    expect(await redis.ask('GET k')).toBe('"other"');
  });

  it('hear what is published, while they are there', async () => {
    const redis = await server();
    expect(await redis.ask('SUBSCRIBE a b', 2)).toBe('(no reply)');
    expect(await redis.ask('PSUBSCRIBE x*', 3)).toBe('(no reply)');
    expect(redis.heard()).toEqual([
      '2: ["subscribe", "a", (integer) 1]',
      '2: ["subscribe", "b", (integer) 2]',
      '3: ["psubscribe", "x*", (integer) 1]',
    ]);
    expect(await redis.ask('PUBLISH a hi')).toBe('(integer) 1');
    await redis.ask('PUBLISH xy ho');
    expect(redis.heard()).toEqual(['2: ["message", "a", "hi"]', '3: ["pmessage", "x*", "xy", "ho"]']);
    expect(await redis.ask('GET k', 2)).toMatch(/^\(error\) ERR Connection in subscriber mode/);
    redis.close(2);
    await redis.ask('PUBLISH a hi');
    expect(redis.heard()).toEqual([]);
  });

  it('wait where the library waits: XREAD BLOCK', async () => {
    const redis = await server();
    expect(await redis.ask('XREAD BLOCK 300 STREAMS s $', 2)).toBe('(blocked)');
    expect(redis.keyspace.nextWakeMs()).toBe(START_MS + 99);
    await redis.wait(100);
    await redis.ask('XADD s 1 field value');
    expect(redis.heard()).toEqual([]);
    await redis.wait(100);
    expect(redis.heard()).toEqual(['2: [["s", [["1-0", ["field", "value"]]]]]']);
    expect(await redis.ask('XREAD BLOCK 150 STREAMS t $', 2)).toBe('(blocked)');
    for (let at = 0; at < 3; at++) await redis.wait(100);
    expect(redis.heard()).toEqual(['2: (nil)']);
    expect(redis.keyspace.nextWakeMs()).toBe(Infinity);
  });

  it('that wait are sent away when the server says so, and hear no more', async () => {
    const redis = await server();
    await redis.ask('XREAD BLOCK 0 STREAMS s $', 2);
    redis.keyspace.interruptBlocked(new ErrorReply('UNBLOCKED'));
    expect(redis.heard()).toEqual(['2: (error) UNBLOCKED', '2: hangs up']);
    await redis.ask('XADD s 1 field value');
    await redis.wait(100);
    expect(redis.heard()).toEqual([]);
  });

  it('get an error for what the library has not', async () => {
    const redis = await server();
    expect(await redis.ask('BLPOP l 0')).toBe(
      "(error) ERR unknown command 'BLPOP', with args beginning with: 'l' '0' ",
    );
    expect(await redis.ask('CONNECT')).toMatch(/unknown command/);
    expect(await redis.ask('evaluate 1')).toMatch(/unknown command/);
    expect(await redis.ask('toString')).toMatch(/unknown command/);
  });
});

describe('copies', () => {
  it('share nothing between servers', async () => {
    const [one, other] = [await server(), await server()];
    await one.ask('SET k v');
    expect(await other.ask('GET k')).toBe('(nil)');
  });

  it('that are kept begin every run as new ones', async () => {
    const kept = new KeptMocks(bundle);
    const run = async (): Promise<unknown[]> => {
      kept.begin();
      const [one, other] = [await serverOf(kept.create), await serverOf(kept.create)];
      const seen = [
        await one.ask('GET k'),
        await one.ask('SET k v PX 100'),
        await other.ask('GET k'),
        await one.ask('SADD s a b c d e f'),
        await one.ask('SRANDMEMBER s'),
        await one.ask('SUBSCRIBE c', 2),
        await one.ask('PUBLISH c x'),
        await one.ask('XREAD BLOCK 300 STREAMS s $', 3),
        await one.ask(['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '0']),
        await one.ask(['EVAL', 'return 1', '0']),
        one.keyspace.nextWakeMs(),
        one.heard(),
        one.changed(),
      ];
      return seen;
    };
    const first = await run();
    expect(first[0]).toBe('(nil)');
    expect(await run()).toEqual(first);
  });

  it('say so when they are asked from where they cannot be drained', async () => {
    const redis = await server();
    await Promise.resolve();
    expect(() => redis.execute(['GET', 'k'])).toThrow(/macrotask/);
  });
});
