import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, sectionMs } from '../timing.js';
import { applyMs, grantMs, ONE_SERVER } from './base.js';

/** How long after p1's SET the replica takes over. */
const PROMOTED_AFTER_MS = 100;

/**
 * The replica has p1's key (deadline 1004.5 by the master's clock) and a wall clock that is 950 ms ahead. It takes over at 104.5, when its
 * clock shows 1054.5, and the key is gone at once. p2, whose client is back at 154.5, holds beside p1, which works until 627.
 * The counter was replicated: tokens rise.
 */
export const S25: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S25',
    servers: { count: 1, replicas: 1, replicationMs: 1 },
    clocks: { 'redis-1-replica-1': { offsetMs: 950 } },
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(15, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'voted', process: 'p1', afterMs: PROMOTED_AFTER_MS },
        do: 'promote',
        host: 'redis-1',
      },
    ],
    expect: sound({
      'mutual-exclusion': 'violated/infrastructure',
      'exclusive-use': 'violated/infrastructure',
      'no-stale-write': 'violated/infrastructure',
    }),
  },
  title: 'The promoted replica has a fast clock',
  question: 'The replica has every key when it takes over. Does it matter what its clock shows?',
  takeaway:
    'Deadlines are replicated as times of day. A replica whose clock is ahead by as much as a key has left drops it the moment it is the master.',
  source:
    'derived; Redis EXPIRE page, "How Redis expires keys", on clocks; Redis 7 replicates absolute deadlines',
  boundaries: [
    ...boundaries(['single', 'redlock'], ['mutual-exclusion'], {
      path: 'clocks.redis-1-replica-1.offsetMs',
      // p1 has released before an earlier deadline matters; p2's client is back while p1 still holds.
      set: { 'workload.workMs': 200 },
      closedForm: 'J ≥ T − a, where the holder is nearly done',
      flipsAt: (scenario) =>
        scenario.lock.ttlMs - (grantMs(scenario) + sectionMs(scenario) - applyMs(scenario)),
      verdict: 'violated/infrastructure',
    }),
    ...boundaries(['single', 'redlock'], ['mutual-exclusion'], {
      path: 'clocks.redis-1-replica-1.offsetMs',
      set: { 'workload.workMs': 1500 },
      closedForm: 'J > d + (s − t0), where C is long: the key dies J early',
      flipsAt: (scenario) => driftAllowanceMs(scenario) + applyMs(scenario),
      verdict: 'violated/infrastructure',
    }),
  ],
};
