import { boundaries, each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { oneWayMs, sectionMs } from '../timing.js';
import { applyMs, grantMs, ONE_SERVER } from './base.js';

/** How long after its release began p1 is frozen: its GET has left, the answer is still on its way. */
const PAUSE_AFTER_MS = 3;

/**
 * p1 is granted at 9 and releases at 127. The pitfall's GET is answered "yours" and p1 is frozen from 130 to 1130; its DEL arrives at
 * 1134.5 and removes p2's key (set at 1005, belief until its release at 1805), p3 comes in beside p2: library. The others compare
 * and delete in one script: whenever it runs, it removes p1's own key or nothing.
 */
export const S9: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S9',
    processes: { count: 3 },
    workload: { workMs: 100 },
    overrides: {
      p2: eagerRival(900, { workMs: 800 }),
      p3: eagerRival(950, { workMs: 300, steps: 0 }),
    },
    faults: [
      {
        on: { event: 'releasing', process: 'p1', afterMs: PAUSE_AFTER_MS },
        do: 'pause',
        host: 'p1',
        forMs: 1000,
      },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
      }),
      // Sent at once, the DEL arrives while the key is still p1's.
      each(['pitfall/del-without-check', 'pitfall/constant-value'], {
        'mutual-exclusion': 'holds',
        'own-key-only': 'holds',
      }),
      each(['pitfall/get-then-del'], {
        'mutual-exclusion': 'violated/library',
        'own-key-only': 'violated/library',
        'exclusive-use': 'holds',
      }),
    ),
  },
  title: 'GET, compare, then DEL',
  question:
    'The release looks whether the key is still its own and then deletes it. What can happen in between?',
  takeaway:
    "The key can expire and become the next holder's. Compare and delete must be one atomic step: a script on the server.",
  source: 'Redis documentation, "Distributed locks with Redis", release by script',
  boundaries: boundaries(['pitfall/get-then-del'], ['own-key-only', 'mutual-exclusion'], {
    path: 'faults.0.forMs',
    closedForm: 'gap > T − age at GET, gap = from GET to DEL on the server',
    flipsAt: (scenario) => {
      const releaseMs = grantMs(scenario) + sectionMs(scenario);
      const deleteMs = releaseMs + PAUSE_AFTER_MS + oneWayMs(scenario, 'p1', 'redis-1');
      return applyMs(scenario) + scenario.lock.ttlMs - deleteMs;
    },
    verdict: 'violated/library',
  }),
};
