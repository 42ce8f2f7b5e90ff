import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED, waitedInVainMs } from './base.js';

/** When p2 asks. */
const ASKS_AT_MS = 100;

/**
 * p1 has the lock for 1.5 s, renewed by the library. p2 asks at 100 and gets it at about 1550, with a key that lives to 2550. Counted
 * from its first attempt the lock was over at 1088: the library means to renew at once, finds it too late, and tells its holder
 * of a loss within a millisecond. No key was lost, no renewal was sent.
 */
export const B01: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B01',
    lock: {
      ttlMs: 1000,
      options: { retryCount: 50, retryDelayMs: 100, retryJitterMs: 0, watchdog: true },
    },
    workload: { workMs: 1500, steps: 0 },
    overrides: { p2: { workload: { startMs: ASKS_AT_MS, workMs: 300 } } },
    // p2 waits for longer than a ttl, behind a holder that renews.
    bounds: { progressMs: 3000 },
    expect: expecting(
      each(['redlock@5.0.0-beta.2/using', '@sesamecare-oss/redlock@1.4.0/using', 'redlock'], {
        ...UNHARMED,
        'mutual-exclusion': 'holds',
        'loss-signalled': 'holds',
      }),
      each(['redlock@5.0.0-beta.2/using'], { 'loss-signalled': 'violated/library' }),
    ),
  },
  title: 'A lock that had to be waited for is lost at once',
  question: 'A routine waits 1.5 s for a lock of 1 s. Why is it told that it lost it as soon as it begins?',
  takeaway:
    'The library counted the lease from its first attempt, so a lock that was waited for is over before it begins. The fork counts from the attempt that succeeded.',
  source: 'mike-marcacci/node-redlock #169',
  report: 'mike-marcacci/node-redlock#169',
  boundaries: [
    {
      lock: 'redlock@5.0.0-beta.2/using',
      property: 'loss-signalled',
      path: 'workload.workMs',
      closedForm: 'wait until the grant > T − d',
      flipsAt: (scenario) => waitedInVainMs(scenario, ASKS_AT_MS),
      verdict: 'violated/library',
    },
  ],
};
