import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { broken } from '../redlock/verdicts.js';
import { oneWayMs } from '../timing.js';
import { keenRival, ON_THE_WIRE } from './wire.js';

/** How long after the renewal began what p1 sends is kept back: its GET is on the way, the answer is not there yet. */
const AFTER_MS = 5;

/**
 * The library opens a connection for its subscriber first: p1's SET is applied at 132.5, its lock granted at 146 and renewed at 646, by GET and
 * PEXPIRE; it releases at 964. What p1 sends after the GET is kept back until 1451: the PEXPIRE arrives at 1455.5, long after the key was gone, at
 * 1133. By then it is p2's, who asked for 4 s; now it ends at 2456. p3 has the lock while p2 still works. A renewal by one script arrives whole or
 * not at all: it came before.
 */
export const L06: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L06',
    lock: { name: 'simple-redis-mutex@3.0.0' },
    processes: { transport: 'wire', clientPackage: 'redis', count: 3 },
    workload: { ...ON_THE_WIRE.workload, workMs: 800, extend: { atFraction: 0.5, max: 1 } },
    overrides: {
      p2: {
        network: { latencyMs: 0 },
        workload: { startMs: 1100, workMs: 2500 },
        lock: { ttlMs: 4000, options: { retryCount: 1000, retryDelayMs: 1, retryJitterMs: 0 } },
      },
      p3: keenRival(2400, { workMs: 100 }, 20),
    },
    faults: [
      {
        on: { event: 'refreshing', process: 'p1', afterMs: AFTER_MS },
        do: 'hold',
        from: 'p1',
        to: 'redis-1',
        forMs: 800,
      },
    ],
    expect: expecting(
      each(['simple-redis-mutex@3.0.0'], {
        ...broken('library'),
        'own-key-only': 'violated/library',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        'fencing-order': 'holds',
      }),
      each(['single'], {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
      }),
    ),
  },
  title: 'Read, then extend',
  question: 'A renewal asks whether the lock is its own, and then sets its time. What happens in between?',
  takeaway:
    'The lock changes hands, and the late PEXPIRE shortens a stranger’s lease. Comparing and changing belong in one script.',
  source: 'derived from the source of simple-redis-mutex 3.0.0',
  boundaries: [
    {
      lock: 'simple-redis-mutex@3.0.0',
      property: 'own-key-only',
      path: 'faults.0.forMs',
      // SET and INCR take two round trips: s − t0 = δ, the grant comes at t0 + 4 δ.
      closedForm: 'delay > T + δ − (t_refresh − t0) − δ: the PEXPIRE comes when the key is another’s',
      flipsAt: (scenario) => {
        const { ttlMs } = scenario.lock;
        const deltaMs = oneWayMs(scenario, 'p1', 'redis-1');
        return deltaMs + ttlMs - (4 * deltaMs + 0.5 * ttlMs + AFTER_MS + deltaMs);
      },
      verdict: 'violated/library',
    },
  ],
};
