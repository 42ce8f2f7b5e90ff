import { boundaries, each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, roundTripMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * p1 works on until 1218 although its key was gone at 1005 and it had been told 988: its write (1222.5) falls among p2's uses (1005 to
 * 1805), whatever the lock: usage. With a DEL that asks nothing p1 then removes p2's key at 1231.5, and p3 holds beside p2, which
 * believes until its release at 1805: library. p3 uses no storage, so the uses tell of p1 and p2 only.
 */
export const S8_SCENARIO: CatalogueEntry['scenario'] = {
  ...ONE_SERVER,
  id: 'S8',
  processes: { count: 3 },
  workload: { workMs: 1200 },
  overrides: {
    p2: eagerRival(900, { workMs: 800 }),
    p3: eagerRival(1100, { workMs: 300, steps: 0 }),
  },
};

export const OVERSTAYED = {
  'mutual-exclusion': 'holds',
  'own-key-only': 'holds',
  'exclusive-use': 'violated/usage',
  'no-stale-write': 'holds',
} as const;

/** p1's blind release: two holders after it. */
export const BLIND_RELEASE = {
  'mutual-exclusion': 'violated/library',
  'own-key-only': 'violated/library',
  'exclusive-use': 'violated/usage',
} as const;

/** The rest of the section that makes the DEL arrive just after p2's SET: C_A counted from A's SET to its DEL. */
export const blindReleaseBoundaries = (lock: string): CatalogueEntry['boundaries'] =>
  boundaries([lock], ['own-key-only', 'mutual-exclusion'], {
    path: 'workload.workMs',
    // What p1 works, p2 must not: its belief has to last.
    set: { 'overrides.p2.workload.workMs': 800 },
    closedForm: 'C_A > T, C_A = δr + C + δ from the SET to the DEL',
    flipsAt: (scenario) =>
      scenario.lock.ttlMs -
      oneWayMs(scenario, 'redis-1', 'p1') -
      oneWayMs(scenario, 'p1', 'redis-1') -
      scenario.workload.steps * roundTripMs(scenario, 'p1', 'storage'),
    verdict: 'violated/library',
  });

export const S8: CatalogueEntry = {
  scenario: {
    ...S8_SCENARIO,
    expect: expecting(
      sound(OVERSTAYED),
      each(['pitfall/del-without-check'], BLIND_RELEASE),
      // In two steps, but with nothing in between: it finds p2's value and leaves it.
      each(['pitfall/get-then-del'], OVERSTAYED),
    ),
  },
  title: 'DEL without asking whose key it is',
  question: 'A holder outstays its lease and then releases. Whose lock does it release?',
  takeaway:
    "The next holder's, so that a third one comes in: one late client and the lock is gone for everybody. A release must compare the value first.",
  source:
    'Redis documentation, "Distributed locks with Redis", correct implementation with a single instance',
  boundaries: blindReleaseBoundaries('pitfall/del-without-check'),
};
