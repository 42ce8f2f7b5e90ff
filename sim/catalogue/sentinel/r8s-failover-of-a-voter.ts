import { fixedMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { BARE_MAJORITY, FORGOTTEN, UNREACHED } from '../redlock/base.js';
import { SENTINELS, TTL_MS } from './base.js';

/**
 * R8 with Sentinels that watch all five masters. p1 reaches servers 1–3 only (q = 3, so f = 1). Server 3 votes at 5.5 and dies at 25.5; the
 * Sentinels promote its replica, without the key, within three seconds. p2 asks from 4000 on and has 3, 4 and 5, while p1 believes until 9027.
 */
export const R8S: CatalogueEntry = {
  scenario: {
    ...BARE_MAJORITY,
    id: 'R8S',
    lock: { ...BARE_MAJORITY.lock, ttlMs: TTL_MS },
    servers: { count: 5, replicas: 1, replicationMs: 50, sentinels: SENTINELS },
    network: { ...BARE_MAJORITY.network, giveUpMs: 15_000 },
    workload: { startMs: 1, workMs: 9000 },
    overrides: { p2: eagerRival(4000, { workMs: 50 }) },
    faults: [
      UNREACHED,
      { on: { event: 'voted', process: 'p1', server: 'redis-3', afterMs: 20 }, do: 'crash', host: 'redis-3' },
    ],
    expect: FORGOTTEN,
  },
  title: 'Sentinel fails a voter over',
  question: 'Each of five servers has a replica and Sentinels that see to it. Is a quorum of them a quorum?',
  takeaway:
    'Not of independent memories: a server that fails over on its own votes twice. High availability of each voter weakens the vote.',
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
