import type { CatalogueEntry } from '../entry.js';

/** Everything a correct lock promises, in a world without faults. */
const CORRECT = {
  'mutual-exclusion': 'holds',
  'exclusive-use': 'holds',
  'no-stale-write': 'holds',
  'own-key-only': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
  progress: 'holds',
  settles: 'holds',
  'no-orphan': 'holds',
  quiet: 'holds',
} as const;
const FENCED = { ...CORRECT, 'fencing-order': 'holds' } as const;

function contention(servers: 1 | 3 | 5): CatalogueEntry {
  const quorum = {
    redlock: CORRECT,
    'redlock-fenced': FENCED,
    'redlock@4.2.0': CORRECT,
  };
  return {
    scenario: {
      id: `C${servers}`,
      seed: 1,
      lock: {
        name: servers === 1 ? 'single' : 'redlock',
        ttlMs: 2000,
        // Four clients in line for three sections each: nobody is to give up.
        options: { retryCount: 60, retryDelayMs: 60, retryJitterMs: 40 },
      },
      servers: { count: servers },
      processes: { count: 4 },
      network: { latencyMs: [1, 5] },
      workload: { rounds: 3, workMs: [10, 40], startMs: [0, 20], thinkMs: [0, 30] },
      resource: { fenced: false },
      // A lock may wait for its slowest answer, and load its script, before it cleans up.
      bounds: { orphanMs: 60 },
      expect: servers === 1 ? { single: CORRECT, 'single-fenced': FENCED, ...quorum } : quorum,
    },
    title: servers === 1 ? 'Contention on one server' : `Contention on ${servers} servers, without faults`,
    question: 'Four clients want the same lock three times each, and nothing goes wrong. Does anything?',
    takeaway:
      'A control: in a world without faults every property of every correct lock holds. A violation here is a bug, ours or the lock’s.',
    source: 'Control',
    boundaries: [],
  };
}

export const C1 = contention(1);
export const C3 = contention(3);
export const C5 = contention(5);
