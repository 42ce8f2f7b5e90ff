import { fixedMs, LINK_MS } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { broken, HONEST } from '../redlock/verdicts.js';
import { SENTINELS, TTL_MS } from './base.js';

/**
 * R8 with Sentinels that watch all five masters. p1 reaches servers 1–3 only (q = 3, so f = 1). Server 3 votes at 5.5 and dies at 25.5; the
 * Sentinels promote its replica, without the key, within three seconds. p2 asks from 4000 on and has 3, 4 and 5, while p1 believes until 9027.
 */
export const R8S: CatalogueEntry = {
  scenario: {
    id: 'R8S',
    seed: 1,
    lock: { name: 'redlock', ttlMs: TTL_MS },
    servers: { count: 5, replicas: 1, replicationMs: 50, sentinels: SENTINELS },
    network: { latencyMs: LINK_MS, giveUpMs: 15_000 },
    workload: { startMs: 1, workMs: 9000 },
    // The library waits for every server; a command that is given up stands for its missing time-out.
    processes: { client: { commandTimeoutMs: 30 } },
    overrides: { p2: eagerRival(4000, { workMs: 50 }) },
    faults: [
      { atMs: 0, do: 'partition', from: 'p1', to: ['redis-4', 'redis-5'] },
      { on: { event: 'voted', process: 'p1', server: 'redis-3', afterMs: 20 }, do: 'crash', host: 'redis-3' },
    ],
    bounds: { orphanMs: 100 },
    expect: {
      redlock: { ...broken('infrastructure'), ...HONEST },
      'redlock-fenced': {
        ...broken('infrastructure'),
        ...HONEST,
        'fencing-order': 'violated/infrastructure',
      },
      'redlock@4.2.0': { ...broken('infrastructure'), ...HONEST },
    },
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
