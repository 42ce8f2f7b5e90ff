import type { Scenario } from '../../scenario/schema.js';
import { LINK_MS, roundTripMs } from '../timing.js';
import type { CatalogueEntry } from '../entry.js';

const late = (server: number) =>
  ({
    on: { event: 'sent', process: 'p1', server: `redis-${server}` },
    do: 'delay',
    byMs: 200,
  }) as const;

/** The SET on the old connection must arrive after the DEL that follows the time-out on a new one, once that is open. */
function setFlipsAt(scenario: Scenario): number {
  const timeoutMs = scenario.overrides['p1']?.client?.commandTimeoutMs ?? NaN;
  return timeoutMs + roundTripMs(scenario, 'p1', 'redis-1');
}

/**
 * p2 takes and releases the lock first (so that scripts are loaded everywhere). At 100 p1 asks: its commands to three
 * servers take 200 ms more, it gives up on them after 30 ms, opens new connections, cleans up, and is refused at its only
 * attempt. Then the old connections deliver: three keys of nobody, until 1304. p2, who asks again meanwhile, pays for it.
 * The clean-up was sent and overtaken: infrastructure. Whoever sends none: library.
 */
const OVERTAKEN = {
  'no-orphan': 'violated/infrastructure',
  'own-key-only': 'holds',
  settles: 'holds',
} as const;

export const R12: CatalogueEntry = {
  scenario: {
    id: 'R12',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 5 },
    network: { latencyMs: LINK_MS },
    workload: { workMs: 10 },
    overrides: {
      p1: {
        workload: { startMs: 100 },
        client: { commandTimeoutMs: 30, reconnectOnTimeout: true },
        lock: { options: { retryCount: 0 } },
      },
      p2: { workload: { rounds: 2, thinkMs: 300 }, lock: { options: { retryCount: 20 } } },
    },
    faults: [late(1), late(2), late(3)],
    bounds: { orphanMs: 100 },
    expect: {
      redlock: OVERTAKEN,
      'redlock-fenced': OVERTAKEN,
      'redlock@4.2.0': OVERTAKEN,
      'pitfall/no-release-on-failure': { ...OVERTAKEN, 'no-orphan': 'violated/library' },
    },
  },
  title: 'The clean-up overtakes what it cleans up',
  question:
    'An attempt times out, its clean-up goes out on a new connection, and the old connection delivers later. What is left?',
  takeaway:
    'Keys that belong to nobody, for a whole ttl. On one connection the DEL cannot overtake the SET; with a new one it can, and only the ttl cleans up.',
  source: 'Redis documentation, "Distributed locks with Redis", step 5; jepsen-io/etcd lock workload',
  boundaries: ['redlock', 'redlock-fenced', 'redlock@4.2.0'].map((lock) => ({
    lock,
    property: 'no-orphan',
    path: 'faults.0.byMs',
    // One server alone: it does not decide the attempt, only what is left behind.
    set: { 'faults.1.byMs': 25, 'faults.2.byMs': 25 },
    closedForm: 'δ_SET > time-out + opening a connection + δ_DEL',
    flipsAt: setFlipsAt,
    verdict: 'violated/infrastructure',
  })),
};
