import { each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { fixedMs, roundTripMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * p1 dies with the lock; the time stamp in its key is past when p2 (at 1100) and p3 (at 1101) find it. Each: SETNX in vain, GET,
 * sees the old stamp, DEL, SETNX. p3's GET still sees the old stamp, its DEL is 30 ms late, falls after p2's SETNX and removes
 * p2's new key; then p3's SETNX succeeds, too. Without p3's DEL p2's key would stand: library. Real leases leave nothing to tidy up.
 */
export const S7: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S7',
    lock: { ttlMs: 1000, options: { retryCount: 40, retryDelayMs: 50, retryJitterMs: 0 } },
    processes: { count: 3 },
    workload: { workMs: 200 },
    overrides: { p2: { workload: { startMs: 1100 } }, p3: { workload: { startMs: 1101 } } },
    faults: [
      { on: { event: 'granted', process: 'p1', afterMs: 50 }, do: 'crash', host: 'p1' },
      // The third command of p3: the DEL of the time stamp lock.
      { on: { event: 'sent', process: 'p3', nth: 3 }, do: 'delay', byMs: 30 },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
      }),
      each(['pitfall/timestamp-lock'], {
        'mutual-exclusion': 'violated/library',
        'own-key-only': 'violated/library',
        'exclusive-use': 'violated/library',
      }),
    ),
  },
  title: 'The time stamp lock',
  question:
    'Two clients find an expired time stamp in the key, delete it and set their own. Can both succeed?',
  takeaway:
    'Yes: what one found expired is no longer what it deletes. Looking and deleting must be one step, or the server must do the expiring.',
  source: 'Redis documentation, SETNX, "Design pattern: Locking with SETNX"',
  boundaries: [
    {
      lock: 'pitfall/timestamp-lock',
      // Not own-key-only: its DEL takes the dead holder's key in any case.
      property: 'mutual-exclusion',
      path: 'faults.1.byMs',
      closedForm: "C2's DEL after C1's SETNX: delay > round trip − lead of C1",
      flipsAt: (scenario) => {
        const startOf = (process: string): number =>
          fixedMs(scenario.overrides[process]?.workload?.startMs ?? scenario.workload.startMs);
        return roundTripMs(scenario, 'p2', 'redis-1') - (startOf('p3') - startOf('p2'));
      },
      verdict: 'violated/library',
    },
  ],
};
