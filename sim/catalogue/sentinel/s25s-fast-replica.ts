import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs } from '../timing.js';
import { applyMs, ONE_SERVER } from '../single/base.js';
import { SENTINELS, TTL_MS } from './base.js';

/**
 * S25 with Sentinels. The replica has p1's key (deadline 10,004.5 by the master's clock) and a wall clock that is 8 s ahead. The master dies at
 * 104.5; promoted within three seconds, the replica drops the key, whose time it takes to be over, and p2 holds beside p1, which works until 9027.
 */
export const S25S: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S25S',
    lock: { ttlMs: TTL_MS },
    servers: { count: 1, replicas: 1, replicationMs: 1, sentinels: SENTINELS },
    clocks: { 'redis-1-replica-1': { offsetMs: 8000 } },
    workload: { workMs: 9000 },
    overrides: { p2: eagerRival(4000, { workMs: 100 }) },
    faults: [{ on: { event: 'voted', process: 'p1', afterMs: 100 }, do: 'crash', host: 'redis-1' }],
    expect: sound({
      'mutual-exclusion': 'violated/infrastructure',
      'exclusive-use': 'violated/infrastructure',
      'no-stale-write': 'violated/infrastructure',
    }),
  },
  title: 'Sentinel promotes a replica with a fast clock',
  question: 'The replica has every key, and the Sentinels chose it for that. What does its clock do to them?',
  takeaway:
    'Sentinel looks at offsets, not at clocks. Keep the clocks of all that may become the master together, by slewing, or a failover ends leases early.',
  source: 'derived; Redis EXPIRE page, on clocks',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'clocks.redis-1-replica-1.offsetMs',
    // p2 asks on half milliseconds, when the replica's clock shows whole ones.
    set: { 'workload.workMs': 15_000, 'overrides.p2.workload.startMs': 6000.5 },
    closedForm: 'J > d + (s − t0), where C is long: the key dies J early',
    flipsAt: (scenario) => driftAllowanceMs(scenario) + applyMs(scenario),
    verdict: 'violated/infrastructure',
  }),
};
