import { boundaries, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/** By the engine's reckoning; a lock key takes about a hundred bytes. */
const MAX_MEMORY = 10_000;
/** Leaves room for a counter of tokens, but not for a lock key beside it. */
const FILL_BYTES = 9_850;

/**
 * The server may use 10,000 bytes and evicts the key unused for longest. At 109 somebody writes a value that takes nearly all. p2's first
 * command, at 150, finds memory short, and the oldest key goes: p1's, last used when it was set. p2 holds beside p1, which works until 627.
 */
export const S24: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S24',
    servers: { count: 1, maxMemory: MAX_MEMORY, maxMemoryPolicy: 'allkeys-lru' },
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(150, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: 100 },
        do: 'fill',
        host: 'redis-1',
        bytes: FILL_BYTES,
      },
    ],
    expect: sound({
      'mutual-exclusion': 'violated/infrastructure',
      'exclusive-use': 'violated/infrastructure',
      'no-stale-write': 'violated/infrastructure',
    }),
  },
  title: 'The lock is evicted',
  question:
    'The lock shares its server with a cache, and the memory of the server has a limit. What goes when it is reached?',
  takeaway:
    'Whatever the policy picks, locks included: a key with a ttl is just what it likes. A lock server evicts nothing (noeviction), and has memory to spare.',
  source: 'Redis documentation, "Key eviction"',
  boundaries: boundaries(['single', 'redlock'], ['mutual-exclusion'], {
    path: 'overrides.p2.workload.startMs',
    set: { 'workload.workMs': 1500 },
    closedForm: 'a < T − d, a = age of the lock when it is evicted',
    flipsAt: (scenario) => scenario.lock.ttlMs - driftAllowanceMs(scenario),
    violated: 'below',
    verdict: 'violated/infrastructure',
  }),
};
