import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { CONNECTED_MS, keenRival, ON_THE_WIRE } from './wire.js';

const KEPT = { ...KEEPS_ITS_WORD, 'mutual-exclusion': 'holds', progress: 'holds' } as const;

/**
 * p2 had the lock before, so that the server knows the script of the release, and not yet the renewal's. p1 has the lock at 209 and renews at 1009, when
 * eight tenths of the ttl are over: the server knows no such script and says so at 1018. p1 releases at 1013, and its key is deleted at 1017.5. The renewal is
 * sent again with its script at 1018, is there at 1022.5, finds no key and sets one, for another ttl. p2 asks every 10 ms from 806 on, at
 * 1016 and at 1026, and has the lock when that key is over, at 2023. From 5.3.1 on a renewal that finds no key is a loss.
 */
export const L08: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L08',
    lock: { name: 'redis-semaphore@5.3.0', options: { watchdog: true } },
    workload: { ...ON_THE_WIRE.workload, startMs: 200, workMs: 786 },
    overrides: {
      p2: keenRival(CONNECTED_MS, { workMs: 0, rounds: 2, thinkMs: 705 }),
    },
    // Everything is answered within 9 ms.
    bounds: { orphanMs: 100 },
    expect: expecting(
      each(['redis-semaphore@5.3.0'], { ...KEPT, 'no-orphan': 'violated/library' }),
      each(['redis-semaphore@5.3.1', 'single'], { ...KEPT, 'no-orphan': 'holds' }),
    ),
  },
  title: 'A renewal that comes after the release',
  question: 'The holder releases while a renewal of its lock is on its way. Whose is the lock afterwards?',
  takeaway:
    'Nobody’s, for a whole ttl, where a renewal creates the key that it does not find. A renewal extends what is there or reports a loss, and a release waits for a renewal that is under way.',
  source: 'derived from the source of redis-semaphore 5.3.0 (mutex/refresh)',
  boundaries: [],
};
