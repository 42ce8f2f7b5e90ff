import { controls, each, expecting, sound, SOUND_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { LINK_MS } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * p1's SET is applied at 4.5, and the connection breaks before the reply. Whether the client asks again (and finds "somebody's" key)
 * or reports the error: this attempt has failed, and a lock that cleans up removes its own key as soon as it is connected again. The
 * pitfall does not, and stands in its own way until the key is gone at 1005: an orphan for 1 s, and its own fault. Never unsafe.
 */
export const S11: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S11',
    lock: { ttlMs: 1000, options: { retryCount: 40, retryDelayMs: 100, retryJitterMs: 0 } },
    workload: { workMs: 100 },
    overrides: { p2: { workload: { startMs: 50 } } },
    network: { latencyMs: LINK_MS },
    faults: [{ on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' }],
    // Time for the client to connect again.
    bounds: { orphanMs: 300 },
    expect: expecting(
      sound({
        'no-orphan': 'holds',
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
      }),
      each(['pitfall/no-release-on-failure'], {
        'no-orphan': 'violated/library',
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
      }),
    ),
  },
  title: 'The SET was applied, its reply was lost',
  question: 'The client never hears that it got the lock and tries again. Who holds the lock now?',
  takeaway:
    'Its own forgotten key does. A failed attempt must be undone on the server, even if nothing seems to have happened there; otherwise a client locks itself out for a ttl.',
  source: 'derived; the same effect through automatic re-sending in ioredis',
  boundaries: [],
  controls: controls([...SOUND_LOCKS, 'pitfall/no-release-on-failure'], {
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'own-key-only'],
    path: 'faults.0.on.afterMs',
    values: [0, 1, 4, 5, 10, 100, 200],
  }),
};
