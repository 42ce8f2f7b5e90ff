import { each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { Boundary, CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, oneWayMs, roundTripMs, sectionMs } from '../timing.js';
import type { Scenario } from '../../scenario/schema.js';
import { grantMs, ONE_SERVER } from './base.js';

function crashMs(scenario: Scenario): number {
  return grantMs(scenario) + (scenario.faults[0]?.on?.afterMs ?? NaN);
}

/** The server is back, without the key, while p1 believes. */
export const BACK_BEFORE_THE_END: Boundary = {
  lock: 'single',
  property: 'mutual-exclusion',
  path: 'faults.0.restartAfterMs',
  // The server dies at 237.5, so that p2's client tries again at 987.5.
  set: { 'faults.0.on.afterMs': 228.5, 'workload.workMs': 1500 },
  closedForm: 'down < T − d − (crash − t0)',
  flipsAt: (scenario) => scenario.lock.ttlMs - driftAllowanceMs(scenario) - crashMs(scenario),
  violated: 'below',
  verdict: 'violated/infrastructure',
};

/**
 * The server dies at 109 and is back, empty, at 309; p2's client (back-off 50, 100, 150 ms) finds it at 409 and p2 holds beside p1, which
 * works until 827. p2 writes at 509, p1 at 822.5. The counter is lost, too: p2's token is p1's again.
 */
export const S21: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S21',
    servers: { count: 1, persistence: 'none' },
    workload: { workMs: 800 },
    overrides: { p2: eagerRival(50, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: 100 },
        do: 'crash',
        host: 'redis-1',
        restartAfterMs: 200,
      },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'violated/infrastructure',
        'exclusive-use': 'violated/infrastructure',
        'no-stale-write': 'violated/infrastructure',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'violated/infrastructure' }),
    ),
  },
  title: 'A restart without persistence',
  question: 'The server crashes and is restarted at once. What has become of the locks in it?',
  takeaway:
    'They are free, and their holders do not know. Either the server remembers, or it stays away until every lease has run out.',
  source: 'Redis documentation, "Distributed locks with Redis", on persistence',
  boundaries: [
    BACK_BEFORE_THE_END,
    {
      lock: 'single',
      property: 'exclusive-use',
      path: 'faults.0.restartAfterMs',
      // The server dies at 322, so that p2's client tries again at 822, half a millisecond before p1's write.
      set: { 'faults.0.on.afterMs': 313 },
      closedForm: "back up before A's last use",
      flipsAt: (scenario) => {
        const lastSentMs = grantMs(scenario) + sectionMs(scenario) - roundTripMs(scenario, 'p1', 'storage');
        return lastSentMs + oneWayMs(scenario, 'p1', 'storage') - crashMs(scenario);
      },
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};
