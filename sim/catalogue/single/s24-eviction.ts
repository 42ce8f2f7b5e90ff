import { boundaries, each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/** By the engine's reckoning; a lock key takes about a hundred bytes. */
const MAX_MEMORY = 10_000;
/** How long an asker may be kept waiting. */
const PATIENCE_MS = 3000;
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

/**
 * The same server evicts nothing. At 20 somebody fills it beyond its limit: from then on every SET is refused, p2's, too, long after p1 has released.
 */
export const S24N: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S24N',
    servers: { count: 1, maxMemory: MAX_MEMORY, maxMemoryPolicy: 'noeviction' },
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(150, { workMs: 100 }) },
    faults: [{ atMs: 20, do: 'fill', host: 'redis-1', bytes: MAX_MEMORY }],
    bounds: { ...ONE_SERVER.bounds, progressMs: PATIENCE_MS },
    expect: expecting(
      sound({ 'mutual-exclusion': 'holds', progress: 'violated/infrastructure' }),
      // One token is in no order.
      each(FENCED_LOCKS, { 'fencing-order': 'unknown' }),
    ),
  },
  title: 'The memory is full, and nothing is evicted',
  question: 'A lock server that evicts nothing has run out of memory. What happens to its locks?',
  takeaway:
    'Those that are held are safe, and nobody gets another: safety is paid with liveness. Watch the memory of a lock server, and keep others off it.',
  source: 'Redis documentation, "Key eviction", on noeviction',
  boundaries: [
    {
      lock: 'single',
      property: 'progress',
      path: 'faults.0.bytes',
      set: { 'faults.0.atMs': 700, 'overrides.p2.workload.startMs': 800 },
      closedForm: 'memory used > maxmemory: the value, its key and their bookkeeping (64 bytes)',
      flipsAt: ({ servers }) => servers.maxMemory - 'other:1'.length - 64 + 0.5,
      step: 0.5,
      verdict: 'violated/infrastructure',
    },
  ],
};
