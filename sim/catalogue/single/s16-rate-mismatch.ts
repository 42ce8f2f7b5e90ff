import { each, expecting, sound } from '../expectations.js';
import type { Boundary, CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs } from '../timing.js';
import { applyMs, ONE_SERVER } from './base.js';

/** The server's rate, in ppm, at which its key dies as p1's claim ends: (s − t0) + T/r = (T − d), with r_c = 1. */
const flipsAtRate =
  (allowance: (scenario: Parameters<Boundary['flipsAt']>[0]) => number): Boundary['flipsAt'] =>
  (scenario) => {
    const { ttlMs } = scenario.lock;
    const rate = ttlMs / (ttlMs - allowance(scenario) - applyMs(scenario));
    return (rate - 1) * 1e6;
  };

const boundary = {
  property: 'mutual-exclusion',
  path: 'clocks.redis-1.driftPpm',
  closedForm: '(s − t0) + T/r_s < (T − d)/r_c',
  // 1000 ppm of a second: one millisecond.
  step: 1000,
} as const;

/**
 * The server's clock runs 0.9 % fast, within the bound of 1 %: p1's key is gone at 996.0, p2 asks at 996.5. A lock that allows
 * d = 12 ms is over at 988; one that allows nothing believes until 1000, and its own return promised more than its key would last:
 * library. Beyond the bound the clocks are to blame. p1 checks before its second use at 1518 and stops.
 */
export const S16: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S16',
    clocks: { 'redis-1': { driftPpm: 9000 } },
    workload: { workMs: 1500, discipline: 'checks' },
    overrides: { p2: eagerRival(900.5, { workMs: 100 }) },
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
      }),
      each(['pitfall/wall-clock-validity'], { 'mutual-exclusion': 'holds', 'honest-validity': 'holds' }),
      each(['pitfall/no-drift'], {
        'mutual-exclusion': 'violated/library',
        'honest-validity': 'violated/library',
      }),
    ),
  },
  title: 'Clocks that run at different rates',
  question:
    "The server's second is a little shorter than the client's. How much of that does a lock forgive?",
  takeaway:
    'As much as it takes off its validity for it, and not a millisecond more. A lock that takes nothing off relies on clocks that do not exist.',
  source: 'Redis documentation, "Distributed locks with Redis", on clock drift',
  boundaries: [
    { ...boundary, lock: 'pitfall/no-drift', flipsAt: flipsAtRate(() => 0), verdict: 'violated/library' },
    ...['single', 'redlock'].map((lock) => ({
      ...boundary,
      lock,
      flipsAt: flipsAtRate(driftAllowanceMs),
      verdict: 'violated/infrastructure',
    })),
  ],
};
