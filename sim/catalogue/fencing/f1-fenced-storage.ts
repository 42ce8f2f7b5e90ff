import type { Scenario } from '../../scenario/schema.js';
import { LINK_MS, oneWayMs, roundTripMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { pauseAfterTheCheckFlipsAt, R2_SCENARIO } from '../redlock/r2-pause-after-the-check.js';

/**
 * The same late use as without fencing: it still arrives among or after the rival's, so exclusive-use is violated, by the
 * lease. Its write carries the older token and is refused: no stale write. Tokens rise: 1 for p1, 2 for p2.
 */
export const FENCED = {
  'mutual-exclusion': 'holds',
  'exclusive-use': 'violated/lease',
  'no-stale-write': 'holds',
  'fencing-order': 'holds',
  'own-key-only': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
} as const;

const SOURCE = 'Kleppmann 2016, "How to do distributed locking", making the lock safe with fencing';

/** P > T − (δr + s + δw): s = 0, since the pause begins as the read leaves, at the grant. */
export function pauseAfterTheReadFlipsAt(scenario: Scenario): number {
  return scenario.lock.ttlMs - oneWayMs(scenario, 'redis-1', 'p1') - oneWayMs(scenario, 'p1', 'storage');
}

export const SINGLE_SERVER: CatalogueEntry['scenario'] = {
  id: 'F1',
  seed: 1,
  lock: { name: 'single-fenced', ttlMs: 1000 },
  network: { latencyMs: LINK_MS },
  workload: { workMs: 0 },
  overrides: { p2: eagerRival(900) },
  resource: { fenced: true },
  bounds: { orphanMs: 100 },
};

export const F1: CatalogueEntry = {
  scenario: {
    ...SINGLE_SERVER,
    faults: [{ on: { event: 'used', process: 'p1' }, do: 'pause', forMs: 1500 }],
    expect: { 'single-fenced': FENCED, 'redlock-fenced': FENCED },
  },
  title: 'A stale write meets a fencing token',
  question: 'The holder is frozen past its lease and then writes. What does a fencing token change?',
  takeaway:
    'Not that two clients were at work at once, but that it does harm: the storage has seen the newer token and refuses the older write.',
  source: SOURCE,
  boundaries: [
    {
      lock: 'single-fenced',
      property: 'exclusive-use',
      path: 'faults.0.forMs',
      closedForm: 'P > T − (δr + s + δw)',
      flipsAt: pauseAfterTheReadFlipsAt,
      verdict: 'violated/lease',
    },
    {
      lock: 'single-fenced',
      property: 'no-stale-write',
      path: 'faults.0.forMs',
      // What the fence is for: without it the late write is taken.
      set: { 'resource.fenced': false },
      closedForm: 'P > T − (δr + s + δw)',
      flipsAt: pauseAfterTheReadFlipsAt,
      verdict: 'violated/lease',
    },
  ],
  controls: [
    {
      lock: 'single-fenced',
      properties: ['no-stale-write', 'fencing-order'],
      path: 'faults.0.forMs',
      values: [900, 992, 1010, 1500, 3000],
    },
  ],
};

/** Granted at δq + δr, answered to the read a storage round trip later: then the write leaves. */
function delayFlipsAt(scenario: Scenario): number {
  const ageAtSend = oneWayMs(scenario, 'redis-1', 'p1') + roundTripMs(scenario, 'p1', 'storage');
  return scenario.lock.ttlMs - ageAtSend - oneWayMs(scenario, 'p1', 'storage');
}

export const F1_DELAYED: CatalogueEntry = {
  scenario: {
    ...SINGLE_SERVER,
    id: 'F1-S3',
    faults: [{ on: { event: 'used', process: 'p1', nth: 2 }, do: 'delay', byMs: 1500 }],
    expect: { 'single-fenced': FENCED, 'redlock-fenced': FENCED },
  },
  title: 'A delayed packet meets a fencing token',
  question:
    'The write was sent in time and spent the lease in the network. Can the client do anything about it?',
  takeaway:
    'Nothing: it was right when it sent. The storage can: the token of the delayed write is older than one it has accepted.',
  source: SOURCE,
  boundaries: [
    {
      lock: 'single-fenced',
      property: 'exclusive-use',
      path: 'faults.0.byMs',
      closedForm: 'δw > T − age at send; here δw is the link and the delay',
      flipsAt: delayFlipsAt,
      verdict: 'violated/lease',
    },
    {
      lock: 'single-fenced',
      property: 'no-stale-write',
      path: 'faults.0.byMs',
      // What the fence is for: without it the late write is taken.
      set: { 'resource.fenced': false },
      closedForm: 'δw > T − age at send; here δw is the link and the delay',
      flipsAt: delayFlipsAt,
      verdict: 'violated/lease',
    },
  ],
  controls: [
    {
      lock: 'single-fenced',
      properties: ['no-stale-write', 'fencing-order'],
      path: 'faults.0.byMs',
      values: [900, 992, 1010, 1500, 3000],
    },
  ],
};

export const F1_QUORUM: CatalogueEntry = {
  scenario: {
    ...R2_SCENARIO,
    id: 'F1-R2',
    lock: { name: 'redlock-fenced', ttlMs: 1000 },
    resource: { fenced: true },
    expect: { 'redlock-fenced': FENCED },
  },
  title: 'Five servers and a fencing token',
  question: 'Can a quorum lock hand out tokens that a storage may trust?',
  takeaway:
    'Yes, if each token is raised above all that a majority has seen and written back to that majority before the lock is reported. Then the frozen holder of R2 does no harm.',
  source: SOURCE,
  boundaries: [
    {
      lock: 'redlock-fenced',
      property: 'exclusive-use',
      path: 'faults.0.forMs',
      closedForm: 'P > s₍j₎ + T − t_check − δw, j = m + q − N',
      // Writing the token back takes this lock a second round trip before it is granted.
      flipsAt: (scenario) => pauseAfterTheCheckFlipsAt(scenario) - roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/lease',
    },
    {
      lock: 'redlock-fenced',
      property: 'no-stale-write',
      path: 'faults.0.forMs',
      // What the fence is for: without it the late write is taken.
      set: { 'resource.fenced': false },
      closedForm: 'P > s₍j₎ + T − t_check − δw, j = m + q − N',
      flipsAt: (scenario) => pauseAfterTheCheckFlipsAt(scenario) - roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/lease',
    },
  ],
  controls: [
    {
      lock: 'redlock-fenced',
      properties: ['no-stale-write', 'fencing-order'],
      path: 'faults.0.forMs',
      values: [900, 992, 1010, 1500, 3000],
    },
  ],
};
