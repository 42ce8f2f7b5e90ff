import { oneWayMs } from '../timing.js';
import type { CatalogueEntry } from '../entry.js';

const NEAR_MS = 1;
const FAR_MS = 5;
const LINKS: Record<string, number> = {};
for (const [process, servers] of [
  ['p1', ['redis-1', 'redis-2']],
  ['p2', ['redis-3', 'redis-4']],
] as const) {
  for (const server of servers) {
    LINKS[`${process}->${server}`] = NEAR_MS;
    LINKS[`${server}->${process}`] = NEAR_MS;
  }
}

const SETTLES = {
  settles: 'holds',
  progress: 'holds',
  'mutual-exclusion': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
  'own-key-only': 'holds',
} as const;

/**
 * Two clients, two votes each, of four. A majority is three: both must give up, clean up, and try again until their jitter
 * parts them. Who takes half for a majority is granted beside the other, and neither ever had a quorum: library. No storage:
 * whose write is stale has no answer where neither had one.
 */
export const R10: CatalogueEntry = {
  scenario: {
    id: 'R10',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 4 },
    network: { latencyMs: FAR_MS, links: LINKS },
    workload: { workMs: 300, steps: 0 },
    overrides: { p1: { workload: { startMs: 0 } }, p2: { workload: { startMs: 0 } } },
    bounds: { orphanMs: 100 },
    expect: {
      redlock: SETTLES,
      'redlock-fenced': { ...SETTLES, 'fencing-order': 'holds' },
      'redlock@4.2.0': SETTLES,
      'pitfall/half-quorum': {
        'mutual-exclusion': 'violated/library',
        // No third vote is there for anybody to take: the keys that stand do keep a true majority out.
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        settles: 'holds',
        'own-key-only': 'holds',
      },
    },
  },
  title: 'An even number of servers, split in half',
  question: 'Two clients have two votes each of four servers. Who wins the tie?',
  takeaway:
    'Nobody: both must let go and try again. A quorum is more than half; whoever takes half for enough has two holders.',
  source: 'Observed in npm lock libraries with even server counts',
  boundaries: [
    {
      lock: 'pitfall/half-quorum',
      property: 'mutual-exclusion',
      path: 'overrides.p2.workload.startMs',
      closedForm: 'lag < δ_far − δ_near: the first comer does not reach the far half before the other',
      flipsAt: (scenario) => oneWayMs(scenario, 'p1', 'redis-3') - oneWayMs(scenario, 'p2', 'redis-3'),
      violated: 'below',
      verdict: 'violated/library',
    },
  ],
};
