import { controls, each, expecting, FENCED_LOCKS, sound, SOUND_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { grantMs, ONE_SERVER } from './base.js';
import { BACK_BEFORE_THE_END } from './s21-restart-without-data.js';

/** With appendfsync everysec the first sync comes when the server's wall clock shows its next whole second. */
const SYNC_MS = 1000;

/**
 * p1's key is set at 4.5 and would be on the disk at 1000. The power fails at 109; at 309 the server is back without the key. p2's client
 * (back-off 50, 100, 150 ms) finds it at 409 and p2 holds beside p1, which works until 827. The counter was not synced, either.
 */
export const S22: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S22',
    servers: { count: 1, persistence: 'aof-everysec' },
    workload: { workMs: 800 },
    overrides: { p2: eagerRival(50, { workMs: 100 }) },
    faults: [
      {
        on: { event: 'granted', process: 'p1', afterMs: 100 },
        do: 'crash',
        host: 'redis-1',
        power: true,
        restartAfterMs: 200,
      },
    ],
    expect: expecting(
      sound({
        'mutual-exclusion': 'violated/infrastructure',
        'exclusive-use': 'violated/infrastructure',
        'no-stale-write': 'violated/infrastructure',
      }),
      each(FENCED_LOCKS, { 'fencing-order': 'violated/infrastructure' }),
    ),
  },
  title: 'The power fails within the second before the sync',
  question:
    'The server writes every change to its append-only file, and syncs it once a second. Is the lock in it?',
  takeaway:
    'Not for up to a second. What a lock server acknowledges must be on the disk first (appendfsync always), or it must stay away for a ttl after it lost power.',
  source: 'Redis documentation, "Distributed locks with Redis" and "Persistence", appendfsync everysec',
  boundaries: [
    BACK_BEFORE_THE_END,
    {
      lock: 'single',
      property: 'mutual-exclusion',
      path: 'faults.0.on.afterMs',
      set: { 'lock.ttlMs': 3000, 'workload.workMs': 2500 },
      closedForm: 'crash before the sync of the second in which the SET came',
      flipsAt: (scenario) => SYNC_MS - grantMs(scenario),
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
  controls: controls(SOUND_LOCKS, {
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'fencing-order'],
    path: 'faults.0.restartAfterMs',
    set: { 'servers.persistence': 'aof-always' },
    values: [0, 10, 200, 600],
  }),
};
