import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * p1's key is set at 4.5 and gone at 1005; granted at 9, p1 sends its read and is frozen until 1509. p2 has the lock at 1005, reads
 * and writes. p1's belief ended at 988 (no overlap); the key's end lies in the pause, p1's write is sent the instant it ends: lease.
 */
export const S1: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S1',
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900) },
    faults: [{ on: { event: 'used', process: 'p1', nth: 1 }, do: 'pause', forMs: 1500 }],
    expect: sound({
      'mutual-exclusion': 'holds',
      'exclusive-use': 'violated/lease',
      'no-stale-write': 'violated/lease',
    }),
  },
  title: 'A pause between the read and the write',
  question:
    'The holder is frozen by its garbage collector for longer than its lease. What does it do when it wakes?',
  takeaway:
    'It writes, over the work of the next holder. No lock that lets go by itself can prevent it; a storage that refuses old tokens can.',
  source: 'Kleppmann 2016, "How to do distributed locking"',
  // p2's first use comes the instant the key is gone, so the write that arrives after it is stale as well.
  boundaries: boundaries(['single', 'redlock', 'redlock@4.2.0'], ['exclusive-use', 'no-stale-write'], {
    path: 'faults.0.forMs',
    closedForm: 'P > T − (δr + s + δw), s = 0',
    flipsAt: (scenario) =>
      scenario.lock.ttlMs - oneWayMs(scenario, 'redis-1', 'p1') - oneWayMs(scenario, 'p1', 'storage'),
    verdict: 'violated/lease',
  }),
};
