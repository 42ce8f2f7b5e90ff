import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLock, redlock, withLock, type LockOptions } from '../index.js';
import { fakeServers, type FakeRedis } from '../testing/fake-redis.js';
import { rejected, resolved, settled, underWay, useFakeTime } from '../testing/settled.js';

const TTL = 1000;

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

describe('the end of a lease', () => {
  it('is told at its very millisecond, and never after release', async () => {
    const lock = connect();
    const grant = await resolved(lock.acquire('a', { ttlMs: TTL }));
    let toldMs = 0;
    grant.lost!.addEventListener('abort', () => (toldMs = performance.now()));
    await vi.advanceTimersByTimeAsync(TTL);
    expect(toldMs).toBe(grant.validUntil!().ms);
    expect(grant.lost!.reason).toMatchObject({ name: 'LockLost' });
    expect(grant.isHeld!()).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(await rejected(grant.release())).toMatchObject({ name: 'LockLost' });
    expect(await rejected(grant.extend!(TTL))).toMatchObject({ name: 'LockLost' });

    const next = await resolved(lock.acquire('a', { ttlMs: TTL }));
    await resolved(next.release());
    await vi.advanceTimersByTimeAsync(2 * TTL);
    expect(next.lost!.aborted).toBe(false);
  });

  it('is known to whoever asks for the signal afterwards', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(TTL);
    expect(grant.lost!.aborted).toBe(true);
  });
});

describe('extend', () => {
  it('counts from its own start', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(500);
    const startMs = performance.now();
    await resolved(grant.extend!(2000));
    expect(grant.validUntil!().ms).toBe(startMs + 2000 - 22);
    await vi.advanceTimersByTimeAsync(1500);
    expect(held()).toBe(5);
    expect(grant.lost!.aborted).toBe(false);
    await resolved(grant.release());
  });

  it('never creates a lost key again', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(5);
    servers[0]!.forget();
    await resolved(grant.extend!(TTL));
    await vi.advanceTimersByTimeAsync(5);
    expect(held()).toBe(4);
    servers[1]!.forget();
    servers[2]!.forget();
    expect(await rejected(grant.extend!(TTL))).toMatchObject({ name: 'LockLost' });
    expect(grant.lost!.aborted).toBe(true);
    expect(held()).toBe(2);
    expect(await rejected(grant.release())).toMatchObject({ name: 'LockLost' });
    expect(held()).toBe(0);
  });

  it('goes on to the earlier end when too few servers answer', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(5);
    const endMs = grant.validUntil!().ms;
    for (const server of servers.slice(0, 3)) server.fate = 'silent';
    expect(await rejected(grant.extend!(TTL), 60)).toMatchObject({ name: 'QuorumUnreachable' });
    expect(grant.lost!.aborted).toBe(false);
    expect(grant.validUntil!().ms).toBe(endMs);
    expect(await rejected(grant.release(), 60)).toMatchObject({ name: 'QuorumUnreachable' });
  });

  it('believes a shorter life from the moment it asks for it', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    for (const server of servers) server.fate = 'reply-lost';
    const startMs = performance.now();
    const extending = underWay(grant.extend!(100));
    expect(grant.validUntil!().ms).toBe(startMs + 97);
    await settled(extending);
    await vi.advanceTimersByTimeAsync(100);
    expect(grant.lost!.aborted).toBe(true);
    await settled(grant.release());
  });

  it('does not report a loss when it meets a release', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    const extending = underWay(grant.extend!(TTL));
    await resolved(grant.release());
    expect((await settled(extending)).error).toMatchObject({ name: 'LockLost' });
    expect(grant.lost!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(held()).toBe(0);
  });
});

