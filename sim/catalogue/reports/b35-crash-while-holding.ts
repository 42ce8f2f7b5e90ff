import type { CatalogueEntry } from '../entry.js';
import { controls, each, expecting } from '../expectations.js';
import { eagerRival } from '../rival.js';
import { REPORTED } from './base.js';

const RENEWING = ['redis-semaphore@5.8.0', 'single', 'redlock'] as const;

/**
 * p1's process ends in the middle of its section and its renewals with it: the key it leaves behind is gone a ttl after the last of them at the
 * latest. p2 asks every millisecond and has the lock then; the crash may come at any time.
 */
export const B35: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B35',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 3000, steps: 0 },
    overrides: { p2: eagerRival(1200, { workMs: 50 }) },
    faults: [{ on: { event: 'granted', process: 'p1', afterMs: 1234 }, do: 'crash' }],
    bounds: { progressMs: 1300 },
    expect: expecting(
      each(RENEWING, {
        progress: 'holds',
        'mutual-exclusion': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        'loss-signalled': 'holds',
        quiet: 'holds',
        observe: { p2: { granted: 1 } },
      }),
    ),
  },
  title: 'The holder crashes',
  question: 'A process dies with a lock that it kept renewing. For how long is everybody else locked out?',
  takeaway: 'For a ttl after its last renewal at most. That is what the ttl is for.',
  source: 'swarthy/redis-semaphore #12',
  report: 'swarthy/redis-semaphore#12',
  boundaries: [],
  controls: controls(['redis-semaphore@5.8.0'], {
    properties: ['progress', 'mutual-exclusion', 'quiet'],
    path: 'faults.0.on.afterMs',
    values: [0, 795, 805, 2400],
  }),
};
