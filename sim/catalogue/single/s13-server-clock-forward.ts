import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, oneWayMs, roundTripMs, sectionMs } from '../timing.js';
import { applyMs, ONE_SERVER } from './base.js';

/** The locks whose first command is their SET. */
const LOCKS = ['single', 'redlock'];

/**
 * p1's key should be gone at 1005; the server's clock jumps 600 ms at 109, and it goes at 405. p2 holds from then on, beside p1, which
 * works until 627 and was told 988; p2's write (505) precedes p1's (622.5). Without the jump p1's key would stand: infrastructure.
 */
export const S13: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S13',
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(300.5, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: 100 },
        do: 'step-clock',
        host: 'redis-1',
        byMs: 600,
      },
    ],
    expect: sound({
      'mutual-exclusion': 'violated/infrastructure',
      'exclusive-use': 'violated/infrastructure',
      'no-stale-write': 'violated/infrastructure',
    }),
  },
  title: "The server's clock jumps forward",
  question: 'Redis expires keys by its wall clock. What does a jump of that clock do to a lock?',
  takeaway:
    'The key dies early, by as much as the jump, while its holder counts on. Servers of a lock must slew their clocks, never step them.',
  source: 'Redis documentation, "Distributed locks with Redis" and EXPIRE, on clocks',
  boundaries: [
    ...boundaries(LOCKS, ['mutual-exclusion'], {
      path: 'faults.0.byMs',
      // Works for longer than it may: its belief ends by its claim.
      set: { 'workload.workMs': 1500 },
      closedForm: 'J > d + (s − t0), where C is long',
      flipsAt: (scenario) => driftAllowanceMs(scenario) + applyMs(scenario),
      verdict: 'violated/infrastructure',
    }),
    ...boundaries(LOCKS, ['mutual-exclusion'], {
      path: 'faults.0.byMs',
      closedForm: 'J > T − (δr + C)',
      flipsAt: (scenario) =>
        scenario.lock.ttlMs - (oneWayMs(scenario, 'redis-1', 'p1') + sectionMs(scenario)),
      verdict: 'violated/infrastructure',
    }),
    ...boundaries(LOCKS, ['exclusive-use'], {
      path: 'faults.0.byMs',
      // The rival asks on whole milliseconds, half a millisecond off p1's write.
      set: { 'overrides.p2.workload.startMs': 300 },
      closedForm: "J > T − (δr + C + δw), C up to the last use's sending",
      flipsAt: (scenario) => {
        const lastSentMs = sectionMs(scenario) - roundTripMs(scenario, 'p1', 'storage');
        const afterTheSetMs = oneWayMs(scenario, 'redis-1', 'p1') + lastSentMs;
        return scenario.lock.ttlMs - (afterTheSetMs + oneWayMs(scenario, 'p1', 'storage'));
      },
      verdict: 'violated/infrastructure',
    }),
  ],
};
