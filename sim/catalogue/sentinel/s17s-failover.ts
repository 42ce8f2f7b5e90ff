import { boundaries, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { fixedMs } from '../timing.js';
import { ONE_SERVER } from '../single/base.js';
import { SENTINELS, TTL_MS } from './base.js';

/**
 * S17 and F2, with nobody but the Sentinels to promote the replica. p1's key is set at 4.5 on the master; its copy would reach the replica at
 * 54.5, but the master dies at 24.5. The Sentinels find it down half a second later, agree, elect one of them and promote the replica,
 * without the key, within three seconds. p2's client asks them for the master and p2 holds beside p1, which works until 9027.
 */
export const S17S: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S17S',
    lock: { ttlMs: TTL_MS },
    servers: { count: 1, replicas: 1, replicationMs: 50, sentinels: SENTINELS },
    workload: { workMs: 9000 },
    overrides: { p2: eagerRival(4000, { workMs: 100 }) },
    faults: [{ on: { event: 'voted', process: 'p1', afterMs: 20 }, do: 'crash', host: 'redis-1' }],
    expect: expecting(
      sound({
        'mutual-exclusion': 'violated/infrastructure',
        'exclusive-use': 'violated/infrastructure',
        'no-stale-write': 'violated/infrastructure',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'violated/infrastructure' }),
    ),
  },
  title: 'Sentinel promotes a replica that has not heard of the lock',
  question: 'Three Sentinels watch the master and agree on its successor. Do they know of the lock?',
  takeaway:
    'They count votes, not keys: the replica with the most data is promoted, and what the master had not passed on is gone, tokens included.',
  source: 'Redis documentation, "High availability with Redis Sentinel"; "Distributed locks with Redis"',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'faults.0.on.afterMs',
    closedForm: 'crash − s < R',
    flipsAt: (scenario) => fixedMs(scenario.servers.replicationMs),
    violated: 'below',
    verdict: 'violated/infrastructure',
  }),
};
