import type { Scenario } from '../../scenario/schema.js';
import { driftAllowanceMs, LINK_MS, oneWayMs, sectionMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { broken, HONEST } from './verdicts.js';

/** p1's key ends at s + T − J; its belief at the release (s + δr + C) or at its claimed end (t0 + T − d), whichever is first. */
function flipsAt(scenario: Scenario): number {
  const { ttlMs } = scenario.lock;
  const beforeClaimedEnd = driftAllowanceMs(scenario) + oneWayMs(scenario, 'p1', 'redis-1');
  const beforeRelease = ttlMs - (oneWayMs(scenario, 'redis-1', 'p1') + sectionMs(scenario));
  return Math.max(beforeClaimedEnd, beforeRelease);
}

const step = (server: number) =>
  ({
    on: { event: 'granted', process: 'p1', afterMs: 100 },
    do: 'step-clock',
    host: `redis-${server}`,
    byMs: 600,
  }) as const;

/**
 * All five servers voted (q = 5), so f = m + q − N = 3 must lose the key. Three clocks jump 600 ms: the keys end at 405,
 * p2 has them at once, p1 believes until its release at 809.5 and writes shortly before. Without the steps p1's keys
 * would have stood until 1005: infrastructure, for any lock.
 */
export const R3: CatalogueEntry = {
  scenario: {
    id: 'R3',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 5 },
    network: { latencyMs: LINK_MS },
    // With two awaited uses of 9 ms: C = 800.5.
    workload: { workMs: 782.5 },
    overrides: { p2: eagerRival(100, { workMs: 50 }) },
    faults: [step(1), step(2), step(3)],
    bounds: { orphanMs: 100 },
    expect: {
      redlock: { ...broken('infrastructure'), ...HONEST },
      'redlock-fenced': { ...broken('infrastructure'), ...HONEST, 'fencing-order': 'holds' },
      'redlock@4.2.0': { ...broken('infrastructure'), ...HONEST },
    },
  },
  title: 'The clocks of three servers jump forward',
  question:
    'Time synchronisation moves the clocks of a majority of the servers forward by 600 ms. Does the lock survive?',
  takeaway:
    'Keys end by the wall clock of their server. When as many servers as a rival still needs jump past the ttl, two clients hold the lock, and no client code can notice.',
  source: 'Kleppmann 2016, "How to do distributed locking"; Redis EXPIRE page',
  boundaries: [
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.0.byMs',
      closedForm: 'J > T − (δr + C), of the third of the servers that jump',
      flipsAt,
      verdict: 'violated/infrastructure',
    },
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.0.byMs',
      // A section that outlasts the claim: now the claimed end decides.
      set: { 'workload.workMs': 1000 },
      closedForm: 'J > d + (s_i − t0)',
      flipsAt,
      // Redis's whole milliseconds, and those of the rival.
      step: 2,
      verdict: 'violated/infrastructure',
    },
    {
      lock: 'redlock@4.2.0',
      property: 'mutual-exclusion',
      path: 'faults.0.byMs',
      closedForm: 'J > T − (δr + C), of the third of the servers that jump',
      flipsAt,
      verdict: 'violated/infrastructure',
    },
  ],
  // Two servers are not enough: the third key stands.
  controls: ['redlock', 'redlock-fenced', 'redlock@4.2.0'].map((lock) => ({
    lock,
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write'],
    path: 'faults.0.byMs',
    values: [0],
  })),
};
