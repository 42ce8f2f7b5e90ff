import { each, expecting } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { broken } from '../redlock/verdicts.js';
import { fixedMs } from '../timing.js';
import { ON_THE_WIRE, ONCE } from './wire.js';

/**
 * One permit. p1's clock shows 101 when it asks, and that is the score of its permit. p2, whose clock is 2500 ahead, asks at 300 and first
 * throws out all scores up to 2800 − T: p1's, 199 ms old, and gets the permit. It writes at 400, and p1 after it. p1's refresh would come at
 * 910; it is done at 719. A
 * semaphore that goes by the server's clock refuses p2.
 */
export const L02: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L02',
    lock: { name: 'redis-semaphore@5.8.0/semaphore' },
    clocks: { p2: { offsetMs: 2500 } },
    workload: { ...ON_THE_WIRE.workload, workMs: 600 },
    overrides: {
      p2: { network: { latencyMs: 0 }, workload: { startMs: 300, workMs: 100 }, lock: ONCE },
    },
    expect: expecting(
      each(['redis-semaphore@5.8.0/semaphore', 'redis-semaphore@5.8.0/redlock-semaphore'], {
        ...broken('library'),
        // With one permit the set is its holder's key: what p2 drops was alive.
        'own-key-only': 'violated/library',
      }),
      each(['semaphore'], { 'mutual-exclusion': 'holds', quiet: 'holds' }),
    ),
  },
  title: 'Permits by the clocks of clients',
  question: 'A client whose clock is 2.5 s ahead asks for the only permit. What becomes of its holder?',
  takeaway:
    'It is thrown out: redis-semaphore scores permits by Date.now() of whoever takes them, and drops what is old by Date.now() of whoever asks. Only the server’s clock is the same for both.',
  source: 'derived from the source of redis-semaphore 5.8.0',
  boundaries: [
    { property: 'mutual-exclusion' as const },
    // Two permits, and p3 takes the second beside p1: p2 is one too many.
    { property: 'permits' as const, set: { 'lock.permits': 2, 'processes.count': 3 } },
  ].map((of) => ({
    ...of,
    lock: 'redis-semaphore@5.8.0/semaphore',
    path: 'clocks.p2.offsetMs',
    closedForm: 'skew ≥ T − age of the permit',
    flipsAt: ({ lock, workload, overrides }) =>
      lock.ttlMs - (fixedMs(overrides['p2']!.workload!.startMs!) - fixedMs(workload.startMs)),
    verdict: 'violated/library',
  })),
  controls: [
    {
      lock: 'semaphore',
      properties: ['mutual-exclusion'],
      path: 'clocks.p2.offsetMs',
      values: [-2500, 0, 802, 60_000],
    },
  ],
};
