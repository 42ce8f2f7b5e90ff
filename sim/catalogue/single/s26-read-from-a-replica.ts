import { boundaries, each, expecting, KEEPS_ITS_WORD, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { oneWayMs, roundTripMs, fixedMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * Reads go to a replica that is 50 ms behind. p1 asks at 0 (its GET takes 9), its key is set at 13.5 and on the replica at 63.5. p2 reads
 * there at 40, finds nothing, and sets the key over p1's. Locks that set the key only where there is none don't ask a replica.
 */
export const S26: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S26',
    servers: { count: 1, replicas: 1, replicationMs: 50 },
    processes: { client: { readFromReplica: true } },
    workload: { workMs: 300 },
    overrides: {
      p2: {
        network: { latencyMs: 0 },
        workload: { startMs: 40, workMs: 50 },
        lock: { options: { retryCount: 200, retryDelayMs: 10, retryJitterMs: 0 } },
      },
    },
    expect: expecting(
      sound({ 'mutual-exclusion': 'holds', 'exclusive-use': 'holds', 'no-stale-write': 'holds' }),
      each(['pitfall/get-then-set'], {
        ...KEEPS_ITS_WORD,
        'own-key-only': 'violated/library',
        'mutual-exclusion': 'violated/library',
        'exclusive-use': 'violated/library',
        'no-stale-write': 'violated/library',
      }),
    ),
  },
  title: 'Ownership is read from a replica',
  question: 'The replica says that the lock is free. How old is what it says?',
  takeaway:
    'As old as replication is late. A lock is asked for and checked on the master, in the same command or script that takes it.',
  source: 'derived; Redis documentation, "Redis replication", on asynchronous replication',
  boundaries: boundaries(['pitfall/get-then-set'], ['mutual-exclusion', 'own-key-only'], {
    path: 'overrides.p2.workload.startMs',
    closedForm: 'R > age',
    flipsAt: (scenario) => {
      const setMs = roundTripMs(scenario, 'p1', 'redis-1-replica-1') + oneWayMs(scenario, 'p1', 'redis-1');
      return setMs + fixedMs(scenario.servers.replicationMs);
    },
    violated: 'below',
    verdict: 'violated/library',
  }),
};
