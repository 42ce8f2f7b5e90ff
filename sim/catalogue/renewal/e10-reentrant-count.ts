import { each, expecting, FENCED_LOCKS, KEEPS_ITS_WORD, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { applyMs, grantMs, ONE_SERVER } from '../single/base.js';

/**
 * p1 works until 1109 inside its lock, whose key is gone at 1005, and then enters again. p2 has the lock from 1005 on, until 1505. A lock
 * that counts entries in its own memory lets p1 in at once; one that asks the server makes it wait for p2.
 */
export const E10: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E10',
    lock: { ttlMs: 1000, options: { retryCount: 100, retryDelayMs: 20, retryJitterMs: 0 } },
    workload: { order: ['a', 'a'], nested: true, workMs: 1100, steps: 0 },
    overrides: { p2: eagerRival(900, { workMs: 500, order: ['a'], nested: false }) },
    expect: expecting(
      each(REFERENCE_LOCKS, { ...KEEPS_ITS_WORD, 'mutual-exclusion': 'holds', 'loss-signalled': 'holds' }),
      each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
      each(['pitfall/reentrant-count'], {
        'own-key-only': 'holds',
        'mutual-exclusion': 'violated/library',
        'quorum-backed': 'violated/library',
        'honest-validity': 'violated/library',
      }),
    ),
  },
  title: 'Entered again by a count',
  question: 'The holder takes its own lock a second time, and the lock only counts. Is it still the holder?',
  takeaway:
    'Not if the lease ran out in between: a count in memory outlives the key. Every entrance must ask what a first one asks.',
  source: 'the lock models that Hazelcast published for its FencedLock',
  boundaries: [
    {
      lock: 'pitfall/reentrant-count',
      property: 'mutual-exclusion',
      path: 'workload.workMs',
      closedForm: 'C > T − δr: entered again after the key is gone',
      flipsAt: (scenario) => applyMs(scenario) + scenario.lock.ttlMs - grantMs(scenario),
      verdict: 'violated/library',
    },
  ],
};
