import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/**
 * A key of 400 ms, a section of 500: at the release, 518, there is nothing to delete. Redlock 5 and the fork count that as a vote
 * against the release and try again ten times: 10 × 200 between, eleven trips, and one more for the script that the server does not know
 * yet: 2108 ms, then an error that speaks of a quorum. The fork's scripts are ioredis' own commands, which send their text on a connection's
 * first call: 2099. Redlock 4 rejects at once, and the reference lock by name.
 */
export const B05: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B05',
    lock: { ttlMs: 400, options: { retryJitterMs: 0 } },
    processes: { transport: 'wire', count: 1 },
    workload: { workMs: 500, steps: 0 },
    expect: expecting(
      each(['redlock@5.0.0-beta.2'], {
        ...UNHARMED,
        observe: { p1: { granted: 1, releaseMs: 2108, releaseError: 'ExecutionError' } },
      }),
      each(['@sesamecare-oss/redlock@1.4.0'], {
        ...UNHARMED,
        observe: { p1: { granted: 1, releaseMs: 2099, releaseError: 'ExecutionError' } },
      }),
      each(['redlock@4.2.0'], {
        ...UNHARMED,
        observe: { p1: { granted: 1, releaseMs: 18, releaseError: 'LockError' } },
      }),
      each(['redlock'], {
        ...UNHARMED,
        'loss-signalled': 'holds',
        observe: { p1: { granted: 1, releaseMs: 9, releaseError: 'LockLost' } },
      }),
    ),
  },
  title: 'Releasing what is already gone takes two seconds',
  question: 'The key expired before the release. How does the holder hear of it, and when?',
  takeaway:
    'A key that is gone is as good as released. Counted as a vote against, and then as contention, it costs all the retries and ends in an error that says nothing of it.',
  source: 'mike-marcacci/node-redlock #131, #65',
  report: 'mike-marcacci/node-redlock#131',
  boundaries: [],
};
