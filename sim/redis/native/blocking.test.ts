import { describe, expect, test } from 'vitest';
import { BLOCKED, ErrorReply, NIL_ARRAY, OK, PONG, QUEUED } from '../keyspace.js';
import { START_MS, TestServer } from './test-server.js';

describe('blocking pops', () => {
  test('whoever waits longest is served first, after the command that brought the item', () => {
    const server = new TestServer();
    const [a, b] = [server.keyspace.openSession(), server.keyspace.openSession()];
    expect(server.runFor(a, 'BLPOP', 'q', 'r', '0')).toBe(BLOCKED);
    expect(server.runFor(b, 'BLPOP', 'q', '0')).toBe(BLOCKED);
    expect(server.run('RPUSH', 'q', 'x')).toBe(1);
    expect(server.heard()).toEqual(['unblocking 2', 'unblocked 2: [q, x]']);
    expect(server.changes).toEqual(['set q', 'deleted q']);
    server.run('MULTI');
    server.run('RPUSH', 'q', 'y', 'z');
    server.run('LPOP', 'q');
    server.run('EXEC');
    expect(server.heard()).toEqual(['unblocking 3', 'unblocked 3: [q, z]']);
    server.run('RPUSH', 'r', 'late');
    expect(server.heard()).toEqual([]);
  });

  test('one gives up in the millisecond after its last', () => {
    const server = new TestServer();
    server.runFor(server.session, 'BRPOP', 'q', '0.05');
    expect(server.keyspace.nextWakeMs()).toBe(START_MS + 50);
    server.wakeAt(50);
    expect(server.heard()).toEqual([]);
    server.wakeAt(51);
    expect(server.heard()).toEqual(['unblocked 1: (nil)']);
    expect(server.keyspace.nextWakeMs()).toBe(Infinity);
  });

  test('a move is served, and serves who waits for its target', () => {
    const server = new TestServer();
    const [a, b] = [server.keyspace.openSession(), server.keyspace.openSession()];
    server.runFor(a, 'BLMOVE', 'q', 'r', 'LEFT', 'RIGHT', '0');
    server.runFor(b, 'BLPOP', 'r', '0');
    server.run('LPUSH', 'q', 'x');
    expect(server.heard()).toEqual(['unblocking 2', 'unblocked 2: x', 'unblocking 3', 'unblocked 3: [r, x]']);
    expect(server.run('EXISTS', 'q', 'r')).toBe(0);
  });

  test('another kind of key serves nobody; other databases have other keys', () => {
    const server = new TestServer();
    const waiter = server.keyspace.openSession();
    server.runFor(waiter, 'BZPOPMIN', 'q', '0');
    server.run('RPUSH', 'q', 'x');
    server.run('SELECT', '3');
    server.run('ZADD', 'q', '1', 'm');
    expect(server.heard()).toEqual([]);
    server.run('SELECT', '0');
    server.run('DEL', 'q');
    server.run('ZADD', 'q', '2', 'm', '1', 'l');
    expect(server.heard()).toEqual(['unblocking 2', 'unblocked 2: [q, l, 1]']);
  });

  test('in a transaction or a script nothing blocks', () => {
    const server = new TestServer();
    server.run('MULTI');
    server.run('BLPOP', 'q', '0');
    expect(server.run('EXEC')).toEqual([NIL_ARRAY]);
  });

  test('a closed connection waits no longer', () => {
    const server = new TestServer();
    const waiter = server.keyspace.openSession();
    server.runFor(waiter, 'BLPOP', 'q', '0');
    server.keyspace.closeSession(waiter);
    server.run('RPUSH', 'q', 'x');
    expect(server.heard()).toEqual([]);
    expect(server.run('LLEN', 'q')).toBe(1);
  });

  test('CLIENT UNBLOCK and a change of role end the wait', () => {
    const server = new TestServer();
    const [a, b] = [server.keyspace.openSession(), server.keyspace.openSession()];
    server.runFor(a, 'BLPOP', 'q', '0');
    server.runFor(b, 'BLPOP', 'q', '0');
    expect(server.run('CLIENT', 'UNBLOCK', String(a.id), 'ERROR')).toBe(1);
    expect(server.run('CLIENT', 'UNBLOCK', String(a.id))).toBe(0);
    expect(server.heard()).toEqual(['unblocked 2: -UNBLOCKED client unblocked via CLIENT UNBLOCK']);
    server.keyspace.interruptBlocked(new ErrorReply('UNBLOCKED role changed'));
    expect(server.heard()).toEqual(['unblocked 3: -UNBLOCKED role changed', 'hang up 3']);
  });
});

