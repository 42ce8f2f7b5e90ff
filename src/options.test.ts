import { expect, it } from 'vitest';
import { readOptions } from './options.js';

it('fills in defaults, also for what is given as undefined', () => {
  expect(readOptions({ retryCount: undefined }, 50)).toEqual({
    retryCount: 10,
    retryDelayMs: 200,
    retryJitterMs: 100,
    driftFactor: 0.01,
    serverTimeoutMs: 50,
    watchdog: false,
    waitReplicas: 0,
    waitMs: 100,
  });
});

it('takes zero for what it is, and Infinity', () => {
  expect(readOptions({ retryCount: 0, serverTimeoutMs: 7 }, 50)).toMatchObject({
    retryCount: 0,
    serverTimeoutMs: 7,
  });
  expect(readOptions({ retryCount: Infinity }, undefined).retryCount).toBe(Infinity);
  expect(readOptions({ retryCount: -1 }, undefined).retryCount).toBe(Infinity);
});

it.each([
  [{ retries: 1 }, 'unknown lock option "retries"; known are retryCount'],
  [{ toString: 1 }, 'unknown lock option "toString"'],
  [{ retryCount: -2 }, '"retryCount" must be a number that is not negative, or -1 for no end, not -2'],
  [{ retryDelayMs: -1 }, '"retryDelayMs" must be a number that is not negative, not -1'],
  [{ retryDelayMs: '5' }, '"retryDelayMs" must be a number'],
  [{ retryJitterMs: Number.NaN }, '"retryJitterMs" must be a number'],
  [{ watchdog: 1 }, '"watchdog" must be true or false, not 1'],
  [{ driftFactor: 1 }, '"driftFactor" must be below 1'],
])('refuses %j', (given, message) => {
  expect(() => readOptions(given, 50)).toThrow(RangeError);
  expect(() => readOptions(given, 50)).toThrow(message);
});
