import { boundaries, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { EAGER } from '../rival.js';
import { ONE_SERVER } from './base.js';

/** Replicas acknowledge at each whole second of their clocks; the partition comes at 1500. */
const LAST_ACKNOWLEDGED_S = 1;

/**
 * At 1500 the master, p1 and p3 are cut from all others. p3 holds the lock until 2000, and then p1 has it, on the old master, until 12,000.
 * The Sentinels have lost the master at 2500, agree, and promote a replica at about 3.4 s. It has p3's key until 6000 and never heard of p1's:
 * p2 has the lock at 6001, beside p1. The old master misses its replicas: their last acknowledgement is from 1 s, so that from 5 s on
 * it refuses writes.
 */
export const S18: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S18',
    lock: { ttlMs: 10_000 },
    servers: {
      count: 1,
      replicas: 2,
      replicationMs: 1,
      minReplicasToWrite: 1,
      minReplicasMaxLagS: 3,
      sentinels: { count: 3, quorum: 2, downAfterMs: 1000, failoverTimeoutMs: 10_000 },
    },
    processes: { count: 3 },
    network: { ...ONE_SERVER.network, links: { 'p1->redis-1': 0, 'redis-1->p1': 0 } },
    workload: { workMs: 9000 },
    overrides: {
      p1: { workload: { startMs: 1 }, lock: EAGER },
      p2: { network: { latencyMs: 1 }, workload: { startMs: 5500, workMs: 500 }, lock: EAGER },
      p3: { network: { latencyMs: 0 }, workload: { workMs: 1999.5, steps: 0 }, lock: { ttlMs: 6000 } },
    },
    faults: [
      {
        atMs: 1500,
        do: 'partition',
        from: ['p1', 'p3', 'redis-1'],
        to: ['p2', 'redis-1-replica-1', 'redis-1-replica-2', 'sentinel-1', 'sentinel-2', 'sentinel-3'],
        forMs: 15_000,
      },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'violated/infrastructure',
        'exclusive-use': 'violated/infrastructure',
        'no-stale-write': 'violated/infrastructure',
        // p3's key came back with the new master, after its release on the old one.
        'no-orphan': 'violated/infrastructure',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'violated/infrastructure' }),
    ),
  },
  title: 'A client beside an isolated master',
  question: 'Sentinel has promoted a replica. Does the old master know, and those who are cut off with it?',
  takeaway:
    'No: both masters grant the lock. min-replicas-to-write with min-replicas-max-lag makes the old one refuse after a while; until then a lock there is a lock of its own.',
  source:
    'Redis documentation, "High availability with Redis Sentinel", example 2, on lost writes during partitions',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'overrides.p3.workload.workMs',
    closedForm: 'set before last acknowledgement + max-lag + 1 s (whole seconds)',
    // p1 asks on the next whole millisecond.
    flipsAt: ({ servers }) => (LAST_ACKNOWLEDGED_S + servers.minReplicasMaxLagS + 1) * 1000 - 0.5,
    violated: 'below',
    verdict: 'violated/infrastructure',
  }),
};
