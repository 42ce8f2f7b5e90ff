import { LINK_MS, majority, roundTripMs, sectionMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { FORGOTTEN } from './base.js';

/** ioredis tries to reconnect first after so long. */
const RECONNECT_MS = 50;

/**
 * p1 has all five votes and renews them twice a ttl for four seconds. Servers 1, 2 and 3 restart one after another, empty, a second apart:
 * no single restart endangers the lock. But an extension never sets a key that is gone, so q is 4 from 500 on and 3 = m from 1500 on, and the restart at
 * 2500 leaves two. p2's client is back at 2550, it has 1, 2 and 3, and p1 still believes: the extension that fails is on its way.
 */
export const R13: CatalogueEntry = {
  scenario: {
    id: 'R13',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 5, persistence: 'none' },
    network: { latencyMs: LINK_MS },
    workload: { workMs: 4000, steps: 9, extend: { atFraction: 0.5, max: 20 } },
    overrides: { p2: eagerRival(2400, { workMs: 50, steps: 2 }) },
    faults: [
      { atMs: 500, do: 'crash', host: 'redis-1', restartAfterMs: 20 },
      { atMs: 1500, do: 'crash', host: 'redis-2', restartAfterMs: 20 },
      { atMs: 2500, do: 'crash', host: 'redis-3', restartAfterMs: 20 },
    ],
    bounds: { orphanMs: 100 },
    expect: FORGOTTEN,
  },
  title: 'Restarts wear a renewed quorum down',
  question:
    'The lock is renewed for hours. Every server is restarted once, one at a time. Does it still stand?',
  takeaway:
    'Not if renewal only prolongs what is there: each restart takes a vote for good, and the last one of a majority takes the lock. Long holds need servers that remember.',
  source: 'redsync #149',
  boundaries: [
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'faults.2.atMs',
      set: { 'workload.workMs': 2000, 'workload.steps': 2, 'overrides.p2.workload.startMs': 1900 },
      closedForm: 'f = m + q − N with q = m: one more restart while A believes',
      flipsAt: (scenario) => {
        if (majority(scenario) !== 3) return NaN;
        const releaseMs = roundTripMs(scenario, 'p1', 'redis-4') + sectionMs(scenario);
        return releaseMs - RECONNECT_MS;
      },
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};
