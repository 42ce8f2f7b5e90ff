import { oneWayMs, driftAllowanceMs, LINK_MS } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { SAFE } from './verdicts.js';

/**
 * p1's votes are cast at 4.5 ms, where the pause begins; its answers wait 1500 ms. The keys are gone at 1005, p2 holds until
 * 1605. A lock that looks at the elapsed time refuses at 1504.5 and asks again later. One that does not returns a grant whose
 * end (988) is past and whose servers all hold p2's key: an instant of belief within p2's, and uses among p2's. The pause
 * began before acquire returned, so the lock could have known: blame library.
 */
export const R1: CatalogueEntry = {
  scenario: {
    id: 'R1',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 5 },
    network: { latencyMs: LINK_MS },
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900, { workMs: 600 }) },
    faults: [
      { on: { event: 'voted', process: 'p1', server: 'redis-1' }, do: 'pause', host: 'p1', forMs: 1500 },
    ],
    bounds: { orphanMs: 100 },
    expect: {
      redlock: SAFE,
      'redlock-fenced': { ...SAFE, 'fencing-order': 'holds' },
      'redlock@4.2.0': SAFE,
      'pitfall/no-validity-check': {
        'mutual-exclusion': 'violated/library',
        'exclusive-use': 'violated/library',
        // p1's write is in before p2's, which has read what p1 then replaces.
        'no-stale-write': 'holds',
        'honest-validity': 'violated/library',
        'quorum-backed': 'violated/library',
        // Its signal follows its grant by a timer's millisecond, half a second after the end.
        'loss-signalled': 'violated/library',
        'own-key-only': 'holds',
      },
    },
  },
  title: 'A pause while the votes are on their way back',
  question:
    'The client is frozen between asking the servers and reading their answers. Does it believe them when it wakes?',
  takeaway:
    'A lock that compares the elapsed time with its ttl before it reports success survives any pause up to that comparison; one that only counts votes returns a lock that somebody else holds.',
  source: 'Kleppmann 2016, "How to do distributed locking"; antirez 2016, "Is Redlock safe?"',
  boundaries: [
    {
      lock: 'pitfall/no-validity-check',
      property: 'honest-validity',
      path: 'faults.0.forMs',
      closedForm: 'P > T − d − (t_pause − t0)',
      flipsAt: (scenario) =>
        scenario.lock.ttlMs - driftAllowanceMs(scenario) - oneWayMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/library',
    },
    {
      lock: 'pitfall/no-validity-check',
      property: 'mutual-exclusion',
      path: 'faults.0.forMs',
      closedForm: 'P > s_i + T − t_pause, while B holds',
      // The pause begins at s_1, when all links are alike.
      flipsAt: (scenario) => scenario.lock.ttlMs,
      verdict: 'violated/library',
    },
  ],
};
