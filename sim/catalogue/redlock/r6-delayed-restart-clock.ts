import { driftAllowanceMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { BARE_MAJORITY, FORGOTTEN, UNREACHED } from './base.js';

/** The longest ttl and the drift allowance: how long a crashed server is to stay away. */
const AWAY_MS = 1012;

/**
 * As R5: p1 reaches servers 1–3 only, server 3 crashes at 100 and is to stay away until its wall clock shows 1112. At 150 that clock is
 * set forward by a second, and the server is back, empty, at once. p2 asks from 250 on and has 3, 4 and 5, while p1 believes until its release.
 */
export const R6: CatalogueEntry = {
  scenario: {
    ...BARE_MAJORITY,
    id: 'R6',
    servers: { count: 5, persistence: 'none', delayedRestartMs: AWAY_MS },
    overrides: { p2: eagerRival(250, { workMs: 50 }) },
    faults: [
      UNREACHED,
      { atMs: 100, do: 'crash', host: 'redis-3', restartAfterMs: 0 },
      { atMs: 150, do: 'step-clock', host: 'redis-3', byMs: 1000 },
    ],
    expect: FORGOTTEN,
  },
  title: 'The delayed restart trusts a clock that steps',
  question: 'A crashed server stays away for a whole ttl. Who measures that ttl?',
  takeaway:
    'A wait by the wall clock is as long as that clock says. Delay restarts by a clock that never steps, or by hand.',
  source: 'Kleppmann 2016, "How to do distributed locking", on delayed restarts',
  boundaries: [
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.2.byMs',
      // Late, so that the belief ends by its claim (989); p2's client, refused at 938.5, tries again at 988.5.
      set: {
        'faults.1.atMs': 880,
        'faults.2.atMs': 940,
        'overrides.p2.workload.startMs': 938.5,
        'workload.workMs': 1000,
      },
      closedForm: 'J > wait − (T − d − (crash − t0)): what remains of the wait when the belief ends',
      flipsAt: (given) => AWAY_MS - (given.lock.ttlMs - driftAllowanceMs(given) - (880 - 1)),
      verdict: 'violated/infrastructure',
    },
  ],
};
