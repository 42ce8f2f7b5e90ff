import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED } from './base.js';

/**
 * p1 is cut off from the server from 500 to 2000; its commands are given up after 100 ms. The renewals of 809 and 1609 reject where nobody
 * listens. The key is gone at 1005. At 2409 a renewal gets through and finds nothing: only then is the holder told, 1.4 s after the
 * loss. The reference lock's holder is told when its claim ends.
 */
export const B14: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B14',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    processes: { transport: 'wire', count: 1, client: { commandTimeoutMs: 100 } },
    workload: { workMs: 3000, steps: 0 },
    faults: [{ atMs: 500, do: 'partition', from: 'p1', to: 'redis-1', forMs: 1500 }],
    expect: expecting(
      each(['redis-semaphore@5.8.0'], {
        quiet: 'violated/library',
        'loss-signalled': 'violated/library',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
      }),
      each(['single', 'redlock'], {
        quiet: 'holds',
        'loss-signalled': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
      }),
    ),
  },
  title: 'Renewals that fail where nobody listens',
  question: 'A lock renews by a timer, and the renewal rejects. Who hears of it?',
  takeaway:
    'Nobody: the rejection is unhandled, which ends a Node process, and the handler for lost locks is called only when a later renewal gets an answer.',
  source: 'swarthy/redis-semaphore #199',
  report: 'swarthy/redis-semaphore#199',
  boundaries: [],
};
