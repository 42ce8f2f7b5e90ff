import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { EAGER } from '../rival.js';
import { broken } from '../redlock/verdicts.js';
import { oneWayMs } from '../timing.js';
import { ON_THE_WIRE } from './wire.js';

/** How long after p1's grant the link to the server is cut. */
const CUT_AFTER_MS = 490;

/**
 * p1 has the lock at 110. At 600 it is cut from the server, not from the storage, until 8600. Its refresh of 910 gets no answer and is never
 * given up, and no other follows while it waits: p1 believes until its section ends, at 6110. The key is gone at 1106, and p2 has the lock from then on; p1 goes
 * on reading and writing. p1 heeds, but is never told. A lock that goes by its own clock says so at the end of its claim.
 */
export const L07: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L07',
    lock: { name: 'redis-semaphore@5.8.0', options: { watchdog: true } },
    workload: { ...ON_THE_WIRE.workload, workMs: 6000, steps: 5, discipline: 'heeds' },
    overrides: {
      p2: { network: { latencyMs: 0 }, lock: EAGER, workload: { startMs: 1050, workMs: 500, steps: 2 } },
    },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: CUT_AFTER_MS },
        do: 'partition',
        from: 'p1',
        to: 'redis-1',
        forMs: 8000,
      },
    ],
    expect: expecting(
      each(['redis-semaphore@5.8.0'], {
        ...KEEPS_ITS_WORD,
        ...broken('library'),
        'loss-signalled': 'violated/library',
      }),
      each(['single'], {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
      }),
    ),
  },
  title: 'A refresh that is never answered',
  question:
    'The holder is cut from Redis; its refresh gets neither an answer nor an error. When does it learn?',
  takeaway:
    'Never, as long as the cut lasts: redis-semaphore takes a lock for lost when a refresh says so, and this one says nothing. What was not renewed in time is lost, by the holder’s own clock.',
  source: 'derived from the source of redis-semaphore 5.8.0',
  boundaries: [
    {
      lock: 'redis-semaphore@5.8.0',
      property: 'mutual-exclusion',
      path: 'faults.0.forMs',
      // The first refresh tells the server its script: it takes effect after three of four ways.
      closedForm: 'outage > T − a − 3 δ, a = age of the key at the cut',
      flipsAt: (scenario) => scenario.lock.ttlMs - CUT_AFTER_MS - 4 * oneWayMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
    {
      lock: 'redis-semaphore@5.8.0',
      property: 'loss-signalled',
      path: 'faults.0.forMs',
      // Where no end is claimed and no command time-out is set, the signal is due 2 δ + T after the lapse.
      closedForm: 'outage > 2 T − a − 2 δ',
      flipsAt: (scenario) => 2 * scenario.lock.ttlMs - CUT_AFTER_MS - 3 * oneWayMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
  ],
};
