import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/**
 * One of three servers is down and its client keeps trying to connect. Two votes are a majority: the lock is granted by then, 9 ms after the
 * asking or 18 where the scripts have to be loaded first, and p2, who asks while p1 holds, gets it with an attempt of its own.
 */
export const B22: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B22',
    servers: { count: 3 },
    workload: { startMs: 50, workMs: 100, steps: 0 },
    overrides: { p2: { workload: { startMs: 100 } } },
    faults: [{ atMs: 0, do: 'crash', host: 'redis-3' }],
    expect: expecting(
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'redlock'], {
        ...UNHARMED,
        'mutual-exclusion': 'holds',
      }),
      each(['redlock@5.0.0-beta.2'], { observe: { p1: { granted: 1, waitedMs: 18 }, p2: { granted: 1 } } }),
      each(['@sesamecare-oss/redlock@1.4.0', 'redlock'], {
        observe: { p1: { granted: 1, waitedMs: 9 }, p2: { granted: 1 } },
      }),
      each(['redlock'], { 'loss-signalled': 'holds' }),
    ),
  },
  title: 'One of three hosts is down',
  question: 'One of three independent servers is shut down. Can the lock still be taken?',
  takeaway:
    'Yes, and without delay: the errors that the reporter saw are those of the client that keeps trying to connect, not the lock’s.',
  source: 'mike-marcacci/node-redlock #262',
  report: 'mike-marcacci/node-redlock#262',
  boundaries: [],
};
