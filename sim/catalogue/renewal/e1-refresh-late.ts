import { boundaries, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs, fixedMs } from '../timing.js';
import { grantMs, ONE_SERVER } from '../single/base.js';

/** The holder renews when this share of the ttl has passed since its grant. */
const RENEWED_AT = 0.5;

/**
 * p1 renews at 509 (applied 513.5, so the key is gone at 1514) and holds at 618, where its event loop is blocked between its check and
 * its write, until 2118. The renewal due at 1018 waits for the loop, too. p2 has the lock at 1514 and writes at 1614; p1's write
 * leaves as the block ends, before its loss callback can run: lease. Then p1 is told, and stops. Its claim ended at 1497: no overlap.
 */
export const E1: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E1',
    workload: {
      workMs: 3000,
      steps: 6,
      discipline: 'heeds',
      extend: { atFraction: RENEWED_AT, max: 10 },
    },
    overrides: { p2: eagerRival(1400, { workMs: 100, steps: 2 }) },
    faults: [{ on: { event: 'checked', process: 'p1', nth: 2 }, do: 'pause', forMs: 1500 }],
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'violated/lease',
        'no-stale-write': 'violated/lease',
      }),
    ),
  },
  title: 'The event loop is blocked, the refresh is late',
  question: 'The lock is renewed again and again. What if the program is too busy to renew it?',
  takeaway:
    'What blocks the renewal blocks the loss callback as well: between the two, the program works without a lock. Renewal does not make a lease safe against pauses.',
  source: 'redis-semaphore #9, #24',
  boundaries: boundaries(['single', 'redlock'], ['exclusive-use'], {
    path: 'faults.0.forMs',
    closedForm: 'block > T − a − δ, a = age of the last applied renewal',
    flipsAt: (scenario) => {
      const { workMs, steps } = scenario.workload;
      const blockedMs =
        grantMs(scenario) + roundTripMs(scenario, 'p1', 'storage') + fixedMs(workMs) / (steps - 1);
      const renewedMs =
        grantMs(scenario) + RENEWED_AT * scenario.lock.ttlMs + oneWayMs(scenario, 'p1', 'redis-1');
      return scenario.lock.ttlMs - (blockedMs - renewedMs) - oneWayMs(scenario, 'p1', 'storage');
    },
    verdict: 'violated/lease',
  }),
};
