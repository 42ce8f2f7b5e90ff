import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED, waitedInVainMs } from './base.js';

/** When p2 asks. */
const ASKS_AT_MS = 100;

/**
 * p1 has the lock from 18 to 1668, under a ttl of its own. p2 asks at 100 and every 179 ms from then on: its tenth attempt, which
 * begins at 1711, succeeds at 1720. The library says the lock is good until 100 + 1000 − 12 = 1088: for −632 ms, as it was reported.
 */
export const B02: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B02',
    lock: { ttlMs: 1000, options: { retryCount: 50, retryDelayMs: 170, retryJitterMs: 0 } },
    workload: { workMs: 1650, steps: 0 },
    overrides: {
      p1: { lock: { ttlMs: 3000 } },
      p2: { workload: { startMs: ASKS_AT_MS, workMs: 300 } },
    },
    expect: expecting(
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'redlock@4.2.0', 'redlock'], {
        ...UNHARMED,
        'mutual-exclusion': 'holds',
      }),
      each(['redlock@5.0.0-beta.2'], {
        'honest-validity': 'violated/library',
        observe: { p2: { granted: 1, waitedMs: 1620 } },
      }),
      each(['redlock'], { 'loss-signalled': 'holds' }),
    ),
  },
  title: 'A lock that was over before it was granted',
  question: 'acquire() waits 1.6 s for a lock of 1 s. Until when is the lock good that it returns?',
  takeaway:
    'The library says: until 632 ms ago. It counts from its first attempt. Redlock 4 and the fork count from the attempt that succeeded.',
  source: 'mike-marcacci/node-redlock #296, #299',
  report: 'mike-marcacci/node-redlock#296',
  boundaries: [
    {
      lock: 'redlock@5.0.0-beta.2',
      property: 'honest-validity',
      path: 'workload.workMs',
      closedForm: 'wait until the grant > T − d',
      flipsAt: (scenario) => waitedInVainMs(scenario, ASKS_AT_MS),
      verdict: 'violated/library',
    },
  ],
};
