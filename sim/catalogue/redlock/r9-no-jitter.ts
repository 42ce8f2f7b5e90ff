import { oneWayMs } from '../timing.js';
import type { CatalogueEntry } from '../entry.js';

/** Each client is next to one server; all other links are longer. */
const NEAR_MS = 1;
const FAR_MS = 5;
const LINKS: Record<string, number> = {};
for (const i of [1, 2, 3]) {
  LINKS[`p${i}->redis-${i}`] = NEAR_MS;
  LINKS[`redis-${i}->p${i}`] = NEAR_MS;
}

/**
 * Three clients in step: in each round each has its own server at 1 ms and finds the others taken at 5 ms, gives up and
 * comes back after the same delay as the others. Nobody is ever granted; thirty rounds of over 100 ms outlast what
 * `progress` allows (1250 ms). A majority of servers was there all the time: library. No grant: mutual-exclusion is unknown.
 */
const LIVELOCK = {
  progress: 'violated/library',
  'mutual-exclusion': 'unknown',
  settles: 'holds',
  'own-key-only': 'holds',
} as const;

export const R9: CatalogueEntry = {
  scenario: {
    id: 'R9',
    seed: 1,
    lock: {
      name: 'redlock',
      ttlMs: 1000,
      options: { retryCount: 30, retryDelayMs: 100, retryJitterMs: 0 },
    },
    servers: { count: 3 },
    processes: { count: 3 },
    network: { latencyMs: FAR_MS, links: LINKS },
    workload: { workMs: 20 },
    bounds: { orphanMs: 100 },
    expect: {
      redlock: LIVELOCK,
      'redlock-fenced': LIVELOCK,
      'redlock@4.2.0': LIVELOCK,
    },
  },
  title: 'Retries without jitter',
  question: 'Three clients ask at the same time and retry after the same delay. Who gets the lock?',
  takeaway:
    'Nobody, for as long as they stay in step: each holds a minority in every round. Random jitter in the retry delay is part of the algorithm, not decoration.',
  source: 'Redis documentation, "Distributed locks with Redis", retry on failure',
  boundaries: ['redlock', 'redlock-fenced', 'redlock@4.2.0'].map((lock) => ({
    lock,
    property: 'progress',
    path: 'overrides.p1.workload.startMs',
    closedForm: 'lag < δ_far − δ_near: nobody reaches a second server before its neighbour',
    flipsAt: (scenario) => oneWayMs(scenario, 'p2', 'redis-1') - oneWayMs(scenario, 'p1', 'redis-1'),
    violated: 'below',
    verdict: 'violated/library',
  })),
  controls: ['redlock', 'redlock-fenced', 'redlock@4.2.0'].map((lock) => ({
    lock,
    properties: ['progress', 'mutual-exclusion'],
    path: 'lock.options.retryJitterMs',
    values: [50, 100],
  })),
};
