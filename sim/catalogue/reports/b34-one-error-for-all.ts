import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/** What p1 hears of the loss, p2 of contention and p3 of the outage, where the library has one error for all. */
function alike(name: string): Record<string, object> {
  return {
    p1: { releaseError: name },
    p2: { error: 'NotAcquired', errorCause: name },
    p3: { error: 'NotAcquired', errorCause: name },
  };
}

/**
 * p1 works for longer than its key lives: at its release the lock is lost. p2 asks twice while p1 holds: contention. p3 is cut off from the
 * server and asks twice as well, 100 ms each: an outage. Redlock has one error for all three, so an adapter can only pass on the same word;
 * the reference lock has three.
 */
export const B34: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B34',
    lock: { ttlMs: 1000, options: { retryCount: 1, retryDelayMs: 50, retryJitterMs: 0 } },
    processes: { transport: 'wire', count: 3, client: { commandTimeoutMs: 100 } },
    workload: { startMs: 100, workMs: 10, steps: 0 },
    overrides: { p1: { workload: { startMs: 0, workMs: 1500 } } },
    faults: [{ atMs: 0, do: 'partition', from: 'p3', to: 'redis-1' }],
    limits: { virtualMs: 10_000 },
    expect: expecting(
      each(
        ['redlock@4.2.0', 'redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'single', 'redlock'],
        UNHARMED,
      ),
      each(['redlock@4.2.0'], { observe: alike('LockError') }),
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0'], { observe: alike('ExecutionError') }),
      each(['single', 'redlock'], {
        observe: {
          p1: { releaseError: 'LockLost' },
          p2: { error: 'NotAcquired', errorCause: null },
          p3: { error: 'QuorumUnreachable' },
        },
      }),
    ),
  },
  title: 'One error for contention, outage and loss',
  question: 'Others have the lock; the server is out of reach; the lock was lost. Can a caller tell which?',
  takeaway:
    'Not by the error: the library has one for all three. What to do differs: wait, raise an alarm, or undo. Errors should, too.',
  source: 'mike-marcacci/node-redlock #185, #288',
  report: 'mike-marcacci/node-redlock#185',
  boundaries: [],
};
