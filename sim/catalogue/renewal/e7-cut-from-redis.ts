import { controls, each, expecting, FENCED_LOCKS, KEEPS_ITS_WORD, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs } from '../timing.js';
import type { Scenario } from '../../scenario/schema.js';
import { grantMs, ONE_SERVER } from '../single/base.js';

/** How long after p1's grant the link to the server is cut. */
const CUT_AFTER_MS = 700;

/** s of the last renewal before the cut: the watchdog renews when a third of the ttl has passed since the last one was sent. */
function lastRenewalMs(scenario: Scenario): number {
  const periodMs = Math.floor(scenario.lock.ttlMs / 3 - roundTripMs(scenario, 'p1', 'redis-1'));
  const everyMs = periodMs + roundTripMs(scenario, 'p1', 'redis-1');
  const cutMs = grantMs(scenario) + CUT_AFTER_MS;
  const count = Math.floor((cutMs - oneWayMs(scenario, 'p1', 'redis-1')) / everyMs);
  return count * everyMs + oneWayMs(scenario, 'p1', 'redis-1');
}

/**
 * The watchdog renews at 333 and 666 (applied 670.5; the key is gone at 1671). At 709 the link between p1 and the server is cut for 1.5 s;
 * p1 still reaches the storage. The renewal of 999 stays on the way; at 1654 the claim ends and p1 is told. It heeds: its use
 * at 1536 was the last. p2 has the lock at 1671. A holder that does not heed uses the storage again at 2045: usage.
 */
export const E7: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E7',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 2000, steps: 5, discipline: 'heeds' },
    overrides: { p2: eagerRival(1300, { workMs: 500, steps: 2 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: CUT_AFTER_MS },
        do: 'partition',
        from: 'p1',
        to: 'redis-1',
        forMs: 1500,
      },
    ],
    expect: expecting(
      each(REFERENCE_LOCKS, {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
    ),
  },
  title: 'The holder is cut from Redis only',
  question: 'The holder can still reach the storage, but no longer the lock server. Who notices first?',
  takeaway:
    'A lock that counts on its own clock tells its holder in time, without a word from the server; a holder that stops when told stays safe. One that waits for an answer is told too late.',
  source: 'redisson #3636',
  boundaries: [
    {
      lock: 'single',
      property: 'exclusive-use',
      path: 'faults.0.forMs',
      set: { 'workload.discipline': 'naive' },
      closedForm: 'outage > T − a − δq, a = age of the last applied renewal',
      flipsAt: (scenario) => {
        const ageMs = grantMs(scenario) + CUT_AFTER_MS - lastRenewalMs(scenario);
        return scenario.lock.ttlMs - ageMs - oneWayMs(scenario, 'p1', 'redis-1');
      },
      verdict: 'violated/usage',
    },
  ],
  controls: controls(REFERENCE_LOCKS, {
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'loss-signalled'],
    path: 'faults.0.forMs',
    values: [10, 200, 900, 956, 958, 1300, 3000],
  }),
};
