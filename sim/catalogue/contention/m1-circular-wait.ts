import { sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { driftAllowanceMs, sectionMs } from '../timing.js';
import { grantMs, ONE_SERVER } from '../single/base.js';

/**
 * p1 takes a, works, and asks for b at 47; p2 takes b, works, and asks for a at the same instant. Each waits for the other until the leases
 * run out: at 988 both are told that theirs is lost, at 1005 the keys are gone and each gets what it asked for.
 */
export const M1: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'M1',
    lock: { ttlMs: 1000, options: { retryCount: 500, retryDelayMs: 20, retryJitterMs: 0 } },
    workload: { resources: ['a', 'b'], nested: true, workMs: 20 },
    overrides: { p2: { workload: { order: ['b', 'a'] } } },
    bounds: { ...ONE_SERVER.bounds, progressMs: 500 },
    expect: sound({
      'mutual-exclusion': 'holds',
      'exclusive-use': 'holds',
      'no-stale-write': 'holds',
      progress: 'violated/usage',
    }),
  },
  title: 'Two locks in opposite order',
  question: 'One client takes a and then b, another b and then a. Who goes first?',
  takeaway:
    'Nobody, until the leases run out; with renewal, nobody ever. Take several locks in one order, all of them or none.',
  source: 'Coffman, Elphick, Shoshani 1971, "System deadlocks": circular wait',
  boundaries: ['single', 'redlock'].map((lock) => ({
    lock,
    property: 'progress' as const,
    path: 'bounds.progressMs',
    closedForm: 'until T: patience < T − d − (asked − t0)',
    flipsAt: (scenario) =>
      scenario.lock.ttlMs - driftAllowanceMs(scenario) - (grantMs(scenario) + sectionMs(scenario)),
    violated: 'below' as const,
    verdict: 'violated/usage',
  })),
};
