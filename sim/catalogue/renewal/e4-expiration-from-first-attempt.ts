import { each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { driftAllowanceMs, fixedMs, oneWayMs, roundTripMs } from '../timing.js';
import type { Scenario } from '../../scenario/schema.js';
import { ONE_SERVER } from '../single/base.js';

/**
 * Until when p2 may hold so that p1's grant is returned before T − d have passed since its first attempt: until the SET of p1's
 * last attempt that is answered by then.
 */
function grantedInTimeUntilMs(scenario: Scenario): number {
  const tripMs = roundTripMs(scenario, 'p1', 'redis-1');
  const everyMs = scenario.lock.options.retryDelayMs + tripMs;
  const attempts = Math.floor((scenario.lock.ttlMs - driftAllowanceMs(scenario) - tripMs) / everyMs);
  return fixedMs(scenario.workload.startMs) + attempts * everyMs + oneWayMs(scenario, 'p1', 'redis-1');
}

/**
 * p2 holds from 0 to 1500, under a ttl of its own of 2 s. p1 asks at 10 and gets the lock with an attempt that begins after 1500. Counted
 * from that attempt its claim runs for 988 ms; counted from the first one it was over at 998, before it was granted, and the loss signal
 * that was due by then can only come after the grant.
 */
export const E4: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E4',
    lock: { ttlMs: 1000, options: { retryCount: 30, retryDelayMs: 100, retryJitterMs: 0 } },
    workload: { startMs: 10, workMs: 100 },
    overrides: {
      p2: {
        network: { latencyMs: 0 },
        lock: { ttlMs: 2000 },
        workload: { startMs: 0, workMs: 1500, steps: 0 },
      },
    },
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        progress: 'holds',
      }),
      each(['pitfall/validity-from-first-attempt'], {
        'mutual-exclusion': 'holds',
        'honest-validity': 'violated/library',
        'loss-signalled': 'violated/library',
      }),
    ),
  },
  title: 'Expiration counted from the first attempt',
  question: 'A lock that had to wait for its turn: from when does its lease run?',
  takeaway:
    'From the attempt that succeeded. Counted from the first one, a patient client is told that its new lock is over already.',
  source: 'node-redlock #169, #296',
  boundaries: [
    {
      lock: 'pitfall/validity-from-first-attempt',
      property: 'honest-validity',
      path: 'overrides.p2.workload.workMs',
      closedForm: 'wait until the grant > T − d',
      flipsAt: grantedInTimeUntilMs,
      verdict: 'violated/library',
    },
  ],
};
