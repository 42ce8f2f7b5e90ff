import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED } from './base.js';

/**
 * p1 holds; p2 is refused. Redlock's callback then returns the promise of its clean-up, which rejects, since there is nothing to clean up. In its
 * legacy mode redis@4 calls the callback from a promise, takes that rejection for its own and calls the callback again, as for an error:
 * one refusal sets two attempts going, and the second clean-up rejects where nobody listens.
 */
export const B09: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B09',
    lock: { ttlMs: 1000, options: { retryCount: 5, retryDelayMs: 100, retryJitterMs: 0 } },
    processes: { transport: 'wire', clientPackage: 'redis@4' },
    workload: { startMs: 10, workMs: 800, steps: 0 },
    overrides: { p2: { workload: { startMs: 100 } } },
    expect: expecting(
      each(['redlock@4.2.0/legacy'], {
        quiet: 'violated/library',
        'mutual-exclusion': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
      }),
      each(['redlock'], {
        quiet: 'holds',
        'mutual-exclusion': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
      }),
    ),
  },
  title: 'A callback that is called twice',
  question:
    'A lock library written for callbacks runs over promises that pretend to be callbacks. What becomes of its errors?',
  takeaway:
    'A refusal rejects where nobody listens, which ends a Node process, and sets two attempts going for one, under one value: they can release each other. The library’s own clients (ioredis, redis 3) drop what a callback returns.',
  source: 'electron/update.electronjs.org, pull request #135',
  report: 'electron/update.electronjs.org#135',
  boundaries: [],
};

/**
 * The rare end of it. p1 is done at 237; of p2's two attempts one is refused at 240, just before the key is gone, and one granted at 249. Both
 * go by one value, so the clean-up of the first deletes the key of the second before p2 hears of it: p2 holds a lock that is on no server. p3
 * asks at 280 and has it, too.
 */
export const B09_TWO_HOLDERS: CatalogueEntry = {
  ...B09,
  scenario: {
    ...B09.scenario,
    id: 'B09M',
    processes: { ...B09.scenario.processes, count: 3 },
    lock: { ttlMs: 1000, options: { retryCount: 20, retryDelayMs: 100, retryJitterMs: 0 } },
    workload: { startMs: 10, workMs: 200, steps: 0 },
    overrides: {
      p2: { workload: { startMs: 100, workMs: 400 } },
      p3: { workload: { startMs: 280, workMs: 50 } },
    },
    expect: expecting(
      each(['redlock@4.2.0/legacy'], {
        quiet: 'violated/library',
        'mutual-exclusion': 'violated/library',
        'quorum-backed': 'violated/library',
        'honest-validity': 'violated/library',
        'own-key-only': 'holds',
      }),
      each(['redlock'], {
        quiet: 'holds',
        'mutual-exclusion': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        'own-key-only': 'holds',
      }),
    ),
  },
  title: 'A lock that its own stray attempt deletes',
  question: 'Two attempts for one, under one value: what if one is granted and the other refused?',
  takeaway:
    'The refused one cleans up, and with it goes the key of the granted one: a holder without a lock, and soon a second holder.',
};
