import type { Scenario } from '../../scenario/schema.js';
import { applyTimesMs, majority, oneWayMs, roundTripMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { HONEST } from './verdicts.js';

/** Each server has its own distance, yet all answers arrive together, 10 ms after the asking. */
const LINKS = {
  'p1->redis-1': 2.5,
  'p1->redis-2': 3.5,
  'p1->redis-3': 4.5,
  'p1->redis-4': 5.5,
  'p1->redis-5': 6.5,
  'redis-1->p1': 7.5,
  'redis-2->p1': 6.5,
  'redis-3->p1': 5.5,
  'redis-4->p1': 4.5,
  'redis-5->p1': 3.5,
};

/**
 * p1 is granted at 10, reads, is answered at 19, finds at 19 that it holds, and is frozen before its write leaves. B needs
 * j = m + q − N = 3 keys to die: those of the three earliest SETs.
 */
export function pauseAfterTheCheckFlipsAt(scenario: Scenario): number {
  const q = scenario.servers.count;
  const j = majority(scenario) + q - scenario.servers.count;
  const grantMs = roundTripMs(scenario, 'p1', 'redis-1');
  const checkMs = grantMs + roundTripMs(scenario, 'p1', 'storage');
  const dies = (applyTimesMs(scenario)[j - 1] ?? NaN) + scenario.lock.ttlMs;
  return dies - checkMs - oneWayMs(scenario, 'p1', 'storage');
}

/** p1's belief ends at 988 inside its pause, p2's begins at 1005: no overlap. Its write was sent as the pause ended: lease. */
const FROZEN_HOLDER = {
  ...HONEST,
  'mutual-exclusion': 'holds',
  'exclusive-use': 'violated/lease',
  'no-stale-write': 'violated/lease',
} as const;

export const R2_SCENARIO: CatalogueEntry['scenario'] = {
  id: 'R2',
  seed: 1,
  lock: { name: 'redlock', ttlMs: 1000 },
  servers: { count: 5 },
  network: { latencyMs: 4.5, links: LINKS },
  workload: { workMs: 0, discipline: 'checks' },
  overrides: { p2: eagerRival(900) },
  faults: [{ on: { event: 'checked', process: 'p1', nth: 2 }, do: 'pause', forMs: 1500 }],
  bounds: { orphanMs: 100 },
};

export const R2: CatalogueEntry = {
  scenario: {
    ...R2_SCENARIO,
    expect: {
      redlock: FROZEN_HOLDER,
      'redlock-fenced': { ...FROZEN_HOLDER, 'fencing-order': 'holds' },
      'redlock@4.2.0': FROZEN_HOLDER,
    },
  },
  title: 'A pause after the validity check',
  question: 'The holder checks that its lock is valid, is frozen, and then writes. Does the check help?',
  takeaway:
    'No check of a clock can cover what happens after it: five servers or one, a pause longer than what is left of the lease lets a stale write through. Only the storage can refuse it.',
  source: 'Kleppmann 2016, "How to do distributed locking"',
  boundaries: ['redlock', 'redlock@4.2.0'].map((lock) => ({
    lock,
    property: 'exclusive-use',
    path: 'faults.0.forMs',
    // The library loads its script first: every instant is 10 ms later, and the difference is the same.
    closedForm: 'P > s₍j₎ + T − t_check − δw, j = m + q − N',
    flipsAt: pauseAfterTheCheckFlipsAt,
    verdict: 'violated/lease',
  })),
};
