import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { roundTripMs } from '../timing.js';
import { REPORTED } from './base.js';

/**
 * p1 sets the key and then asks for its token: that INCR takes 1200 ms more. The key is gone meanwhile, p2 takes lock and token 1, works
 * and releases; then p1 gets token 2. The older hold has the newer token, and the storage takes its stale write. F3 holds a lock against
 * it that mints its token in the script that sets the key.
 */
export const B17: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B17',
    lock: { ttlMs: 1000, options: { retryCount: 0 } },
    processes: { transport: 'wire', clientPackage: 'redis' },
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900) },
    resource: { fenced: true },
    faults: [{ on: { event: 'sent', process: 'p1', command: 'INCR' }, do: 'delay', byMs: 1200 }],
    bounds: { orphanMs: 2000, settleMs: 5000 },
    expect: {
      'simple-redis-mutex@3.0.0': {
        'fencing-order': 'violated/library',
        'no-stale-write': 'violated/library',
        'honest-validity': 'violated/library',
        'quorum-backed': 'violated/library',
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'own-key-only': 'holds',
        quiet: 'holds',
      },
    },
  },
  title: 'The token is minted after the lock',
  question: 'A lock hands out fencing tokens, by an INCR after its SET. Do they order the holders?',
  takeaway:
    'They order the INCRs. A holder that is slow between the two gets a token above that of whoever came after it, and the storage lets its stale write through.',
  source: 'AmrSaber/simple-redis-mutex #15',
  report: 'AmrSaber/simple-redis-mutex#15',
  boundaries: [
    {
      lock: 'simple-redis-mutex@3.0.0',
      property: 'fencing-order',
      path: 'faults.0.byMs',
      closedForm: 'D > T − (δr + δq): p1’s INCR after p2’s, which follows the end of p1’s key',
      flipsAt: (scenario) => scenario.lock.ttlMs - roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
  ],
};
