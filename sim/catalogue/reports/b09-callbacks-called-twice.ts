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
      each(['redlock', 'single'], {
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
