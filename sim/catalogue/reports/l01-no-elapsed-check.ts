import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { broken } from '../redlock/verdicts.js';
import { oneWayMs } from '../timing.js';
import { keenRival, ON_THE_WIRE, ONCE } from './wire.js';

/**
 * p1 asks at 101 and has all three votes at 105.5; the third answer is kept back for 1500 ms. Its keys are gone at 1106 and p2, who asks from
 * 650, has the lock until 1806 and more. A lock that waits for all answers and then looks at the time refuses at 1610; one that does not look
 * returns a grant that p2's keys contradict. p1 then reads and writes beside p2 and after it, and its refresh, the first to notice, would come at
 * 2410. Whoever waits for all leaves its own keys standing for their ttl without a grant. The reference lock gives the third server 50 ms.
 */
export const L01: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L01',
    lock: { name: 'redis-semaphore@5.8.0/redlock-mutex' },
    servers: { count: 3 },
    workload: { ...ON_THE_WIRE.workload, workMs: 600 },
    overrides: { p1: { lock: ONCE }, p2: keenRival(650, { workMs: 700 }) },
    faults: [
      {
        on: { event: 'voted', process: 'p1', server: 'redis-3' },
        do: 'hold',
        from: 'redis-3',
        to: 'p1',
        forMs: 1500,
      },
    ],
    expect: expecting(
      each(['redis-semaphore@5.8.0/redlock-mutex'], {
        ...broken('library'),
        'quorum-backed': 'violated/library',
        'honest-validity': 'violated/library',
        'loss-signalled': 'violated/library',
        'no-orphan': 'violated/library',
      }),
      each(['redlock@4.2.0'], {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'unknown',
        'no-orphan': 'violated/library',
      }),
      each(['redlock'], {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
        'no-orphan': 'holds',
      }),
    ),
  },
  title: 'A quorum that took longer than the ttl',
  question: 'The last of three servers answers when the keys are gone already. Is the lock granted?',
  takeaway:
    'redis-semaphore’s RedlockMutex counts the votes and never looks at the time they took. Comparing the elapsed time with the ttl before success is reported costs one line.',
  source: 'derived from the source of redis-semaphore 5.8.0',
  boundaries: (['honest-validity', 'quorum-backed'] as const).map((property) => ({
    lock: 'redis-semaphore@5.8.0/redlock-mutex',
    property,
    path: 'faults.0.forMs',
    closedForm: 'e > T + δ: the last answer comes when the keys are gone',
    flipsAt: (scenario) => scenario.lock.ttlMs - oneWayMs(scenario, 'redis-3', 'p1'),
    verdict: 'violated/library',
  })),
};
