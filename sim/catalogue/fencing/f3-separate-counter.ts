import { LINK_MS, roundTripMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';

/**
 * p1 has the key at 4.5 and finds itself the holder at 9. The INCR it then sends takes 1200 ms more: its key is gone at 1005,
 * p2 takes lock and token 1 there, and p1's INCR, at 1213.5, makes 2. The older hold has the newer token, so the storage
 * takes its stale write. p1's grant comes back 230 ms after the end it claims, with no key on the server: library, all of it.
 * p2 is done by then: no two beliefs at one instant, no interleaved uses.
 *
 * For a lock that sets key and counter in one script the same message is its release, which nobody waits for.
 */
const MINTED_LATE = {
  'fencing-order': 'violated/library',
  'no-stale-write': 'violated/library',
  'honest-validity': 'violated/library',
  'quorum-backed': 'violated/library',
  'mutual-exclusion': 'holds',
  'exclusive-use': 'holds',
  'own-key-only': 'holds',
} as const;

const ATOMIC = {
  'fencing-order': 'holds',
  'no-stale-write': 'holds',
  'honest-validity': 'holds',
  'quorum-backed': 'holds',
  'exclusive-use': 'holds',
  'own-key-only': 'holds',
} as const;

export const F3: CatalogueEntry = {
  scenario: {
    id: 'F3',
    seed: 1,
    lock: { name: 'single-fenced', ttlMs: 1000 },
    network: { latencyMs: LINK_MS },
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900) },
    resource: { fenced: true },
    faults: [{ on: { event: 'sent', process: 'p1', nth: 2 }, do: 'delay', byMs: 1200 }],
    // The release of the lock without the mistake is the message that is late.
    bounds: { orphanMs: 2000, settleMs: 5000 },
    expect: { 'pitfall/separate-incr': MINTED_LATE, 'single-fenced': ATOMIC },
  },
  title: 'Key and counter in two commands',
  question: 'The lock is taken by SET and its token by a separate INCR. What can come between?',
  takeaway:
    'Another holder. The token then orders the INCRs, not the holds, and the storage lets the stale writer through. Set the key and mint the token in one script.',
  source: 'AmrSaber/simple-redis-mutex #15',
  boundaries: [
    {
      lock: 'pitfall/separate-incr',
      property: 'fencing-order',
      path: 'faults.0.byMs',
      closedForm: 'D > T − (δr + δq): p1’s INCR after p2’s, which follows the end of p1’s key',
      flipsAt: (scenario) => scenario.lock.ttlMs - roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
  ],
};
