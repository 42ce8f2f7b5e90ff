import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLock, redlock, type LockOptions } from '../index.js';
import { fakeServers, type FakeRedis } from '../testing/fake-redis.js';
import { rejected, resolved, settled, underWay, useFakeTime } from '../testing/settled.js';

const TTL = 1000;
/** ttl × 0.01 + 2 ms. */
const DRIFT = 12;

let servers: FakeRedis[];
beforeEach(() => {
  useFakeTime();
  servers = fakeServers(5);
});
afterEach(async () => {
  // Time for what is still on its way.
  await vi.advanceTimersByTimeAsync(20);
  expect(vi.getTimerCount(), 'no timer outlives the test').toBe(0);
  vi.useRealTimers();
});

function connect(options: Partial<LockOptions> = {}) {
  return createLock(redlock, {
    clients: servers,
    options: { retryDelayMs: 100, retryJitterMs: 0, ...options },
  });
}

const held = (): number => servers.filter((server) => server.peek('a') !== null).length;

describe('acquire', () => {
  it('takes the key on all servers and claims the ttl less drift from its start', async () => {
    const startMs = performance.now();
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(5);
    expect(held()).toBe(5);
    expect(grant.validUntil?.()).toEqual({ clock: 'monotonic', ms: startMs + TTL - DRIFT });
    expect(grant.isHeld?.()).toBe(true);
    expect(grant.value).toMatch(/^[0-9a-f-]{36}$/);
    await resolved(grant.release());
    expect(held()).toBe(0);
  });

  it('does not wait for servers beyond a quorum', async () => {
    servers[0]!.latencyMs = servers[1]!.latencyMs = 20;
    const { value: grant, atMs } = await settled(connect().acquire('a', { ttlMs: TTL }));
    expect(atMs).toBe(2);
    await resolved(grant!.release());
    await vi.advanceTimersByTimeAsync(100);
    expect(held()).toBe(0);
  });

  it('gets by with two silent servers, but not with three, and settles', async () => {
    servers[0]!.fate = servers[1]!.fate = 'silent';
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }), 10);
    await resolved(grant.release(), 10);
    servers[2]!.fate = 'silent';
    const { error, atMs } = await settled(connect({ retryCount: 1 }).acquire('a', { ttlMs: TTL }));
    expect(error).toMatchObject({ name: 'QuorumUnreachable' });
    expect(atMs).toBeLessThan(1000);
    await vi.advanceTimersByTimeAsync(10);
    expect(held()).toBe(0);
  });

  it('fails as soon as a quorum is out of reach, and removes what it has', async () => {
    for (const server of servers.slice(0, 3)) server.put('a', 'theirs');
    servers[4]!.latencyMs = 20;
    const { error, atMs } = await settled(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
    expect(error).toMatchObject({ name: 'NotAcquired', message: expect.stringContaining('1 attempt:') });
    expect(atMs).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(servers.map((server) => server.peek('a'))).toEqual(['theirs', 'theirs', 'theirs', null, null]);
  });

  it('tells an outage from contention, with the errors of the clients', async () => {
    for (const server of servers.slice(0, 3)) server.fate = 'refused';
    const error = await rejected(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
    expect(error).toMatchObject({ name: 'QuorumUnreachable', errors: { length: 3 } });
  });

  it('retries retryCount times within delay ± jitter', async () => {
    for (const server of servers) server.put('a', 'theirs');
    const lock = connect({ retryCount: 3, retryDelayMs: 100, retryJitterMs: 50 });
    const { error, atMs } = await settled(lock.acquire('a', { ttlMs: TTL }));
    expect(error).toMatchObject({ name: 'NotAcquired' });
    expect(servers[0]!.countOf('SET')).toBe(4);
    expect(atMs).toBeGreaterThanOrEqual(3 * 50 + 8);
    expect(atMs).toBeLessThanOrEqual(3 * 150 + 8);
    await vi.advanceTimersByTimeAsync(10);
  });

  it('uses a new value for each attempt', async () => {
    for (const server of servers) server.put('a', 'theirs', 150);
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    const values = servers[0]!.applied.filter(([name]) => name === 'SET').map(([, , value]) => value);
    expect(values.length).toBe(3);
    expect(new Set(values).size).toBe(3);
    expect(grant.value).toBe(values[2]);
    await resolved(grant.release());
  });

  it.each([
    [987, 'granted'],
    [988, 'refused'],
  ])('with the votes after %i ms is %s', async (elapsedMs, expected) => {
    for (const server of servers) server.delaysMs.push(elapsedMs - 2);
    const lock = connect({ retryCount: 0, serverTimeoutMs: 2000 });
    const { value: grant, error } = await settled(lock.acquire('a', { ttlMs: TTL }));
    expect(grant === undefined ? 'refused' : 'granted').toBe(expected);
    if (grant !== undefined) await resolved(grant.release());
    else expect(error).toMatchObject({ message: expect.stringContaining('too late') });
    await vi.advanceTimersByTimeAsync(10);
    expect(held()).toBe(0);
  });

  it('removes a key whose SET was applied but not answered', async () => {
    for (const server of servers) server.fate = 'reply-lost';
    const asking = underWay(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1);
    for (const server of servers) server.fate = 'normal';
    expect((await settled(asking)).error).toMatchObject({ name: 'QuorumUnreachable' });
    await vi.advanceTimersByTimeAsync(10);
    expect(held()).toBe(0);
  });

  it('sends the clean-up again for a vote that comes in after the clean-up overtook it', async () => {
    servers[0]!.delaysMs.push(200);
    for (const server of servers.slice(1)) server.put('a', 'theirs');
    await rejected(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(198);
    expect(servers[0]!.peek('a')).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(servers[0]!.peek('a')).not.toBe(null);
    await vi.advanceTimersByTimeAsync(5);
    expect(servers[0]!.peek('a')).toBe(null);
  });

  it('sends the clean-up again when the connection lost it', async () => {
    for (const server of servers.slice(1)) server.put('a', 'theirs');
    const asking = underWay(connect({ retryCount: 0 }).acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1);
    servers[0]!.fate = 'request-lost';
    await settled(asking);
    await vi.advanceTimersByTimeAsync(0);
    servers[0]!.fate = 'normal';
    await vi.advanceTimersByTimeAsync(10);
    expect(servers[0]!.peek('a')).toBe(null);
  });

  it('rejects a ttl that leaves no validity, and options it does not know', async () => {
    expect(await rejected(connect().acquire('a', { ttlMs: 2 }))).toBeInstanceOf(RangeError);
    expect(await rejected(connect().acquire('a', { ttlMs: Number.NaN }))).toBeInstanceOf(RangeError);
    expect(() => createLock(redlock, { clients: servers, options: { retries: 3 } as object })).toThrow(
      'unknown lock option "retries"',
    );
    expect(() => createLock(redlock, { clients: [] })).toThrow(RangeError);
    expect(() => createLock(redlock, { clients: [{}] })).toThrow(TypeError);
  });
});

describe('withdrawal', () => {
  it('rejects at once when the signal has aborted already, and sends nothing', async () => {
    const reason = new Error('not any more');
    const asking = connect().acquire('a', { ttlMs: TTL, signal: AbortSignal.abort(reason) });
    expect(await rejected(asking, 1)).toBe(reason);
    expect(servers[0]!.applied).toEqual([]);
  });

  it.each([0, 1, 2.5, 50])('leaves nothing behind after %d ms', async (afterMs) => {
    for (const server of servers.slice(0, 3)) server.put('a', 'theirs', 500);
    const controller = new AbortController();
    const asking = underWay(connect().acquire('a', { ttlMs: TTL, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(afterMs);
    controller.abort();
    expect((await settled(asking)).error).toBe(controller.signal.reason);
    await vi.advanceTimersByTimeAsync(600);
    expect(held()).toBe(0);
    const sent = servers[3]!.applied.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(servers[3]!.applied.length).toBe(sent);
  });

  it('does not touch a lock that was granted', async () => {
    const controller = new AbortController();
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL, signal: controller.signal }));
    controller.abort();
    await vi.advanceTimersByTimeAsync(10);
    expect(held()).toBe(5);
    await resolved(grant.release());
  });
});
