import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/**
 * p1 holds for 4 s; p2 asks at 100 and says with the call that it wants no retry. Redlock 4 reads that zero as "not given" and takes its
 * default of ten: eleven attempts of a refusal and a clean-up, 18 ms each, one trip more for the clean-up's script, 200 ms between. beta.2
 * asks once and cleans up; the fork's scripts need one trip each.
 */
export const B25: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B25',
    lock: { ttlMs: 5000, options: { retryCount: 0, retryJitterMs: 0, retriesPerCall: true } },
    workload: { workMs: 4000, steps: 0 },
    overrides: { p2: { workload: { startMs: 100 } } },
    expect: expecting(
      each(['redlock@4.2.0', 'redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0'], UNHARMED),
      each(['redlock@4.2.0'], {
        observe: { p2: { granted: 0, commands: 23, waitedMs: 2207, error: 'NotAcquired' } },
      }),
      each(['redlock@5.0.0-beta.2'], {
        observe: { p2: { granted: 0, commands: 3, waitedMs: 27, error: 'NotAcquired' } },
      }),
      each(['@sesamecare-oss/redlock@1.4.0'], {
        observe: { p2: { granted: 0, commands: 2, waitedMs: 18, error: 'NotAcquired' } },
      }),
    ),
  },
  title: 'A zero that is taken for nothing',
  question: 'retryCount: 0, given with the call. How often does the library ask?',
  takeaway:
    'Eleven times, for two seconds: the zero is falsy, and the default of ten takes its place. Given to the constructor it counts.',
  source: 'mike-marcacci/node-redlock #6',
  report: 'mike-marcacci/node-redlock#6',
  boundaries: [],
};
