import type { Scenario } from '../../scenario/schema.js';
import { driftAllowanceMs, LINK_MS, oneWayMs } from '../timing.js';
import type { CatalogueEntry } from '../entry.js';

const PATIENT = {
  settles: 'holds',
  progress: 'holds',
  'mutual-exclusion': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
  'own-key-only': 'holds',
  'no-orphan': 'holds',
} as const;

/**
 * Two of three servers answer at once, a majority; the third never does, and its connection stays up. A lock that waits
 * for all of them is never told: no call settles, the loser's neither. The winner's keys stand for the ttl without a grant: an orphan. A majority was reachable throughout: library.
 */
const HANGS = {
  settles: 'violated/library',
  progress: 'violated/library',
  'no-orphan': 'violated/library',
  'mutual-exclusion': 'unknown',
} as const;

/** The attempt takes as long as its slowest answer: e = T − d, solved for that answer's way back. */
function replyFlipsAt(scenario: Scenario): number {
  return scenario.lock.ttlMs - driftAllowanceMs(scenario) - oneWayMs(scenario, 'p1', 'redis-3');
}

export const R11: CatalogueEntry = {
  scenario: {
    id: 'R11',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 3 },
    network: { latencyMs: LINK_MS },
    workload: { startMs: 10, workMs: 20 },
    faults: [{ atMs: 0, do: 'partition', from: ['p1', 'p2'], to: 'redis-3' }],
    limits: { virtualMs: 30_000 },
    bounds: { orphanMs: 100, progressMs: 3000, settleMs: 20_000 },
    expect: {
      redlock: PATIENT,
      'redlock-fenced': { ...PATIENT, 'fencing-order': 'holds' },
      'redlock@4.2.0': HANGS,
      'pitfall/waits-for-all': HANGS,
    },
  },
  title: 'One server is silent',
  question: 'One of three servers does not answer, and does not refuse either. Can the lock still be taken?',
  takeaway:
    'Two votes of three are enough, if the lock stops waiting for the third. Without a time-out per server one silent machine stops everybody, which is what the other two were bought to prevent.',
  source: 'Redis documentation, "Distributed locks with Redis", step 2; mike-marcacci/node-redlock #44',
  boundaries: ['pitfall/waits-for-all', 'redlock@4.2.0'].map((lock) => ({
    lock,
    property: 'progress',
    path: 'network.links.redis-3->p1',
    // Slow instead of silent. The library's first attempt and clean-up take two round trips each, to load the scripts.
    set: { 'faults.0.forMs': 0, 'bounds.progressMs': 8000 },
    closedForm: 'e ≥ T − d, e the slowest answer',
    flipsAt: replyFlipsAt,
    verdict: 'violated/library',
  })),
};
