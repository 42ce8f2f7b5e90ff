import { controls, each, expecting, FENCED_LOCKS, KEEPS_ITS_WORD, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { ONE_SERVER } from '../single/base.js';

/**
 * The watchdog sends its first renewal at 333 and has the answer at 342. p1 is done at 337 and releases while the renewal is on its way; the
 * release follows it on the same connection, and the key is gone when it arrives. p2 asks all the while and has the lock from then on.
 */
export const E11: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E11',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 310 },
    overrides: { p2: eagerRival(100, { workMs: 50 }) },
    expect: expecting(
      each(REFERENCE_LOCKS, {
        ...KEEPS_ITS_WORD,
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
        'no-orphan': 'holds',
        progress: 'holds',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
    ),
  },
  title: 'Refresh and release in flight together',
  question: 'The section ends just as the watchdog renews the lease. Which of the two wins?',
  takeaway:
    'It must not matter: a refresh that comes second finds no key of its own and sets none, and its failure is no loss to anybody.',
  source: 'derived',
  // A control: there is no inequality to stand on both sides of.
  boundaries: [],
  controls: controls(REFERENCE_LOCKS, {
    properties: [
      'mutual-exclusion',
      'exclusive-use',
      'no-stale-write',
      'own-key-only',
      'loss-signalled',
      'no-orphan',
      'quiet',
    ],
    path: 'workload.workMs',
    // The release before, with and after the renewal, to the half millisecond.
    values: [300, 305.5, 306, 306.5, 308, 310, 314.5, 315, 315.5, 320],
  }),
};
