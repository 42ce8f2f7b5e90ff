import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { broken } from '../redlock/verdicts.js';
import { REPORTED } from './base.js';

const ANY = [
  'redlock@4.2.0',
  'redlock@5.0.0-beta.2',
  '@sesamecare-oss/redlock@1.4.0',
  'redis-semaphore@5.8.0',
  'redlock-universal@0.8.5/simple',
  '@microfleet/ioredis-lock@6.0.1',
  'node-redis-warlock@1.0.2',
  'single',
  'redlock',
] as const;

/**
 * The key that p1 has on the master would reach the replica 50 ms later; the master dies 20 ms after it was set, and 100 ms later the replica
 * takes its place and its name, without the key. p2 comes at 300 and gets the lock that p1 works under until 620: whichever library.
 */
export const B24: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B24',
    servers: { count: 1, replicas: 1, replicationMs: 50 },
    workload: { workMs: 600 },
    overrides: { p2: { network: { latencyMs: 0 }, workload: { startMs: 300, workMs: 100 } } },
    faults: [
      { on: { event: 'voted', process: 'p1', afterMs: 20 }, do: 'crash', host: 'redis-1' },
      { on: { event: 'voted', process: 'p1', afterMs: 120 }, do: 'promote', host: 'redis-1' },
    ],
    expect: expecting(
      each(ANY, {
        ...broken('infrastructure'),
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        quiet: 'holds',
      }),
    ),
  },
  title: 'A promoted replica does not know the lock',
  question:
    'A master dies and its replica takes over. Does a lock library help with what was not copied yet?',
  takeaway: 'None does: a lock on one server with replicas is lost with the writes that were not.',
  source: 'mike-marcacci/node-redlock #16',
  report: 'mike-marcacci/node-redlock#16',
  boundaries: [],
};
