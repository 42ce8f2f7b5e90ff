import { expect, test } from 'vitest';
import '../lua/fengari.js';
import { BLOCKED, keyspaceHost, modeOf, OK, STANDALONE } from '../keyspace.js';
import { createNativeKeyspace } from './keyspace.js';

/** What the server is told of one script on a fresh server, in microseconds. */
function told(script: string): number[] {
  const times: number[] = [];
  const services = { ...STANDALONE, busy: (forUs: number) => times.push(forUs) };
  const keyspace = createNativeKeyspace(modeOf(), keyspaceHost({ services }));
  const reply = keyspace.execute(keyspace.openSession(), ['EVAL', script, '0'], 1_700_000_000_000_000);
  expect(reply).not.toBe(BLOCKED);
  return times;
}

test('a lock script takes no time', () => {
  expect(told('if redis.call("get", "k") == "v" then return redis.call("del", "k") end return 0')).toEqual(
    [],
  );
});

test('turns and calls add up', () => {
  expect(told('for i = 1, 100000 do end return 1')).toEqual([2_000]);
  expect(told('for i = 1, 1000 do redis.call("get", "k") end return 1')).toEqual([520]);
  expect(told('local function f() return 1 end for i = 1, 1000 do f() end return 1')).toEqual([40]);
});

test('the interpreter counts what it executes', () => {
  const [us = 0] = told('local s = 0 for i = 1, 100000 do s = s + select("#", i) end return s');
  expect(us).toBeGreaterThan(2_000);
  expect(us).toBeLessThan(10_000);
});

test('an error takes its time too', () => {
  expect(told('for i = 1, 100000 do end error("x")')).toEqual([2_000]);
});

test.each([
  'while true do end',
  'local function f() return f() end f()',
  'while true do pcall(function() while true do end end) end',
  'while true do pcall(coroutine.wrap(function() while true do end end)) end',
  'xpcall(function() while true do end end, function() while true do end end)',
])('never ends: %s', (script) => {
  const keyspace = createNativeKeyspace(modeOf(), keyspaceHost());
  const [session, other] = [keyspace.openSession(), keyspace.openSession()];
  expect(keyspace.execute(session, ['EVAL', script, '0'], 1_700_000_000_000_000)).toBe(BLOCKED);
  expect(keyspace.execute(other, ['SCRIPT', 'KILL'], 1_700_000_000_000_000)).toBe(OK);
  expect(keyspace.execute(other, ['GET', 'k'], 1_700_000_000_000_000)).toBeNull();
});
