import { fixedMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { BARE_MAJORITY, FORGOTTEN, UNREACHED } from './base.js';

/**
 * Every server has a replica that is 50 ms behind. p1 reaches servers 1–3 only (q = 3, so f = 1). Server 3 votes at 5.5 and dies at 25.5; its
 * replica takes over at 125.5 without the key. p2 asks from 250 on and has 3, 4 and 5 at once, while p1 believes until its release.
 */
export const R8: CatalogueEntry = {
  scenario: {
    ...BARE_MAJORITY,
    id: 'R8',
    servers: { count: 5, replicas: 1, replicationMs: 50 },
    overrides: { p2: eagerRival(250, { workMs: 50 }) },
    faults: [
      UNREACHED,
      { on: { event: 'voted', process: 'p1', server: 'redis-3', afterMs: 20 }, do: 'crash', host: 'redis-3' },
      {
        on: { event: 'voted', process: 'p1', server: 'redis-3', afterMs: 120 },
        do: 'promote',
        host: 'redis-3',
      },
    ],
    expect: FORGOTTEN,
  },
  title: 'A voter fails over to its replica',
  question: 'Five independent servers, each with a replica for safety. Does that make the vote safer?',
  takeaway:
    'No: a failover forgets like a restart without data. The servers of a quorum lock remember for themselves, or they stay down.',
  source: 'Redis documentation, "Distributed locks with Redis", on replicas and independent masters',
  boundaries: [
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.1.on.afterMs',
      closedForm: 'crash − s < R of f ≥ m + q − N voters',
      flipsAt: (scenario) => fixedMs(scenario.servers.replicationMs),
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};
