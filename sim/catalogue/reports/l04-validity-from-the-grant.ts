import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { broken } from '../redlock/verdicts.js';
import { oneWayMs } from '../timing.js';
import { keenRival, ON_THE_WIRE } from './wire.js';

/**
 * The ttl is 4 s. p1's votes stand from 105.5 on, the third answer is kept back until 2595.5, and the lock is granted at 2600. `using` renews
 * when 80 % of the ttl have passed, counted from the grant: at 5800. The keys are gone at 4106, and p2 has the lock until 4806. p1 reads at 5267 and
 * writes at 6600, is told at 5809 and, being naive, goes on. A lock that counts from the beginning, or does not wait for the third server, renews
 * in time.
 */
export const L04: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L04',
    lock: { name: 'redlock-universal@0.8.5/using', ttlMs: 4000, options: { watchdog: true, retryCount: 0 } },
    servers: { count: 3 },
    workload: { ...ON_THE_WIRE.workload, workMs: 4000, steps: 4 },
    overrides: { p2: keenRival(4050, { workMs: 700, steps: 2 }) },
    faults: [
      {
        on: { event: 'voted', process: 'p1', server: 'redis-3' },
        do: 'hold',
        from: 'redis-3',
        to: 'p1',
        forMs: 2490,
      },
    ],
    expect: expecting(
      each(['redlock-universal@0.8.5/using'], {
        ...broken('library'),
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        'own-key-only': 'holds',
        'loss-signalled': 'violated/library',
      }),
      each(['redlock', '@sesamecare-oss/redlock@1.4.0/using'], {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
      }),
    ),
  },
  title: 'Renewal counted from the grant',
  question: 'Taking the lock took 2.5 of its 4 seconds. When is the first renewal due?',
  takeaway:
    'Before the keys go, which were set at the beginning. redlock-universal’s `using` counts the ttl from the end of the acquisition, renews too late, and tells its holder later still.',
  source: 'derived from the source of redlock-universal 0.8.5',
  boundaries: [
    {
      lock: 'redlock-universal@0.8.5/using',
      property: 'mutual-exclusion',
      path: 'faults.0.forMs',
      // The renewal asks who holds the lock, loads its script and runs it.
      closedForm: 'e + 0.8 T + 5 δ > T + δ',
      flipsAt: (scenario) => scenario.lock.ttlMs * 0.2 - 6 * oneWayMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
  ],
};
