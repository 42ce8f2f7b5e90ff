import { boundaries, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, fixedMs } from '../timing.js';
import { applyMs, ONE_SERVER } from './base.js';

/**
 * p1's key is set at 4.5 on the master; its copy would reach the replica at 54.5, but the master dies at 24.5. The replica takes over
 * at 124.5 without the key. p2, whose client is back at 174.5, holds beside p1, which works until 627; its write (622.5) comes after
 * p2's. The counter is lost with the key: the next token is p1's own again.
 */
export const S17: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S17',
    servers: { count: 1, replicas: 1, replicationMs: 50 },
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(15, { workMs: 100 }) },
    faults: [
      { on: { event: 'voted', process: 'p1', afterMs: 20 }, do: 'crash', host: 'redis-1' },
      { on: { event: 'voted', process: 'p1', afterMs: 120 }, do: 'promote', host: 'redis-1' },
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
  title: 'The master dies before it has replicated',
  question: 'The replica takes over within milliseconds. Has it heard of the lock?',
  takeaway:
    'Not if the master died first: replication is asynchronous, and an acknowledged SET can vanish at a failover. A replica makes the server available, not the lock safe.',
  source:
    'Redis documentation, "Distributed locks with Redis", why failover-based implementations are not enough',
  boundaries: [
    ...boundaries(['single', 'redlock'], ['mutual-exclusion'], {
      path: 'faults.0.on.afterMs',
      closedForm: 'crash − s < R',
      flipsAt: (scenario) => fixedMs(scenario.servers.replicationMs),
      violated: 'below',
      verdict: 'violated/infrastructure',
    }),
    ...boundaries(['single'], ['mutual-exclusion'], {
      path: 'faults.1.on.afterMs',
      // The master dies at 237.5, so that p2's client (back-off 50, 100, 150, ... ms) tries again at 987.5.
      set: { 'servers.replicationMs': 300, 'faults.0.on.afterMs': 233, 'workload.workMs': 1500 },
      closedForm: 'F < T − d − (crash − t0), F from the crash to the promotion',
      flipsAt: (scenario) => scenario.lock.ttlMs - driftAllowanceMs(scenario) - applyMs(scenario),
      violated: 'below',
      verdict: 'violated/infrastructure',
    }),
  ],
};
