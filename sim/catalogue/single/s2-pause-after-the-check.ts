import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs } from '../timing.js';
import { applyMs, grantMs, ONE_SERVER } from './base.js';

/**
 * p1 reads at 9, is answered at 18, finds at 18 that it holds the lock, and is frozen between this check and the sending of its
 * write. The rest is S1's: key gone at 1005 inside the pause, belief over at 988, the write sent as the pause ends.
 */
export const S2: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S2',
    workload: { workMs: 0, discipline: 'checks' },
    overrides: { p2: eagerRival(900) },
    faults: [{ on: { event: 'checked', process: 'p1', nth: 2 }, do: 'pause', forMs: 1500 }],
    expect: sound({
      'mutual-exclusion': 'holds',
      'exclusive-use': 'violated/lease',
      'no-stale-write': 'violated/lease',
    }),
  },
  title: 'A pause between the check and the write',
  question: 'The holder looks at its clock right before it writes. Is that enough?',
  takeaway:
    'No: a pause can strike between the look and the write. A local check makes the window smaller, it never closes it.',
  source: 'Kleppmann 2016, "How to do distributed locking"',
  boundaries: boundaries(['single', 'redlock', 'redlock@4.2.0'], ['exclusive-use'], {
    path: 'faults.0.forMs',
    closedForm: 'P > remaining key life at the check − δw',
    flipsAt: (scenario) => {
      const checkMs = grantMs(scenario) + roundTripMs(scenario, 'p1', 'storage');
      const remainingMs = applyMs(scenario) + scenario.lock.ttlMs - checkMs;
      return remainingMs - oneWayMs(scenario, 'p1', 'storage');
    },
    verdict: 'violated/lease',
  }),
};
