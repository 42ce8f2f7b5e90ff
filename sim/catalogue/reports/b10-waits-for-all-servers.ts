import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/**
 * redis-3 does not answer and its connection stays up; ioredis has no time-out of its own. Redlock 4 waits for the third answer before it
 * counts the two it has: neither acquire ever settles, nor does the clean-up; the keys of the first one are left to their ttl. Redlock 5
 * decides as soon as two servers agree.
 */
export const B10: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B10',
    servers: { count: 3 },
    workload: { startMs: 10, workMs: 20, steps: 0 },
    faults: [{ atMs: 0, do: 'partition', from: ['p1', 'p2'], to: 'redis-3' }],
    limits: { virtualMs: 30_000 },
    bounds: { orphanMs: 100, progressMs: 3000, settleMs: 20_000 },
    expect: expecting(
      each(['redlock@4.2.0'], {
        settles: 'violated/library',
        progress: 'violated/library',
        'no-orphan': 'violated/library',
        'mutual-exclusion': 'unknown',
      }),
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'redlock'], {
        ...UNHARMED,
        'mutual-exclusion': 'holds',
      }),
      each(['redlock'], { 'loss-signalled': 'holds' }),
    ),
  },
  title: 'One silent server stops the library',
  question: 'Two of three servers answer. Can the lock be taken?',
  takeaway:
    'Not with a library that counts the votes only when all of them are in, over a client that waits for ever. Give the client a commandTimeout, or decide with the majority.',
  source: 'mike-marcacci/node-redlock #44, #58',
  report: 'mike-marcacci/node-redlock#44',
  boundaries: [],
};
