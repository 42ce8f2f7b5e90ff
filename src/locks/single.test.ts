import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLock, single } from '../index.js';
import { FakeRedis, fakeServers } from '../testing/fake-redis.js';
import { rejected, resolved, settled, underWay, useFakeTime } from '../testing/settled.js';

const TTL = 1000;
let server: FakeRedis;
beforeEach(() => {
  useFakeTime();
  server = new FakeRedis();
});
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(20);
  expect(vi.getTimerCount(), 'no timer outlives the test').toBe(0);
  vi.useRealTimers();
});

const connect = (options = {}) => createLock(single, { clients: [server], options });

it('claims an end that lies within the life of its key, however slow the server', async () => {
  server.latencyMs = 400;
  const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
  expect(grant.validUntil!().ms).toBe(988);
  await vi.advanceTimersByTimeAsync(987 - performance.now());
  expect(grant.isHeld!()).toBe(true);
  expect(server.peek('a')).toBe(grant.value);
  await vi.advanceTimersByTimeAsync(1);
  expect(grant.isHeld!()).toBe(false);
  expect(grant.lost!.aborted).toBe(true);
  expect(server.peek('a')).toBe(grant.value);
  await settled(grant.release());
  await vi.advanceTimersByTimeAsync(800);
});

it('waits for a silent server no longer than its ttl', async () => {
  server.fate = 'silent';
  const { error, atMs } = await settled(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
  expect(error).toMatchObject({ name: 'QuorumUnreachable' });
  expect(atMs).toBe(TTL);
});

it('hands the lock on', async () => {
  const lock = connect({ retryDelayMs: 10, retryJitterMs: 0 });
  const first = await resolved(lock.acquire('a', { ttlMs: TTL }));
  const second = underWay(lock.acquire('a', { ttlMs: TTL }));
  await vi.advanceTimersByTimeAsync(30);
  await resolved(first.release());
  const { value } = await settled(second);
  expect(value!.value).not.toBe(first.value);
  await resolved(value!.release());
});

it('is not blocked by its own key when the SET was sent twice and only the refusal heard', async () => {
  const lock = connect({ retryDelayMs: 10, retryJitterMs: 0 });
  const { set } = server;
  // What ioredis does after a reset: it sends again what was not answered.
  server.set = async (...args) => {
    server.set = set;
    await set(...args);
    return set(...args);
  };
  const grant = await resolved(lock.acquire('a', { ttlMs: TTL }), 50);
  await resolved(grant.release());
});

it('refuses more than one server', () => {
  expect(() => createLock(single, { clients: fakeServers(2) })).toThrow('single wants one server, not 2');
});

it('survives clients that throw instead of rejecting', async () => {
  server.set = () => {
    throw new Error('client is closed');
  };
  const error = await rejected(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
  expect(error).toMatchObject({ name: 'QuorumUnreachable', errors: [{ message: 'client is closed' }] });
});
