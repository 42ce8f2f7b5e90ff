import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED } from './base.js';

/**
 * The server's clock jumps at 200 and the key is gone; at about 300 the routine throws. Redlock 5 releases before it passes that on, finds
 * nothing to release, tries ten times, and rejects with the release's error: the routine's is never heard of. redlock-universal keeps the
 * release's error to itself.
 */
export const B07: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B07',
    lock: { ttlMs: 4000, options: { retryJitterMs: 0 } },
    processes: { transport: 'wire', count: 1 },
    workload: { workMs: 280, steps: 0, workFails: true },
    faults: [{ atMs: 200, do: 'step-clock', host: 'redis-1', byMs: 10_000 }],
    expect: expecting(
      each(
        [
          'redlock@5.0.0-beta.1/using',
          'redlock@5.0.0-beta.2/using',
          '@sesamecare-oss/redlock@1.4.0/using',
          'redlock-universal@0.8.5/using',
        ],
        { 'own-key-only': 'holds', 'quorum-backed': 'holds', 'honest-validity': 'holds' },
      ),
      each(
        ['redlock@5.0.0-beta.1/using', 'redlock@5.0.0-beta.2/using', '@sesamecare-oss/redlock@1.4.0/using'],
        { quiet: 'violated/library', observe: { p1: { granted: 1, releaseError: 'ExecutionError' } } },
      ),
      each(['redlock-universal@0.8.5/using'], {
        quiet: 'holds',
        observe: { p1: { granted: 1, releaseError: null } },
      }),
    ),
  },
  title: 'The release hides the error of the work',
  question: 'A routine fails under a lock whose key is gone. Which error does the caller of using() see?',
  takeaway:
    'The release’s. The routine’s own is lost, and with it the reason. A failed clean-up must not replace the error it cleans up after.',
  source: 'mike-marcacci/node-redlock #309',
  report: 'mike-marcacci/node-redlock#309',
  boundaries: [],
};
