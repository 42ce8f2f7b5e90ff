import { each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, oneWayMs, roundTripMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * The reply takes δr = 40. The pitfall counts its validity from the reply (44.5): until 1032.5, while its key is gone at 1005 and p2
 * holds from then on. Its own dishonest return decides the blame: library. All others count from the sending, are over at 988, and
 * p1, which checks before its second use at 1153.5, stops.
 */
export const S4: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S4',
    network: { ...ONE_SERVER.network, links: { 'redis-1->p1': 40 } },
    workload: { workMs: 1100, discipline: 'checks' },
    overrides: { p2: eagerRival(900, { workMs: 200 }) },
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
      }),
      // Without an allowance, but counted from the sending: 1000 is before 1005.
      each(['pitfall/no-drift', 'pitfall/wall-clock-validity'], {
        'mutual-exclusion': 'holds',
        'honest-validity': 'holds',
      }),
      each(['pitfall/validity-from-reply'], {
        'mutual-exclusion': 'violated/library',
        'honest-validity': 'violated/library',
      }),
    ),
  },
  title: 'Validity counted from the reply',
  question: 'From when does a lease run: from the question, or from the answer?',
  takeaway:
    'The server counts from the moment it executes the SET, which the client cannot see. Counting from the sending is safe; counting from the reply promises the time the reply took twice.',
  source: 'Redis documentation, "Distributed locks with Redis", steps 3 and 4 of the algorithm',
  boundaries: [
    ...(['honest-validity', 'mutual-exclusion'] as const).map((property) => ({
      lock: 'pitfall/validity-from-reply',
      property,
      path: 'network.links.redis-1->p1',
      closedForm: 'δr > d',
      flipsAt: driftAllowanceMs,
      verdict: 'violated/library',
    })),
    {
      lock: 'pitfall/validity-from-reply',
      property: 'mutual-exclusion',
      path: 'workload.workMs',
      // p2 must still believe when p1, late by a millisecond, lets go.
      set: { 'overrides.p2.workload.workMs': 200 },
      closedForm: 'C > T − δr',
      flipsAt: (scenario) => {
        const answersMs = scenario.workload.steps * roundTripMs(scenario, 'p1', 'storage');
        return scenario.lock.ttlMs - oneWayMs(scenario, 'redis-1', 'p1') - answersMs;
      },
      verdict: 'violated/library',
    },
  ],
};
