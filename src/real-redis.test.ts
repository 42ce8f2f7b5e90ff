/** The locks on real Redis servers, with the clients that people use. Skipped by name where there is no redis-server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LockDefinition } from './contract.js';
import { createLock, withLock, type LockOptions, type RedisClient } from './index.js';
import { LOCKS, type LockEntry } from './registry.js';
import redlock from './locks/redlock.js';
import redlockFenced from './locks/redlock-fenced.js';
import semaphore from './locks/semaphore.js';
import single from './locks/single.js';
import singleFenced from './locks/single-fenced.js';
import { startRedis, whyNoRedis, type RealRedis } from './testing/real-redis.js';

const missing = whyNoRedis();
const TTL = 2000;
const REFERENCES = [single, redlock, singleFenced, redlockFenced];

async function load(entry: LockEntry): Promise<LockDefinition> {
  const file = entry.entry.replace(/^.*\/|\.ts$/g, '');
  const module: unknown = await import(`./pitfalls/${file}.ts`);
  return (module as { default: LockDefinition }).default;
}

interface Clients {
  readonly kind: string;
  connect(url: string): Promise<{ client: RedisClient; close(): unknown }>;
}

const CLIENTS: Clients[] = [
  {
    kind: 'ioredis',
    async connect(url) {
      const client = new Redis(url, { lazyConnect: true });
      await client.connect();
      return { client, close: () => client.disconnect() };
    },
  },
  {
    kind: 'node-redis',
    async connect(url) {
      const client = createClient({ url });
      client.on('error', () => {});
      await client.connect();
      return { client, close: () => client.destroy() };
    },
  },
];

describe.skipIf(missing !== undefined)(
  `real Redis${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let servers: RealRedis[] = [];
    let probes: Redis[] = [];
    beforeAll(async () => {
      servers = await Promise.all([startRedis(), startRedis(), startRedis()]);
      probes = servers.map(({ url }) => new Redis(url));
    });
    afterEach(async () => {
      await Promise.all(probes.map((probe) => probe.flushall()));
    });
    afterAll(async () => {
      for (const probe of probes) probe.disconnect();
      await Promise.all(servers.map((server) => server.stop()));
    });

    const keys = async (): Promise<number> => {
      const found = await Promise.all(probes.map((probe) => probe.exists('a')));
      return found.reduce((sum, each) => sum + each, 0);
    };

    describe.each(CLIENTS)('$kind', ({ connect }) => {
      let open: { client: RedisClient; close(): unknown }[] = [];
      beforeAll(async () => {
        open = await Promise.all(servers.map(({ url }) => connect(url)));
      });
      afterAll(() => {
        for (const { close } of open) close();
      });

      describe.each(REFERENCES)('$name', (definition) => {
        const wanted = definition.servers === 1 ? 1 : 3;
        const lock = (options: Partial<LockOptions> = {}) =>
          createLock(definition, {
            clients: open.slice(0, wanted).map(({ client }) => client),
            options: {
              retryDelayMs: 20,
              retryJitterMs: 10,
              retryCount: 0,
              serverTimeoutMs: 1000,
              ...options,
            },
          });

        it('acquires, keeps others out, releases', async () => {
          const grant = await lock().acquire('a', { ttlMs: TTL });
          expect(grant.isHeld?.()).toBe(true);
          expect(await probes[0]!.get('a')).toBe(grant.value);
          expect(await probes[0]!.pttl('a')).toBeGreaterThan(TTL / 2);
          await expect(lock().acquire('a', { ttlMs: TTL })).rejects.toMatchObject({ name: 'NotAcquired' });
          await grant.release();
          await expect.poll(keys).toBe(0);
        });

        it('hands on between contenders, one at a time', async () => {
          let inside = 0;
          let most = 0;
          const work = async (): Promise<void> => {
            most = Math.max(most, ++inside);
            await sleep(5);
            inside--;
          };
          const patient = lock({ retryCount: 500 });
          await Promise.all(Array.from({ length: 5 }, () => withLock(patient, 'a', { ttlMs: TTL }, work)));
          expect(most).toBe(1);
        });

        it('extends what is there and nothing else', async () => {
          const grant = await lock().acquire('a', { ttlMs: TTL });
          await grant.extend!(60_000);
          expect(await probes[0]!.pttl('a')).toBeGreaterThan(30_000);
          expect(grant.validUntil!().ms - performance.now()).toBeGreaterThan(50_000);
          await Promise.all(probes.map((probe) => probe.del('a')));
          await expect(grant.extend!(TTL)).rejects.toMatchObject({ name: 'LockLost' });
          expect(grant.lost!.aborted).toBe(true);
          expect(await keys()).toBe(0);
          await expect(grant.release()).rejects.toMatchObject({ name: 'LockLost' });
        });

        it('renews by itself until it is released', async () => {
          const grant = await lock({ watchdog: true }).acquire('a', { ttlMs: 300 });
          await sleep(900);
          expect(grant.lost!.aborted).toBe(false);
          await grant.release();
          await expect.poll(keys).toBe(0);
        });

        it('tells of the end of its lease', async () => {
          const grant = await lock().acquire('a', { ttlMs: 150 });
          await expect.poll(() => grant.lost!.aborted, { timeout: 1000, interval: 10 }).toBe(true);
          expect(grant.lost!.reason).toMatchObject({ name: 'LockLost' });
          await expect.poll(keys).toBe(0);
          await expect(grant.release()).rejects.toMatchObject({ name: 'LockLost' });
        });

        it('leaves nothing behind when it is withdrawn', async () => {
          const holder = await lock().acquire('a', { ttlMs: TTL });
          const controller = new AbortController();
          const asking = lock({ retryCount: 1000 }).acquire('a', { ttlMs: TTL, signal: controller.signal });
          setTimeout(() => controller.abort(), 70);
          await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
          await holder.release();
          await expect.poll(keys).toBe(0);
        });

        it('is given up at the end of a block', async () => {
          {
            await using grant = await lock().acquire('a', { ttlMs: TTL });
            expect(grant.isHeld?.()).toBe(true);
          }
          await expect.poll(keys).toBe(0);
        });

        it.runIf(definition.name.endsWith('fenced'))(
          'draws rising tokens, also after its scripts are forgotten',
          async () => {
            let last = 0;
            for (let round = 0; round < 4; round++) {
              if (round === 2) await Promise.all(probes.map((probe) => probe.script('FLUSH')));
              const grant = await lock({ retryCount: 20 }).acquire('a', { ttlMs: TTL });
              expect(grant.fence).toBeGreaterThan(last);
              last = grant.fence!;
              await grant.release();
            }
          },
        );
      });
    });

    it('a semaphore gives out its permits, takes back what runs out, and renews nothing else', async () => {
      const client = new Redis(servers[0]!.url);
      try {
        const lock = createLock(semaphore, { clients: [client], options: { retryCount: 0 }, permits: 2 });
        const first = await lock.acquire('a', { ttlMs: TTL });
        const second = await lock.acquire('a', { ttlMs: 100 });
        await expect(lock.acquire('a', { ttlMs: TTL })).rejects.toMatchObject({ name: 'NotAcquired' });
        await first.extend!(60_000);
        expect(await probes[0]!.pttl('a')).toBeGreaterThan(30_000);
        await sleep(150);
        const third = await lock.acquire('a', { ttlMs: TTL });
        expect(await probes[0]!.zrange('a', 0, -1)).toEqual([third.value, first.value]);
        expect(await probes[0]!.pttl('a')).toBeGreaterThan(30_000);
        await expect(second.extend!(TTL)).rejects.toMatchObject({ name: 'LockLost' });
        await third.release();
        await first.release();
        expect(await keys()).toBe(0);
      } finally {
        client.disconnect();
      }
    });

    it('redlock holds with one of three servers gone', async () => {
      const extra = await startRedis();
      const clients = [new Redis(servers[0]!.url), new Redis(servers[1]!.url), new Redis(extra.url)];
      clients[2]!.on('error', () => {});
      try {
        const lock = createLock(redlock, { clients, options: { retryCount: 20 } });
        await (await lock.acquire('a', { ttlMs: TTL })).release();
        await extra.stop();
        await (await lock.acquire('a', { ttlMs: TTL })).release();
      } finally {
        for (const client of clients) client.disconnect();
        await extra.stop();
      }
    });

    it.each(LOCKS.filter(({ kind }) => kind === 'pitfall'))('$name acquires and releases', async (entry) => {
      const definition = await load(entry);
      expect(definition).toMatchObject({ name: entry.name, servers: entry.servers });
      const holder = (): Promise<unknown> =>
        entry.semaphore === true
          ? probes[0]!.zrange('a', 0, -1).then(([member]) => member)
          : probes[0]!.get('a');
      const clients = servers.slice(0, entry.servers === 1 ? 1 : 3).map(({ url }) => new Redis(url));
      try {
        const lock = createLock(definition, { clients, options: { retryCount: 0 } });
        const grant = await lock.acquire('a', { ttlMs: TTL });
        // The grant comes with a majority of the votes: this server's may not be among them yet.
        await expect.poll(holder).toBe(grant.value);
        // The same lock object may let its own holder in again.
        const other = createLock(definition, { clients, options: { retryCount: 0 } });
        await expect(other.acquire('a', { ttlMs: TTL })).rejects.toMatchObject({ name: 'NotAcquired' });
        await grant.release();
        await expect.poll(keys).toBe(0);
      } finally {
        for (const client of clients) client.disconnect();
      }
    });
  },
);
