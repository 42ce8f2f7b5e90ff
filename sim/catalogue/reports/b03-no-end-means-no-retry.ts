import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

const WAITS = { ...UNHARMED, observe: { p2: { granted: 1, waitedMs: [400, 700], error: null } } } as const;

/**
 * p1 has the key from 18 to 531. p2 asks at 100, with retries without end. beta.1 adds one to the −1 and gets no attempt to spare: asked
 * once (9), given up, cleaned up (18), rejected. The others ask every 209 ms or so until p1 is done.
 */
export const B03: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B03',
    lock: { ttlMs: 1000, options: { retryCount: -1, retryJitterMs: 0 } },
    workload: { workMs: 500, steps: 0 },
    overrides: { p2: { workload: { startMs: 100 } } },
    expect: expecting(
      each(['redlock@5.0.0-beta.1'], {
        ...UNHARMED,
        observe: { p2: { granted: 0, waitedMs: 27, error: 'NotAcquired', errorCause: 'ExecutionError' } },
      }),
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'redlock@4.2.0', 'redlock'], WAITS),
    ),
  },
  title: 'Without end means not at all',
  question: 'retryCount: -1 is to mean "without end". How often is a held lock asked for?',
  takeaway:
    'Once, in 5.0.0-beta.1, which counted minus one plus one attempts. beta.2 knows the number again, as version 4 does.',
  source: 'mike-marcacci/node-redlock #149',
  report: 'mike-marcacci/node-redlock#149',
  boundaries: [],
};
