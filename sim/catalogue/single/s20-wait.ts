import { boundaries, controls, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { ONE_SERVER } from './base.js';

/** How late the second replica hears of things; the first is 1 ms behind. */
const FAR_MS = 400;

/** The one that does not wait for replicas: the first one has to be copied anew, which takes it longer than a lease. */
const RIVAL = eagerRival(15, { workMs: 100 });

/**
 * p1 sets its key at 4.5 and waits for one replica: the first acknowledges. The master dies at 34.5, and the second replica, which
 * would have the key at 404.5, takes over at 124.5 without it. p2, whose client is back at 184.5, holds
 * beside p1, which works until 636. (The library knows no WAIT: its row is S17's.)
 */
export const S20: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S20',
    lock: { ttlMs: 1000, options: { waitReplicas: 1, waitMs: 100 } },
    servers: { count: 1, replicas: 2, replicationMs: 1 },
    network: { ...ONE_SERVER.network, links: { 'redis-1->redis-1-replica-2': FAR_MS } },
    workload: { workMs: 600 },
    overrides: { p2: { ...RIVAL, lock: { options: { ...RIVAL.lock?.options, waitReplicas: 0 } } } },
    faults: [
      { on: { event: 'voted', process: 'p1', afterMs: 30 }, do: 'crash', host: 'redis-1' },
      {
        on: { event: 'voted', process: 'p1', afterMs: 120 },
        do: 'promote',
        host: 'redis-1',
        replica: 'redis-1-replica-2',
      },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'violated/infrastructure',
        'exclusive-use': 'violated/infrastructure',
        'no-stale-write': 'violated/infrastructure',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'violated/infrastructure' }),
    ),
  },
  title: 'WAIT for one replica, and another is promoted',
  question: 'The lock counts only once a replica has it, too. What if a failover picks a different one?',
  takeaway:
    'WAIT makes a loss less likely, not impossible: only if every replica that may be promoted has the key is it safe, and then one slow replica stops all locking.',
  source: 'Redis WAIT page; redisson #2669',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'faults.0.on.afterMs',
    set: { 'faults.1.on.afterMs': 440, 'workload.workMs': 800 },
    closedForm: 'crash − s < R of the replica that is promoted',
    flipsAt: () => FAR_MS,
    violated: 'below',
    verdict: 'violated/infrastructure',
  }),
  controls: controls(['single', 'redlock'], {
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write'],
    path: 'lock.options.waitReplicas',
    set: { 'lock.options.waitMs': 500 },
    // Every replica that may be promoted.
    values: [2],
  }),
};
