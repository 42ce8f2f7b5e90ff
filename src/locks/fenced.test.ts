import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLock, redlockFenced, singleFenced } from '../index.js';
import { FakeRedis, fakeServers } from '../testing/fake-redis.js';
import { rejected, resolved, settled, underWay, useFakeTime } from '../testing/settled.js';

const OPTIONS = { retryDelayMs: 50, retryJitterMs: 0, retryCount: 0 };
const TTL = 1000;

beforeEach(useFakeTime);
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(20);
  expect(vi.getTimerCount(), 'no timer outlives the test').toBe(0);
  vi.useRealTimers();
});

describe('single-fenced', () => {
  it('draws rising tokens in the order of holds, and none for a refusal', async () => {
    const server = new FakeRedis();
    const lock = createLock(singleFenced, { clients: [server], options: OPTIONS });
    const tokens: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const grant = await resolved(lock.acquire('a', { ttlMs: TTL }));
      tokens.push(grant.fence);
      expect(await rejected(lock.acquire('a', { ttlMs: TTL }))).toMatchObject({ name: 'NotAcquired' });
      await resolved(grant.release());
    }
    expect(tokens).toEqual([1, 2, 3]);
  });
});

describe('redlock-fenced', () => {
  let servers: FakeRedis[];
  beforeEach(() => {
    servers = fakeServers(5);
  });
  const connect = () => createLock(redlockFenced, { clients: servers, options: OPTIONS });
  const counters = (): number[] => servers.map((server) => Number(server.peek('{a}:fence') ?? 0));

  it('takes one more than the highest counter of its votes and writes it to a quorum of them', async () => {
    servers[1]!.put('{a}:fence', '7');
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    expect(grant.fence).toBe(8);
    expect(counters().filter((counter) => counter === 8).length).toBeGreaterThanOrEqual(3);
    await resolved(grant.release());
  });

  it('rises over changing quorums', async () => {
    const lock = connect();
    let last = 0;
    for (const silent of [[0, 1], [3, 4], [1, 3], [], [0, 4]]) {
      servers.forEach((server, index) => (server.fate = silent.includes(index) ? 'silent' : 'normal'));
      const grant = await resolved(lock.acquire('a', { ttlMs: TTL }));
      expect(grant.fence).toBeGreaterThan(last);
      last = grant.fence!;
      await resolved(grant.release());
      await vi.advanceTimersByTimeAsync(10);
    }
  });

  it('never lowers a counter', async () => {
    servers[4]!.put('{a}:fence', '90');
    servers[4]!.latencyMs = 3;
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    expect(grant.fence).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(counters()[4]).toBe(90);
    await resolved(grant.release());
  });

  it('is not held when the raise is not confirmed by a quorum of those that voted', async () => {
    servers[3]!.fate = servers[4]!.fate = 'silent';
    const asking = underWay(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1);
    // The key is lost between the vote and the raise: this server may vote for another without knowing the token.
    servers[0]!.forget();
    expect((await settled(asking)).error).toMatchObject({ name: 'QuorumUnreachable' });
    expect(counters()[0]).toBe(0);
    await vi.advanceTimersByTimeAsync(10);
    expect(servers.every((server) => server.peek('a') === null)).toBe(true);
  });

  it('settles when servers go silent between the vote and the raise', async () => {
    const asking = underWay(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1);
    for (const server of servers) server.fate = 'silent';
    expect((await settled(asking)).error).toMatchObject({ name: 'QuorumUnreachable' });
  });

  it('lets a late voter stand in for one that went silent after its vote', async () => {
    servers[3]!.latencyMs = 10;
    servers[4]!.fate = 'silent';
    const asking = underWay(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1);
    servers[0]!.fate = 'silent';
    const { value: grant } = await settled(asking);
    expect(grant!.fence).toBe(1);
    expect(counters()).toEqual([0, 1, 1, 1, 0]);
    await settled(grant!.release());
  });
});
