import { describe, expect, test } from 'vitest';
import { BLOCKED, ErrorReply, modeOf, NIL_ARRAY, OK, PONG, QUEUED } from '../keyspace.js';
import { START_MS, TestServer as Server } from './test-server.js';

describe('expiry', () => {
  test('a key lives through the millisecond of its deadline and is gone in the next', () => {
    const server = new Server();
    server.run('SET', 'k', 'v', 'PX', '100');
    server.nowMs = 100;
    expect(server.run('GET', 'k')).toBe('v');
    expect(server.run('PTTL', 'k')).toBe(0);
    expect(server.keyspace.execute(server.session, ['GET', 'k'], (START_MS + 100) * 1000 + 999)).toBe('v');
    server.nowMs = 101;
    expect(server.run('GET', 'k')).toBeNull();
    expect(server.changes).toEqual(['set k until 100', 'expired k']);
  });

  test('deleting an expired key answers 0 and counts as expiry', () => {
    const server = new Server();
    server.run('SET', 'k', 'v', 'PX', '100');
    server.nowMs = 101;
    expect(server.run('DEL', 'k')).toBe(0);
    expect(server.changes.at(-1)).toBe('expired k');
  });

  test('SET NX over an expired key expires it first', () => {
    const server = new Server();
    server.run('SET', 'k', 'v', 'PX', '100');
    server.nowMs = 200;
    expect(server.run('SET', 'k', 'w', 'NX', 'PX', '50')).toBe(OK);
    expect(server.changes).toEqual(['set k until 100', 'expired k', 'set k until 250']);
  });

  test('a step of the clock back gives a key more life', () => {
    const server = new Server();
    server.run('SET', 'k', 'v', 'PX', '100');
    server.nowMs = -1000;
    expect(server.run('PTTL', 'k')).toBe(1100);
  });

  test('nextWakeMs is never late, and wake removes exactly what is over', () => {
    const server = new Server();
    expect(server.keyspace.nextWakeMs()).toBe(Infinity);
    server.run('SET', 'late', 'v', 'PX', '500');
    server.run('SET', 'soon', 'v', 'PX', '100');
    expect(server.keyspace.nextWakeMs()).toBe(START_MS + 100);
    server.keyspace.wake((START_MS + 100) * 1000 + 999);
    expect(server.run('EXISTS', 'soon')).toBe(1);
    server.keyspace.wake((START_MS + 101) * 1000);
    expect(server.changes.at(-1)).toBe('expired soon');
    expect(server.keyspace.nextWakeMs()).toBe(START_MS + 500);
    server.run('PEXPIRE', 'late', '10');
    expect(server.keyspace.nextWakeMs()).toBe(START_MS + 10);
  });

  test('a deadline that has passed deletes at once', () => {
    const server = new Server();
    server.run('SET', 'k', 'v');
    expect(server.run('PEXPIRE', 'k', '-1')).toBe(1);
    expect(server.changes).toEqual(['set k', 'deleted k']);
  });

  test('SET drops the expiry unless told to keep it; changes in place keep it', () => {
    const server = new Server();
    server.run('SET', 'k', '1', 'PX', '100');
    server.run('INCR', 'k');
    server.run('SET', 'k', '5', 'KEEPTTL');
    server.run('SET', 'k', '6');
    server.run('PEXPIRE', 'k', '70');
    server.run('PERSIST', 'k');
    expect(server.changes).toEqual([
      'set k until 100',
      'changed k until 100',
      'set k until 100',
      'set k',
      'deadline k until 70',
      'deadline k',
    ]);
  });
});

describe('replica', () => {
  test('hides expired keys without removing them, until the master says so', () => {
    const master = new Server();
    const replica = new Server();
    replica.mode.replica = true;
    master.run('SET', 'k', 'v', 'PX', '100');
    replica.keyspace.load('k', master.keyspace.record('k'));
    expect(replica.run('GET', 'k')).toBe('v');
    replica.nowMs = 101;
    expect(replica.run('GET', 'k')).toBeNull();
    expect(replica.changes).toEqual(['set k until 100']);
    replica.nowMs = 50;
    expect(replica.run('GET', 'k')).toBe('v');
    replica.keyspace.load('k', undefined);
    expect(replica.changes.at(-1)).toBe('deleted k');
  });

  test('refuses writes, from clients and from scripts', () => {
    const server = new Server();
    server.mode.replica = true;
    expect(server.errorOf('SET', 'k', 'v')).toBe("READONLY You can't write against a read only replica.");
    expect(server.errorOf('EVAL', 'return redis.call("set", KEYS[1], "v")', '1', 'k')).toMatch(
      /^READONLY .* script: /,
    );
    expect(server.run('EVAL', 'return redis.call("get", KEYS[1])', '1', 'k')).toBeNull();
  });

  test('a transaction begun on a master that was demoted aborts', () => {
    const server = new Server();
    server.run('MULTI');
    server.run('SET', 'k', 'v');
    server.mode.replica = true;
    expect(server.errorOf('EXEC')).toMatch(/^EXECABORT Transaction discarded because of: READONLY /);
    expect(server.errorOf('EXEC')).toBe('ERR EXEC without MULTI');
  });
});

test('a server that loads its data refuses all but a few commands', () => {
  const server = new Server();
  server.mode.loading = true;
  expect(server.errorOf('GET', 'k')).toBe('LOADING Redis is loading the dataset in memory');
  expect(server.errorOf('EVAL', 'return 1', '0')).toMatch(/^LOADING /);
  expect(server.run('INFO')).toContain('loading:1');
});

