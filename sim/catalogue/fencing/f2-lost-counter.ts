import type { Scenario } from '../../scenario/schema.js';
import { fixedMs, LINK_MS, oneWayMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';

/** The promotion must come before the script that set key and counter has reached the replica: s + R. */
function flipsAt(scenario: Scenario): number {
  return oneWayMs(scenario, 'p1', 'redis-1') + fixedMs(scenario.servers.replicationMs);
}

/**
 * p1 takes token 1 at 4.5, works, and has released by 31.5: no two holders. At 100 a replica 200 ms behind takes over: neither
 * key nor counter had reached it. p2, from 250 on, is given token 1 again. With the master's data it would be 2:
 * infrastructure. Nothing else is wrong, and that is what makes it dangerous: only a later stale write shows it.
 */
const REPEATED = {
  'fencing-order': 'violated/infrastructure',
  'exclusive-use': 'holds',
  'no-stale-write': 'holds',
  'own-key-only': 'holds',
} as const;

export const F2: CatalogueEntry = {
  scenario: {
    id: 'F2',
    seed: 1,
    lock: { name: 'single-fenced', ttlMs: 1000 },
    servers: { count: 1, replicas: 1, replicationMs: 200 },
    network: { latencyMs: LINK_MS },
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(250) },
    resource: { fenced: true },
    faults: [{ atMs: 100, do: 'promote', host: 'redis-1' }],
    bounds: { orphanMs: 100 },
    expect: { 'single-fenced': REPEATED, 'redlock-fenced': REPEATED },
  },
  title: 'The counter is lost at a failover',
  question: 'Fencing tokens come from INCR. What are they worth after a replica that lags has been promoted?',
  takeaway:
    'A token is only as durable as its counter: after an unreplicated promotion the same number is handed out twice, and the storage cannot tell the two holders apart.',
  source: 'Kleppmann 2016, "How to do distributed locking"',
  boundaries: [
    {
      lock: 'single-fenced',
      property: 'fencing-order',
      path: 'faults.0.atMs',
      closedForm: 'promotion − s_i < R',
      flipsAt,
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};
