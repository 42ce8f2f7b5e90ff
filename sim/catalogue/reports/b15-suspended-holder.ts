import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs } from '../timing.js';
import { REPORTED } from './base.js';

const PAUSED_AT_MS = 500;

/**
 * p1's key is set at 4.5 and would be renewed at 809; from 500 to 2500 p1 is suspended. The key is gone at 1005, p2 has the lock then. p1
 * claims no end, so it believes until it is told: with the answer to its first renewal after it wakes. The lease ended inside the pause:
 * blame lease. The reference lock claims an end, which is past when it wakes.
 */
export const B15: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B15',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 3000, steps: 0 },
    overrides: { p2: eagerRival(900, { workMs: 100 }) },
    faults: [{ atMs: PAUSED_AT_MS, do: 'pause', host: 'p1', forMs: 2000 }],
    expect: expecting(
      each(['redis-semaphore@5.8.0'], {
        'mutual-exclusion': 'violated/lease',
        'loss-signalled': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        quiet: 'holds',
      }),
      each(['single', 'redlock'], {
        'mutual-exclusion': 'holds',
        'loss-signalled': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        quiet: 'holds',
      }),
    ),
  },
  title: 'A holder that was suspended',
  question:
    'A laptop is closed over a held lock, for longer than its ttl. What does the holder know when it wakes?',
  takeaway:
    'Nothing, until its next renewal comes back. A lock that claims no end leaves it in the belief that it holds; no lease can do more than tell it soon.',
  source: 'swarthy/redis-semaphore #24, #9',
  report: 'swarthy/redis-semaphore#24',
  boundaries: [
    {
      lock: 'redis-semaphore@5.8.0',
      property: 'mutual-exclusion',
      path: 'faults.0.forMs',
      closedForm: 'P > T − a − 3 δ, a = age of the key when the pause begins',
      // The renewal that is due when p1 wakes takes three ways: the server must be told the script. On the first of them the lease
      // runs out under a holder that is awake and believes: the pause as such ends it only 3 δ later.
      flipsAt: (scenario) =>
        scenario.lock.ttlMs -
        (PAUSED_AT_MS - oneWayMs(scenario, 'p1', 'redis-1')) -
        1.5 * roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
  ],
};