test('a record is a copy: what changes later does not reach it', () => {
  const server = new Server();
  server.run('HSET', 'h', 'f', '1');
  const record = server.keyspace.record('h');
  server.run('HSET', 'h', 'f', '2');
  server.keyspace.load('copy', record);
  expect(server.run('HGET', 'copy', 'f')).toBe('1');
  server.run('HSET', 'copy', 'f', '3');
  server.keyspace.load('again', record);
  expect(server.run('HGET', 'again', 'f')).toBe('1');
  expect([...server.keyspace.entries()].map(([key]) => key)).toEqual(['h', 'copy', 'again']);
});

test('reset forgets keys and scripts and reports nothing', () => {
  const server = new Server();
  const sha = server.run('SCRIPT', 'LOAD', 'return 1') as string;
  server.run('SET', 'k', 'v', 'PX', '100');
  const before = server.changes.length;
  server.keyspace.reset();
  expect(server.changes).toHaveLength(before);
  expect(server.run('DBSIZE')).toBe(0);
  expect(server.keyspace.nextWakeMs()).toBe(Infinity);
  expect(server.errorOf('EVALSHA', sha, '0')).toBe('NOSCRIPT No matching script. Please use EVAL.');
});

describe('transactions', () => {
  test('WATCH sees the write of another connection, and its own', () => {
    const server = new Server();
    const other = server.keyspace.openSession();
    for (const writer of [other, server.session]) {
      server.run('WATCH', 'k');
      server.runFor(writer, 'SET', 'k', 'x');
      server.run('MULTI');
      expect(server.run('GET', 'k')).toBe(QUEUED);
      expect(server.run('EXEC')).toBe(NIL_ARRAY);
    }
    server.run('MULTI');
    server.run('GET', 'k');
    expect(server.run('EXEC')).toEqual(['x']);
  });

  test('a watched key that expires breaks the transaction; one that had expired before does not', () => {
    const server = new Server();
    server.run('SET', 'k', 'v', 'PX', '100');
    server.run('WATCH', 'k');
    server.nowMs = 101;
    server.run('MULTI');
    expect(server.run('EXEC')).toBe(NIL_ARRAY);
    server.run('WATCH', 'k');
    server.run('MULTI');
    expect(server.run('EXEC')).toEqual([]);
  });

  test('an error while queueing aborts, an error while executing does not', () => {
    const server = new Server();
    server.run('SET', 's', 'text');
    server.run('MULTI');
    server.errorOf('GET');
    expect(server.errorOf('EXEC')).toBe('EXECABORT Transaction discarded because of previous errors.');
    server.run('MULTI');
    server.run('INCR', 's');
    server.run('SET', 's', '1');
    expect(server.run('EXEC')).toEqual([new ErrorReply('ERR value is not an integer or out of range'), OK]);
  });
});

describe('scripts', () => {
  test('their effects are reported in order', () => {
    const server = new Server();
    server.run(
      'EVAL',
      'redis.call("set", KEYS[1], "1", "PX", 10) redis.call("incr", KEYS[1]) return redis.call("del", KEYS[1])',
      '1',
      'k',
    );
    expect(server.changes).toEqual(['set k until 10', 'changed k until 10', 'deleted k']);
  });

  test('a failing script keeps what it did before', () => {
    const server = new Server();
    server.run('EVAL', 'redis.call("set", "k", "1") redis.call("nosuch")', '0');
    expect(server.run('GET', 'k')).toBe('1');
  });

  test('one that never ends leaves the server busy until it is killed', () => {
    const busy: number[] = [];
    const server = new Server(modeOf(), { busy: (forUs) => busy.push(forUs) });
    const other = server.keyspace.openSession();
    server.run('SET', 'k', 'v', 'PX', '10');
    server.run('CONFIG', 'SET', 'busy-reply-threshold', '100');
    server.run('MULTI');
    server.run('EVAL', 'while true do end', '0');
    server.run('PING');
    expect(server.run('EXEC')).toBe(BLOCKED);
    expect(busy).toEqual([100_000]);
    server.wakeAt(50);
    expect(server.keyspace.nextWakeMs()).toBe(Infinity);
    expect(server.runFor(other, 'GET', 'k')).toEqual(
      new ErrorReply(
        'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
      ),
    );
    expect(server.runFor(other, 'SCRIPT', 'KILL')).toBe(OK);
    expect(server.heard().at(-1)).toMatch(/^unblocked 1: \[-ERR Script killed by user /);
    expect(server.runFor(other, 'GET', 'k')).toBeNull();
    expect(server.errorOf('SCRIPT', 'KILL')).toBe('NOTBUSY No scripts in execution right now.');
  });

  test('one that has written can not be killed', () => {
    const server = new Server();
    const other = server.keyspace.openSession();
    expect(server.run('EVAL', 'redis.call("set", "k", "v") while true do end', '0')).toBe(BLOCKED);
    expect(server.runFor(other, 'SCRIPT', 'KILL')).toHaveProperty(
      'text',
      expect.stringMatching(/^UNKILLABLE /),
    );
    server.keyspace.reset();
    expect(server.runFor(other, 'PING')).toBe(PONG);
  });

  test('bytes pass through unharmed', () => {
    const server = new Server();
    const bytes = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('');
    expect(
      server.run(
        'EVAL',
        'redis.call("set", KEYS[1], ARGV[1]) return redis.call("get", KEYS[1]) .. ""',
        '1',
        bytes,
        bytes,
      ),
    ).toBe(bytes);
    expect(server.run('EVAL', 'return "\\255\\0é"', '0')).toBe('\xff\0é');
  });

  test('one that nothing here can run is refused, not misread', () => {
    // The interpreter is not loaded in this file.
    expect(new Server().errorOf('EVAL', 'return select("#", 1)', '0')).toMatch(
      /^ERR lockpick: .* interpreter/,
    );
  });
});
