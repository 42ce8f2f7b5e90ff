import { controls, each, expecting, REFERENCE_LOCKS, sound } from '../expectations.js';
import type { Boundary, CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, oneWayMs, roundTripMs } from '../timing.js';
import { applyMs, ONE_SERVER } from './base.js';

/** How far the client's clock must go back, given when its SET was applied. */
const flipsBack =
  (applied: (scenario: Parameters<Boundary['flipsAt']>[0]) => number): Boundary['flipsAt'] =>
  (scenario) =>
    -(driftAllowanceMs(scenario) + applied(scenario));

/**
 * p1's wall clock goes back by 400 at 109. A lock that reads it believes until 1388 true time; its key is gone at 1005, p2 holds from
 * then on, and p1, finding at 1218 that it still holds, writes over p2's write (1105). The claim ran on by the clock the lock chose:
 * library. On the monotonic clock p1's claim ended at 988; its check at 1218 stops it.
 */
export const S15: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S15',
    workload: { workMs: 1200, discipline: 'checks' },
    overrides: { p2: eagerRival(900, { workMs: 100 }) },
    faults: [
      { on: { event: 'granted', process: 'p1', afterMs: 100 }, do: 'step-clock', host: 'p1', byMs: -400 },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
      }),
      each(['pitfall/no-drift'], { 'mutual-exclusion': 'holds', 'exclusive-use': 'holds' }),
      each(['pitfall/wall-clock-validity', 'redlock@4.2.0'], {
        'mutual-exclusion': 'violated/library',
        'exclusive-use': 'violated/library',
        'no-stale-write': 'violated/library',
      }),
    ),
  },
  title: "The client's clock jumps back",
  question: 'The lock measures its validity with Date.now(). Then somebody corrects the clock.',
  takeaway:
    'Set back, the clock makes the lock believe longer than its key lives. Durations belong on the monotonic clock, which nobody sets; that answers this criticism in full.',
  source: 'antirez 2016, "Is Redlock safe?"; Kleppmann 2016',
  boundaries: [
    {
      lock: 'pitfall/wall-clock-validity',
      property: 'mutual-exclusion',
      path: 'faults.0.byMs',
      closedForm: 'J > d + (s − t0)',
      flipsAt: flipsBack(applyMs),
      violated: 'below',
      verdict: 'violated/library',
    },
    {
      lock: 'redlock@4.2.0',
      property: 'mutual-exclusion',
      path: 'faults.0.byMs',
      closedForm: 'J > d + (s − t0), s − t0 = 3 δ: the server must be told the script first',
      flipsAt: flipsBack(
        (scenario) => roundTripMs(scenario, 'p1', 'redis-1') + oneWayMs(scenario, 'p1', 'redis-1'),
      ),
      violated: 'below',
      verdict: 'violated/library',
    },
    {
      lock: 'pitfall/wall-clock-validity',
      property: 'mutual-exclusion',
      path: 'workload.workMs',
      closedForm: 'C > T − δr',
      flipsAt: (scenario) => {
        const answersMs = scenario.workload.steps * roundTripMs(scenario, 'p1', 'storage');
        return scenario.lock.ttlMs - oneWayMs(scenario, 'redis-1', 'p1') - answersMs;
      },
      verdict: 'violated/library',
    },
  ],
  controls: [
    // The monotonic clock: no step of the wall clock matters.
    ...controls(REFERENCE_LOCKS, {
      properties: [
        'mutual-exclusion',
        'exclusive-use',
        'no-stale-write',
        'honest-validity',
        'loss-signalled',
      ],
      path: 'faults.0.byMs',
      values: [-5000, -400, -18, 18, 400, 5000],
    }),
    // A step forward only ends the belief early.
    ...controls(['pitfall/wall-clock-validity', 'redlock@4.2.0'], {
      properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write'],
      path: 'faults.0.byMs',
      values: [1, 18, 400, 5000],
    }),
  ],
};