describe('CLIENT PAUSE', () => {
  test('holds commands back until it ends, and executes them in order', () => {
    const server = new TestServer();
    const other = server.keyspace.openSession();
    expect(server.run('CLIENT', 'PAUSE', '100', 'WRITE')).toBe(OK);
    expect(server.runFor(other, 'SET', 'k', 'a')).toBe(BLOCKED);
    expect(server.run('GET', 'k')).toBeNull();
    expect(server.run('APPEND', 'k', 'b')).toBe(BLOCKED);
    expect(server.keyspace.nextWakeMs()).toBe(START_MS + 100);
    server.wakeAt(101);
    expect(server.heard()).toEqual(['unblocking 2', 'unblocked 2: OK', 'unblocking 1', 'unblocked 1: 2']);
    expect(server.run('GET', 'k')).toBe('ab');
  });

  test('of ALL holds back PING; nothing expires meanwhile', () => {
    const server = new TestServer();
    server.run('SET', 'k', 'v', 'PX', '10');
    server.run('CLIENT', 'PAUSE', '100');
    expect(server.run('PING')).toBe(BLOCKED);
    server.wakeAt(50);
    expect(server.changes).toEqual(['set k until 10']);
    server.wakeAt(101);
    expect(server.heard()).toEqual(['unblocking 1', 'unblocked 1: PONG']);
    expect(server.changes.at(-1)).toBe('expired k');
  });

  test('ends at once with UNPAUSE', () => {
    const server = new TestServer();
    const other = server.keyspace.openSession();
    server.run('CLIENT', 'PAUSE', '100', 'WRITE');
    server.runFor(other, 'MULTI');
    expect(server.runFor(other, 'SET', 'k', 'v')).toBe(BLOCKED);
    expect(server.run('CLIENT', 'UNPAUSE')).toBe(OK);
    expect(server.heard()).toEqual(['unblocking 2', 'unblocked 2: QUEUED']);
  });
});

test('CLIENT REPLY decides which replies are wanted', () => {
  const server = new TestServer();
  const silent = expect.objectContaining({ text: '(no reply)' }) as unknown;
  expect(server.run('CLIENT', 'REPLY', 'SKIP')).toEqual(silent);
  expect(server.run('PING')).toEqual(silent);
  expect(server.run('PING')).toBe(PONG);
  server.run('CLIENT', 'REPLY', 'OFF');
  expect(server.run('PING')).toEqual(silent);
  expect(server.run('CLIENT', 'REPLY', 'ON')).toBe(OK);
  expect(server.run('PING')).toBe(PONG);
});

describe('databases', () => {
  test('keys of others than the first are named by a name that no bytes equal', () => {
    const server = new TestServer();
    server.run('SELECT', '2');
    server.run('SET', 'k', 'v', 'PX', '100');
    expect(server.changes).toEqual(['set db2\u2192k until 100']);
    const record = server.keyspace.record('db2\u2192k');
    server.keyspace.load('db3\u2192k', record);
    server.run('SELECT', '3');
    expect(server.run('GET', 'k')).toBe('v');
    server.run('FLUSHDB');
    server.run('SELECT', '2');
    expect(server.run('DBSIZE')).toBe(1);
    server.wakeAt(101);
    expect(server.changes.at(-1)).toBe('expired db2\u2192k');
  });

  test('WATCH tells them apart', () => {
    const server = new TestServer();
    const other = server.keyspace.openSession();
    server.runFor(other, 'SELECT', '1');
    server.run('WATCH', 'k');
    server.runFor(other, 'SET', 'k', 'v');
    server.run('MULTI');
    expect(server.run('PING')).toBe(QUEUED);
    expect(server.run('EXEC')).toEqual([PONG]);
  });

  test('what a script selects is its own affair', () => {
    const server = new TestServer();
    server.run('EVAL', 'redis.call("select", 5) redis.call("set", KEYS[1], "x")', '1', 'k');
    expect(server.run('EXISTS', 'k')).toBe(0);
    server.run('SELECT', '5');
    expect(server.run('GET', 'k')).toBe('x');
  });
});

describe('publish and subscribe', () => {
  test('messages reach channels and patterns at once', () => {
    const server = new TestServer();
    const listener = server.keyspace.openSession();
    server.runFor(listener, 'SUBSCRIBE', 'news', 'more');
    server.runFor(listener, 'PSUBSCRIBE', 'n*');
    expect(server.run('PUBLISH', 'news', 'hello')).toBe(2);
    expect(server.heard()).toEqual([
      'push 2: [subscribe, news, 1]',
      'push 2: [subscribe, more, 2]',
      'push 2: [psubscribe, n*, 3]',
      'push 2: [message, news, hello]',
      'push 2: [pmessage, n*, news, hello]',
    ]);
    server.keyspace.closeSession(listener);
    expect(server.run('PUBLISH', 'news', 'hello')).toBe(0);
  });

  test('a subscriber may do little else, with RESP2', () => {
    const server = new TestServer();
    server.run('SUBSCRIBE', 'news');
    expect(server.errorOf('GET', 'k')).toMatch(/^ERR Can't execute 'get': only /);
    expect(server.run('PING')).toEqual(['pong', '']);
    server.run('UNSUBSCRIBE');
    expect(server.run('GET', 'k')).toBeNull();
    server.run('HELLO', '3');
    server.run('SUBSCRIBE', 'news');
    expect(server.run('GET', 'k')).toBeNull();
  });
});

test('a password is asked for once it is set', () => {
  const server = new TestServer();
  expect(server.errorOf('AUTH', 'secret')).toMatch(/^ERR AUTH <password> called without any password/);
  server.run('CONFIG', 'SET', 'requirepass', 'secret');
  expect(server.run('PING')).toBe(PONG);
  const late = server.keyspace.openSession();
  expect(server.runFor(late, 'PING')).toEqual(new ErrorReply('NOAUTH Authentication required.'));
  expect(server.runFor(late, 'AUTH', 'wrong')).toEqual(
    new ErrorReply('WRONGPASS invalid username-password pair or user is disabled.'),
  );
  expect(server.runFor(late, 'AUTH', 'secret')).toBe(OK);
  expect(server.runFor(late, 'PING')).toBe(PONG);
});
