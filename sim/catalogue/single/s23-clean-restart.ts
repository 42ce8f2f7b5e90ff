import { controls, sound, SOUND_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { ONE_SERVER } from './base.js';

const SAFE = {
  'mutual-exclusion': 'holds',
  'exclusive-use': 'holds',
  'no-stale-write': 'holds',
} as const;

/**
 * The server is shut down in order at 109 and back at 309 with p1's key, which keeps its absolute expiry (1004). p2 waits for p1's
 * release at 627 or, should the server be away for longer, for that expiry.
 */
export const S23: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S23',
    servers: { count: 1, persistence: 'rdb' },
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(50, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: 100 },
        do: 'shutdown',
        host: 'redis-1',
        restartAfterMs: 200,
      },
    ],
    expect: sound(SAFE),
  },
  title: 'A clean restart with persistence',
  question: 'The server is restarted in order and saves its data first. Do the locks survive?',
  takeaway:
    'Yes: keys come back with their absolute expiry, and a key whose time came meanwhile does not come back at all.',
  source: 'Redis documentation, "Distributed locks with Redis" and "Persistence"',
  boundaries: [],
  controls: [
    ...controls(SOUND_LOCKS, {
      properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'fencing-order'],
      path: 'faults.0.restartAfterMs',
      values: [1, 50, 400, 895, 1000, 2000],
    }),
    ...controls(SOUND_LOCKS, {
      properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'fencing-order'],
      path: 'faults.0.restartAfterMs',
      set: { 'servers.persistence': 'aof-always' },
      values: [1, 200, 895, 2000],
    }),
  ],
};
