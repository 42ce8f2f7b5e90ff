/** The adapters on real Redis servers, with the clients that their libraries want. Skipped by name where there is no redis-server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { createClient as createClient4 } from 'redis-4';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LockDefinition } from '../contract.js';
import { LOCKS, type LockEntry } from '../registry.js';
import { startRedis, whyNoRedis, type RealRedis } from '../testing/real-redis.js';

const missing = whyNoRedis();
/**
 * simple-redis-mutex keeps a subscriber for the life of its module, which nobody can end: when the server goes, its reconnecting rejects
 * where nobody listens, sometimes after the test. It is tested on simulated servers with its real client (sim/adapters).
 */
const NEVER_ENDS = 'simple-redis-mutex';

/** Refused a lock, it rejects where nobody listens (B09): a test runner takes that for its own failure. */
const UNHEARD = 'redlock@4.2.0/legacy';

const ADAPTERS = LOCKS.filter(
  ({ kind, name, npm }) => kind === 'adapter' && npm?.package !== NEVER_ENDS && name !== UNHEARD,
);

/** Versions that are installed under another name; an adapter imports its package under the package's own. */
const ALIASES: Readonly<Record<string, string>> = {
  'redlock@5.0.0-beta.1': 'redlock-5-beta.1',
  'redlock@5.0.0-beta.2': 'redlock-5',
  'redis-semaphore@5.3.0': 'redis-semaphore-5.3.0',
  'redis-semaphore@5.3.1': 'redis-semaphore-5.3.1',
  'redis-semaphore@5.5.0': 'redis-semaphore-5.5.0',
  'redis-semaphore@5.5.1': 'redis-semaphore-5.5',
};

async function load({ entry, npm }: LockEntry): Promise<LockDefinition> {
  const alias = ALIASES[`${npm!.package}@${npm!.version}`];
  vi.resetModules();
  if (alias !== undefined) vi.doMock(npm!.package, () => import(alias));
  const file = entry.replace(/^.*\/|\.ts$/g, '');
  try {
    return ((await import(`./${file}.ts`)) as { default: LockDefinition }).default;
  } finally {
    vi.doUnmock(npm!.package);
  }
}

/** Libraries that know no end of asking. */
const WAITS: ReadonlySet<string> = new Set(['redis-lock@1.0.0']);

interface Opened {
  readonly client: unknown;
  close(): unknown;
}

async function open(url: string, { name, client: kind }: LockDefinition): Promise<Opened> {
  if (name === 'redis-lock@1.0.0') {
    // It looks for what only the clients of version 4 have.
    const client = createClient4({ url });
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.disconnect() };
  }
  if (kind !== 'node-redis') {
    const client = new Redis(url);
    return { client, close: () => client.disconnect() };
  }
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
}

describe.skipIf(missing !== undefined)(
  `adapters on real Redis${missing === undefined ? '' : ` (skipped: ${missing})`}`,
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

    /** What strings and sorted sets hold, on all servers. */
    async function stored(): Promise<string[]> {
      const found = await Promise.all(
        probes.map(async (probe) => {
          const held = (await probe.keys('*')).map(async (key) => {
            const type = await probe.type(key);
            if (type === 'zset') return probe.zrange(key, 0, -1);
            return type === 'string' ? [(await probe.get(key)) ?? ''] : [];
          });
          return (await Promise.all(held)).flat();
        }),
      );
      return found.flat();
    }

    it.each(ADAPTERS)('$name: one at a time', async (entry) => {
      const definition = await load(entry);
      expect(definition).toMatchObject({ name: entry.name, servers: entry.servers });
      const wanted = servers.slice(0, entry.servers === 1 ? 1 : 3);
      const opened = await Promise.all(wanted.map(({ url }) => open(url, definition)));
      const clients = opened.map(({ client }) => client);
      const connect = () => definition.connect({ clients, endpoints: [], options: { retryCount: 0 } });
      try {
        const grant = await connect().acquire('a', { ttlMs: 2000 });
        expect(await stored()).not.toEqual([]);
        if (grant.value !== undefined) await expect.poll(stored).toContain(grant.value);
        const asking = connect().acquire('a', { ttlMs: 2000 });
        const answer = asking.then(
          () => 'granted',
          (error: Error) => error.name,
        );
        const waits = WAITS.has(entry.name);
        expect(await Promise.race([answer, sleep(waits ? 200 : 1500, 'waits')])).toBe(
          waits ? 'waits' : 'NotAcquired',
        );
        await grant.release();
        const next = await (waits ? asking : connect().acquire('a', { ttlMs: 2000 }));
        await next.release();
      } finally {
        for (const { close } of opened) close();
      }
    });
  },
);
