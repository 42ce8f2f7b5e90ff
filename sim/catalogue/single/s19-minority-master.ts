import { boundaries, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { EAGER } from '../rival.js';
import { ONE_SERVER } from './base.js';

const CUT_MS = 500;
const NODE_TIMEOUT_MS = 1000;

/** A master in the minority goes on for a node timeout at least, and no longer than this after the cut (docs/cluster.md). */
const LATEST_END_MS = 1.5 * NODE_TIMEOUT_MS + 200;

/**
 * The key's slot is on the third of three masters. At 500 it is cut from all others, with p1 and p3. p3 holds the lock until 600, and then p1
 * has it, on the master in the minority, until 10,600. The others have found the master failed by 2.2 s and elected its replica by 3.4 s; it
 * has p3's key until 4000 and never heard of p1's. p2 asks at 4500 and holds beside p1.
 */
export const S19: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S19',
    lock: { ttlMs: 10_000 },
    servers: { count: 3, replicas: 1, replicationMs: 1, cluster: { nodeTimeoutMs: NODE_TIMEOUT_MS } },
    processes: { count: 3 },
    network: { ...ONE_SERVER.network, links: { 'p1->redis-3': 0, 'redis-3->p1': 0 } },
    workload: { workMs: 9000 },
    overrides: {
      p1: { workload: { startMs: 50 }, lock: EAGER },
      p2: { network: { latencyMs: 1 }, workload: { startMs: 4500, workMs: 500 }, lock: EAGER },
      p3: { network: { latencyMs: 0 }, workload: { workMs: 599.5, steps: 0 }, lock: { ttlMs: 4000 } },
    },
    faults: [
      {
        atMs: CUT_MS,
        do: 'partition',
        from: ['p1', 'p3', 'redis-3'],
        to: ['p2', 'redis-1', 'redis-2', 'redis-1-replica-1', 'redis-2-replica-1', 'redis-3-replica-1'],
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
  title: 'A master in the minority of its cluster',
  question: 'A Redis Cluster has elected a new master for the slot. What does the old one do meanwhile?',
  takeaway:
    'It grants locks for a node timeout more, and they are lost when it is back. A cluster replicates asynchronously, as any failover does: it loses acknowledged writes.',
  source: 'Redis Cluster specification, "Write safety"',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'overrides.p3.workload.workMs',
    closedForm: 'set within the node timeout (up to 1.5 T + 200 ms) of the cut',
    flipsAt: () => CUT_MS + (NODE_TIMEOUT_MS + LATEST_END_MS) / 2,
    // p1 asks on the next whole millisecond.
    step: (LATEST_END_MS - NODE_TIMEOUT_MS) / 2 + 1.5,
    violated: 'below',
    verdict: 'violated/infrastructure',
  }),
};
