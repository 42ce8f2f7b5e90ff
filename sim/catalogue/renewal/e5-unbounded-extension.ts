import { each, expecting, FENCED_LOCKS, KEEPS_ITS_WORD, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { roundTripMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import { grantMs, ONE_SERVER } from '../single/base.js';

/** How long an asker may be kept waiting. */
const PATIENCE_MS = 3000;
const ASKED_MS = 50;

/** The watchdog renews p1's lease for as long as p1 works: twenty seconds. p2 asks from 50 on and is kept waiting beyond 3050. */
export const E5: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E5',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 20_000 },
    overrides: {
      p2: {
        ...eagerRival(ASKED_MS),
        lock: { options: { retryCount: 30_000, retryDelayMs: 10, retryJitterMs: 0 } },
      },
    },
    bounds: { ...ONE_SERVER.bounds, progressMs: PATIENCE_MS },
    expect: expecting(
      each(REFERENCE_LOCKS, {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
        progress: 'violated/usage',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
    ),
  },
  title: 'Renewed without end',
  question: 'A lease ends a hold that went wrong. What if it is renewed for as long as the holder lives?',
  takeaway:
    'Then the ttl bounds nothing: a holder that hangs keeps everybody waiting. Bound the number of renewals, or the time of the work.',
  source: 'Redis documentation, "Distributed locks with Redis", on limits for extending a lock',
  boundaries: [
    {
      lock: 'single',
      property: 'progress',
      path: 'workload.workMs',
      // p2 asks each millisecond.
      set: { 'overrides.p2.lock.options.retryDelayMs': 1 },
      closedForm: 'C > patience − (grant − asked)',
      flipsAt: (scenario) => {
        const usesMs = scenario.workload.steps * roundTripMs(scenario, 'p1', 'storage');
        return ASKED_MS + PATIENCE_MS - grantMs(scenario) - usesMs;
      },
      verdict: 'violated/usage',
    },
  ],
};
