/** Each pitfall works as long as nothing goes wrong, and fails in the way its file says. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Grant, LockDefinition } from '../contract.js';
import { createLock } from '../index.js';
import { LOCKS } from '../registry.js';
import { fakeServers, type FakeRedis } from '../testing/fake-redis.js';
import { rejected, resolved, settled, underWay, useFakeTime } from '../testing/settled.js';

const TTL = 1000;
const OPTIONS = { retryDelayMs: 10, retryJitterMs: 0, retryCount: 0 };
const pitfalls = LOCKS.filter(({ kind }) => kind === 'pitfall');

beforeEach(useFakeTime);
afterEach(() => vi.useRealTimers());

async function load(mistake: string): Promise<LockDefinition> {
  const module = (await import(`../pitfalls/${mistake}.ts`)) as { default: LockDefinition };
  return module.default;
}

async function connect(mistake: string, clients: FakeRedis[], options: object = OPTIONS) {
  return createLock(await load(mistake), { clients, options });
}

const endMs = (grant: Grant): number => grant.validUntil!().ms;

describe.each(pitfalls)('$name', ({ name, servers: wanted }) => {
  it('acquires, keeps others out and releases', async () => {
    const mistake = name.slice('pitfall/'.length);
    const definition = await load(mistake);
    expect(definition.name).toBe(name);
    expect(definition.servers).toBe(wanted);
    const servers = fakeServers(wanted === 1 ? 1 : 3);
    const lock = await connect(mistake, servers);
    const grant = await resolved(lock.acquire('a', { ttlMs: TTL }));
    // Another lock object: the same one may let its own holder in again.
    const other = await connect(mistake, servers);
    expect(await rejected(other.acquire('a', { ttlMs: TTL }))).toMatchObject({ name: 'NotAcquired' });
    await resolved(grant.release());
    await vi.advanceTimersByTimeAsync(10);
    const next = await resolved(lock.acquire('a', { ttlMs: TTL }));
    await resolved(next.release());
    await vi.advanceTimersByTimeAsync(10);
    expect(servers.map((server) => server.peek('a'))).toEqual(servers.map(() => null));
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('has a file for each entry of the registry, and no other', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => !file.endsWith('.test.ts'));
  expect(files.sort()).toEqual(pitfalls.map(({ entry }) => entry.replace('src/pitfalls/', '')).sort());
});

describe('the mistakes', () => {
  it('no-ttl: the key stays for ever and no end is claimed', async () => {
    const [server] = fakeServers(1);
    const grant = await resolved((await connect('no-ttl', [server!])).acquire('a', { ttlMs: TTL }));
    expect('validUntil' in grant || 'lost' in grant || 'extend' in grant).toBe(false);
    await vi.advanceTimersByTimeAsync(1e6);
    expect(server!.peek('a')).not.toBe(null);
  });

  it('setnx-then-expire: two commands', async () => {
    const [server] = fakeServers(1);
    await resolved((await connect('setnx-then-expire', [server!])).acquire('a', { ttlMs: TTL }));
    expect(server!.applied.map(([name]) => name)).toEqual(['SETNX', 'EXPIRE']);
  });

  it.each(['constant-value', 'del-without-check'])(
    '%s: a late release takes the next holder’s key',
    async (mistake) => {
      const [server] = fakeServers(1);
      const lock = await connect(mistake, [server!]);
      const first = await resolved(lock.acquire('a', { ttlMs: TTL }));
      await vi.advanceTimersByTimeAsync(TTL + 10);
      await resolved(lock.acquire('a', { ttlMs: TTL }));
      await resolved(first.release());
      expect(server!.peek('a')).toBe(null);
    },
  );

  it('get-then-del: the key changes hands in between', async () => {
    const [server] = fakeServers(1);
    const grant = await resolved((await connect('get-then-del', [server!])).acquire('a', { ttlMs: TTL }));
    server!.delaysMs.push(0, 1500);
    const releasing = underWay(grant.release());
    await vi.advanceTimersByTimeAsync(100);
    server!.put('a', 'theirs');
    await settled(releasing);
    await vi.advanceTimersByTimeAsync(1500);
    expect(server!.peek('a')).toBe(null);
  });

  it('timestamp-lock: the second DEL takes the key that the first one led to', async () => {
    const [server] = fakeServers(1);
    server!.put('a', `${Date.now() - 1} somebody`);
    const lock = await connect('timestamp-lock', [server!]);
    const first = underWay(lock.acquire('a', { ttlMs: TTL }));
    const second = underWay((await connect('timestamp-lock', [server!])).acquire('a', { ttlMs: TTL }));
    // SETNX and GET of both are through; the second one's DEL is late.
    await vi.advanceTimersByTimeAsync(3);
    server!.delaysMs.push(0, 50);
    expect((await settled(first)).value!.isHeld!()).toBe(true);
    expect((await settled(second)).value!.isHeld!()).toBe(true);
  });

  it('no-validity-check: returns what has ended', async () => {
    const servers = fakeServers(3);
    for (const server of servers) server.delaysMs.push(1093);
    const lock = await connect('no-validity-check', servers, { ...OPTIONS, serverTimeoutMs: 2000 });
    const grant = await resolved(lock.acquire('a', { ttlMs: 1100 }));
    expect(endMs(grant)).toBeLessThan(performance.now());
  });

  it('validity-from-reply: claims an end after that of its key', async () => {
    const [server] = fakeServers(1);
    server!.latencyMs = 20;
    const grant = await resolved(
      (await connect('validity-from-reply', [server!])).acquire('a', { ttlMs: TTL }),
    );
    expect(endMs(grant)).toBe(40 + TTL - 12);
  });

  it('validity-from-first-attempt: claims an end that a long wait has passed', async () => {
    const servers = fakeServers(3);
    const others = await connect('validity-from-first-attempt', servers);
    const theirs = await resolved(others.acquire('a', { ttlMs: TTL }));
    const lock = await connect('validity-from-first-attempt', servers, { ...OPTIONS, retryCount: 200 });
    const askedMs = performance.now();
    const waiting = lock.acquire('a', { ttlMs: TTL });
    await vi.advanceTimersByTimeAsync(600);
    await resolved(theirs.extend!(TTL));
    await vi.advanceTimersByTimeAsync(800);
    await resolved(theirs.release());
    const grant = await resolved(waiting);
    expect(endMs(grant)).toBe(askedMs + TTL - 12);
    expect(endMs(grant)).toBeLessThan(performance.now());
  });

  it('no-drift: claims the whole ttl', async () => {
    const grant = await resolved((await connect('no-drift', fakeServers(3))).acquire('a', { ttlMs: TTL }));
    expect(endMs(grant)).toBe(TTL);
  });

  it.each([2, 4])('half-quorum: a tie of %i has two winners', async (count) => {
    const servers = fakeServers(count);
    servers.forEach((server, index) => index % 2 === 0 && server.put('a', 'theirs'));
    const grant = await resolved((await connect('half-quorum', servers)).acquire('a', { ttlMs: TTL }));
    expect(grant.isHeld!()).toBe(true);
  });

  it('no-release-on-failure: leaves its keys behind', async () => {
    const servers = fakeServers(3);
    servers[0]!.put('a', 'theirs');
    servers[1]!.put('a', 'theirs');
    await rejected((await connect('no-release-on-failure', servers)).acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(900);
    expect(servers[2]!.peek('a')).not.toBe(null);
  });

  it('waits-for-all: never settles beside a silent server', async () => {
    const servers = fakeServers(3);
    servers[0]!.fate = 'silent';
    const asking = (await connect('waits-for-all', servers)).acquire('a', { ttlMs: TTL });
    await expect(settled(asking, 5000)).rejects.toThrow('not settled');
  });

  it('wall-clock-validity: believes longer after the clock is set back', async () => {
    const grant = await resolved(
      (await connect('wall-clock-validity', fakeServers(3))).acquire('a', { ttlMs: TTL }),
    );
    expect(grant.validUntil!().clock).toBe('wall');
    vi.setSystemTime(Date.now() - 600);
    await vi.advanceTimersByTimeAsync(1200);
    expect(grant.isHeld!()).toBe(true);
    expect(grant.lost!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(400);
    expect(grant.lost!.aborted).toBe(true);
  });

  it('separate-incr: the later holder may have the lower token', async () => {
    const [server] = fakeServers(1);
    const lock = await connect('separate-incr', [server!]);
    server!.delaysMs.push(0, 1500);
    const first = underWay(lock.acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(TTL + 10);
    const second = await resolved(lock.acquire('a', { ttlMs: TTL }));
    expect(second.fence).toBe(1);
    expect((await settled(first)).value!.fence).toBe(2);
  });

  it('semaphore-client-clock: a clock that is ahead takes away what still runs', async () => {
    const [server] = fakeServers(1);
    const lock = await connect('semaphore-client-clock', [server!]);
    const first = await resolved(lock.acquire('a', { ttlMs: TTL }));
    vi.setSystemTime(Date.now() + TTL + 1);
    const second = await resolved(lock.acquire('a', { ttlMs: TTL }));
    expect(first.isHeld!()).toBe(true);
    expect([...server!.members('a').keys()]).toEqual([second.value]);
    await resolved(second.release());
    await rejected(first.release());
  });

  it('reentrant-count: enters again after its key has gone', async () => {
    const [server] = fakeServers(1);
    const lock = await connect('reentrant-count', [server!]);
    const outer = await resolved(lock.acquire('a', { ttlMs: TTL }));
    await vi.advanceTimersByTimeAsync(TTL + 10);
    const theirs = await resolved((await connect('reentrant-count', [server!])).acquire('a', { ttlMs: TTL }));
    const inner = await resolved(lock.acquire('a', { ttlMs: TTL }));
    expect(inner.validUntil!().ms).toBeLessThan(performance.now());
    await resolved(inner.release());
    expect(server!.peek('a')).toBe(theirs.value);
    await rejected(outer.release());
    await resolved(theirs.release());
    await resolved((await resolved(lock.acquire('a', { ttlMs: TTL }))).release());
  });
});
