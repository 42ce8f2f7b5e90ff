import { each, expecting, FENCED_LOCKS, KEEPS_ITS_WORD, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { roundTripMs } from '../timing.js';
import { ONE_SERVER } from '../single/base.js';

/** A failover under a renewal: the reference tries again, the watchdog that gives up does not. */
export const SURVIVED_BY_REFERENCE = expecting(
  each(REFERENCE_LOCKS, {
    ...KEEPS_ITS_WORD,
    'mutual-exclusion': 'holds',
    'exclusive-use': 'holds',
    'no-stale-write': 'holds',
    'loss-signalled': 'holds',
  }),
  each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
  each(['pitfall/watchdog-gives-up'], {
    ...KEEPS_ITS_WORD,
    'mutual-exclusion': 'violated/library',
    'exclusive-use': 'violated/library',
    'no-stale-write': 'violated/library',
    'loss-signalled': 'violated/library',
  }),
);

/**
 * The master dies the instant p1 sends its first renewal, a third of the ttl after its grant, and the replica, which has the key, takes over
 * 60 ms later. The reference renews again a tenth of the ttl later, and all is well. The watchdog that gives up leaves the key to its
 * first deadline: p2 has the lock at 1005, and p1, whom nobody tells, works until 1963.
 */
export const E6: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E6',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    servers: { count: 1, replicas: 1, replicationMs: 1 },
    // How long a loss may go untold where no end is claimed.
    processes: { client: { commandTimeoutMs: 100 } },
    workload: { workMs: 1900, steps: 6, discipline: 'heeds' },
    overrides: { p2: eagerRival(1000, { workMs: 100, steps: 2 }) },
    faults: [
      { on: { event: 'refreshing', process: 'p1' }, do: 'crash', host: 'redis-1' },
      { on: { event: 'refreshing', process: 'p1', afterMs: 60 }, do: 'promote', host: 'redis-1' },
    ],
    expect: SURVIVED_BY_REFERENCE,
  },
  title: 'The watchdog stops after one failed renewal',
  question: 'A failover breaks the connection under one renewal. The key survives it. Does the lock?',
  takeaway:
    'A renewal that failed says nothing about the lock: try again while the lease lasts, and tell the holder when it does not.',
  source: 'redisson #775',
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
