import { LINK_MS, oneWayMs, sectionMs } from '../timing.js';
import type { CatalogueEntry } from '../entry.js';
import { SAFE } from './verdicts.js';

/** How long a key may outlive its release. */
const ORPHAN_MS = 100;

/**
 * Each time p1 has the lock, the network between it and the servers fails for a second and a half. It still reaches the storage, is done after
 * 77 ms and releases; the release stays on the way, and the keys live to their ttl. p2 pays it: it has the lock at 1005 and not
 * before. So it goes each round.
 */
export const R14: CatalogueEntry = {
  scenario: {
    id: 'R14',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 3 },
    network: { latencyMs: LINK_MS },
    processes: { client: { commandTimeoutMs: 30 } },
    workload: { workMs: 50, rounds: 2, thinkMs: 100 },
    overrides: { p2: { workload: { startMs: 50, rounds: 2 } } },
    faults: [
      {
        on: { event: 'granted', process: 'p1', every: true },
        do: 'partition',
        from: 'p1',
        to: ['redis-1', 'redis-2', 'redis-3'],
        forMs: 1500,
      },
    ],
    bounds: { orphanMs: ORPHAN_MS },
    expect: {
      redlock: { ...SAFE, 'no-orphan': 'violated/infrastructure' },
      'redlock-fenced': { ...SAFE, 'fencing-order': 'holds', 'no-orphan': 'violated/infrastructure' },
      'redlock@4.2.0': { ...SAFE, 'no-orphan': 'violated/infrastructure' },
    },
  },
  title: 'The network fails whenever the lock is held',
  question: 'A client is cut from the servers just after it has the lock. Who pays?',
  takeaway:
    'Everybody else, a whole ttl each time: what can not be released must run out. A long ttl makes a lock safer and a lost client dearer.',
  source: 'Redis documentation, "Distributed locks with Redis", liveness arguments',
  boundaries: [
    {
      lock: 'redlock',
      property: 'no-orphan',
      path: 'faults.0.forMs',
      set: { 'workload.rounds': 1 },
      closedForm: 'outage > C + orphan bound − δq',
      flipsAt: (scenario) => sectionMs(scenario) + ORPHAN_MS - oneWayMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/infrastructure',
    },
  ],
};
