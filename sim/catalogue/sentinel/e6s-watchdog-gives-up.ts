import type { CatalogueEntry } from '../entry.js';
import { EAGER, eagerRival } from '../rival.js';
import { SURVIVED_BY_REFERENCE } from '../renewal/e6-watchdog-gives-up.js';
import { roundTripMs } from '../timing.js';
import { ONE_SERVER } from '../single/base.js';
import { SENTINELS, TTL_MS } from './base.js';

/**
 * E6 with Sentinels. The master dies the instant p1 sends its first renewal, a third of the ttl after its grant; the replica has the key and is
 * promoted within three seconds. The reference renews every second until it succeeds, well before its lease ends. The watchdog that gives up
 * leaves the key to its first deadline: p2 has the lock at 10,005, and p1, whom nobody tells, works until 19,063.
 */
export const E6S: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E6S',
    lock: { ttlMs: TTL_MS, options: { watchdog: true } },
    servers: { count: 1, replicas: 1, replicationMs: 1, sentinels: SENTINELS },
    // How long a loss may go untold where no end is claimed.
    processes: { client: { commandTimeoutMs: 500 } },
    workload: { workMs: 19_000, steps: 6, discipline: 'heeds' },
    overrides: {
      p2: {
        ...eagerRival(9500, { workMs: 100, steps: 2 }),
        lock: EAGER,
      },
    },
    faults: [{ on: { event: 'refreshing', process: 'p1' }, do: 'crash', host: 'redis-1' }],
    expect: SURVIVED_BY_REFERENCE,
  },
  title: 'A failover under a renewal',
  question: 'The client is led to the new master, which has the key. Is the lock renewed there?',
  takeaway:
    'Only if the renewal is tried again. A client that reconnects does not repeat what was lost in between; that is the lock’s to do.',
  source:
    'redisson #775; Redis documentation, "Guidelines for Redis clients with support for Redis Sentinel"',
  boundaries: [
    {
      lock: 'pitfall/watchdog-gives-up',
      property: 'mutual-exclusion',
      path: 'faults.0.on.afterMs',
      closedForm: "crash before the renewal's reply: δq + δr",
      flipsAt: (scenario) => roundTripMs(scenario, 'p1', 'redis-1'),
      violated: 'below',
      verdict: 'violated/library',
    },
  ],
};
