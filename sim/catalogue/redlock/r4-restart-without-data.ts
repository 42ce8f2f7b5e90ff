import { driftAllowanceMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { BARE_MAJORITY, FORGOTTEN, UNREACHED } from './base.js';
import { SAFE } from './verdicts.js';

/**
 * Kleppmann's example: p1 reaches servers 1–3 only (q = 3), so f = m + q − N = 1 forgetful server is enough. Server 3 crashes
 * at 100 and is back, empty, at 200; p2 asks from 250 on and has 3, 4 and 5 at once, while p1 believes until its release.
 */
const scenario: CatalogueEntry['scenario'] = {
  ...BARE_MAJORITY,
  id: 'R4',
  servers: { count: 5, persistence: 'none' },
  overrides: { p2: eagerRival(250, { workMs: 50 }) },
  faults: [UNREACHED, { atMs: 100, do: 'crash', host: 'redis-3', restartAfterMs: 100 }],
};

export const R4: CatalogueEntry = {
  scenario: {
    ...scenario,
    // Server 3 forgot the counter too, and 4 and 5 never had it: the same token again.
    expect: FORGOTTEN,
  },
  title: 'A server restarts and has forgotten its vote',
  question:
    'One of the three servers that voted crashes and comes back empty at once. Does the majority still mean anything?',
  takeaway:
    'A vote must outlive a restart. One amnesiac server in a bare majority votes twice, and the lock has two holders.',
  source:
    'Kleppmann 2016, "How to do distributed locking"; Redis documentation, "Distributed locks with Redis"',
  boundaries: [
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.1.restartAfterMs',
      // Late, so that the belief ends by its claim; and p2's client, refused at 938.5, tries again at 988.5.
      set: {
        'faults.1.atMs': 880,
        'overrides.p2.workload.startMs': 938.5,
        'workload.workMs': 1000,
      },
      closedForm: 'gap < T − d − (crash − t0)',
      flipsAt: (given) => given.lock.ttlMs - driftAllowanceMs(given) - (880 - 1),
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};

export const R5: CatalogueEntry = {
  scenario: {
    ...scenario,
    id: 'R5',
    faults: [UNREACHED, { atMs: 100, do: 'crash', host: 'redis-3', restartAfterMs: 1012 }],
    expect: {
      redlock: SAFE,
      'redlock-fenced': { ...SAFE, 'fencing-order': 'holds' },
      'redlock@4.2.0': SAFE,
    },
  },
  title: 'A crashed server stays away for a whole ttl',
  question: 'Is it enough to keep a crashed server out until every lock it may have forgotten has ended?',
  takeaway:
    'Yes: a server that returns no earlier than the longest ttl (and the drift allowance) after its crash cannot vote twice within one lease. The price is availability.',
  source: 'Redis documentation, "Distributed locks with Redis", delayed restarts',
  // The wait is sufficient, not necessary: there is no inequality to stand on both sides of.
  boundaries: [],
  controls: ['redlock', 'redlock-fenced', 'redlock@4.2.0'].map((lock) => ({
    lock,
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write'],
    path: 'faults.1.restartAfterMs',
    values: [1012, 1500, 3000],
  })),
};