describe('watchdog', () => {
  it('renews until the release', async () => {
    const grant = await resolved(connect({ watchdog: true }).acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(grant.lost!.aborted).toBe(false);
    expect(held()).toBe(5);
    expect(servers[0]!.countOf('EVAL') + servers[0]!.countOf('EVALSHA')).toBeGreaterThanOrEqual(29);
    await resolved(grant.release());
    expect(held()).toBe(0);
  });

  it('tries again after a renewal that failed', async () => {
    const grant = await resolved(connect({ watchdog: true }).acquire('a', { ttlMs: TTL }));
    for (const server of servers) server.fate = 'silent';
    await vi.advanceTimersByTimeAsync(500);
    for (const server of servers) server.fate = 'normal';
    await vi.advanceTimersByTimeAsync(2000);
    expect(grant.lost!.aborted).toBe(false);
    await resolved(grant.release());
  });

  it('tells of the loss at the end of the lease when it can not renew', async () => {
    const grant = await resolved(connect({ watchdog: true }).acquire('a', { ttlMs: TTL }));
    for (const server of servers) server.fate = 'silent';
    const endMs = grant.validUntil!().ms;
    let toldMs = 0;
    grant.lost!.addEventListener('abort', () => (toldMs = performance.now()));
    await vi.advanceTimersByTimeAsync(3000);
    expect(toldMs).toBe(endMs);
    await settled(grant.release());
  });

  it('tells of the loss as soon as the keys are gone', async () => {
    const grant = await resolved(connect({ watchdog: true }).acquire('a', { ttlMs: TTL }));
    for (const server of servers) server.forget();
    await vi.advanceTimersByTimeAsync(340);
    expect(grant.lost!.aborted).toBe(true);
    await settled(grant.release());
  });

  it('follows an extension by hand to a shorter life', async () => {
    const grant = await resolved(connect({ watchdog: true }).acquire('a', { ttlMs: TTL }));
    await resolved(grant.extend!(100));
    await vi.advanceTimersByTimeAsync(2000);
    expect(grant.lost!.aborted).toBe(false);
    await resolved(grant.release());
  });
});

describe('release', () => {
  it('settles although a majority stays silent', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    for (const server of servers) server.fate = 'silent';
    expect(await rejected(grant.release(), 60)).toMatchObject({ name: 'QuorumUnreachable' });
  });

  it('is done once, and removes nobody else’s key', async () => {
    const grant = await resolved(connect().acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(1100);
    for (const server of servers) server.put('a', 'theirs');
    const first = grant.release();
    expect(grant.release()).toBe(first);
    expect(await rejected(first)).toMatchObject({ name: 'LockLost' });
    expect(servers.every((server) => server.peek('a') === 'theirs')).toBe(true);
  });

  it('runs a script again by its text when a server has forgotten it', async () => {
    const lock = connect();
    await resolved((await resolved(lock.acquire('a', { ttlMs: TTL }))).release());
    await vi.advanceTimersByTimeAsync(5);
    for (const server of servers) server.forget();
    await resolved((await resolved(lock.acquire('a', { ttlMs: TTL }))).release());
    await vi.advanceTimersByTimeAsync(5);
    expect(held()).toBe(0);
    expect(servers[0]!.countOf('EVALSHA')).toBe(1);
    expect(servers[0]!.countOf('EVAL')).toBe(2);
  });
});

describe('withLock and await using', () => {
  it('releases after the work and passes its result on', async () => {
    const result = await resolved(withLock(connect(), 'a', { ttlMs: TTL }, () => 42));
    expect(result).toBe(42);
    await vi.advanceTimersByTimeAsync(5);
    expect(held()).toBe(0);
  });

  it('rejects with the work’s own error, whatever becomes of the release', async () => {
    const work = async (): Promise<never> => {
      for (const server of servers) server.forget();
      throw new Error('out of paper');
    };
    expect(await rejected(withLock(connect(), 'a', { ttlMs: TTL }, work))).toMatchObject({
      message: 'out of paper',
    });
    const lost = withLock(connect(), 'a', { ttlMs: TTL }, () => servers.forEach((server) => server.forget()));
    expect(await rejected(lost)).toMatchObject({ name: 'LockLost' });
  });

  it('is given up at the end of the block', async () => {
    const block = async (): Promise<void> => {
      await using grant = await connect().acquire('a', { ttlMs: TTL });
      expect(grant.isHeld?.()).toBe(true);
    };
    await resolved(block());
    await vi.advanceTimersByTimeAsync(5);
    expect(held()).toBe(0);
  });
});
