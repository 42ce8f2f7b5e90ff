import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs } from '../timing.js';
import { applyMs, grantMs, ONE_SERVER } from './base.js';

/**
 * p1 sends its write at 18, well inside its lease, and the network delivers it at 1522.5. p2 has read and written at 1005. The key
 * ended between sending and arrival: lease.
 */
export const S3: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S3',
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900) },
    faults: [{ on: { event: 'used', process: 'p1', nth: 2 }, do: 'delay', byMs: 1500 }],
    expect: sound({
      'mutual-exclusion': 'holds',
      'exclusive-use': 'violated/lease',
      'no-stale-write': 'violated/lease',
    }),
  },
  title: 'The write is late, not the writer',
  question:
    'The holder did everything in time, but its packet to the storage was delayed. Is the lock still any good?',
  takeaway:
    'A lease protects the sending, not the arrival. Even a process that is never paused can write after the next holder.',
  source: 'Kleppmann 2016, "How to do distributed locking"',
  boundaries: boundaries(['single', 'redlock', 'redlock@4.2.0'], ['exclusive-use', 'no-stale-write'], {
    path: 'faults.0.byMs',
    closedForm: 'δw > T − age at send, δw = link + delay',
    flipsAt: (scenario) => {
      const sentMs = grantMs(scenario) + roundTripMs(scenario, 'p1', 'storage');
      const ageMs = sentMs - applyMs(scenario);
      return scenario.lock.ttlMs - ageMs - oneWayMs(scenario, 'p1', 'storage');
    },
    verdict: 'violated/lease',
  }),
};
