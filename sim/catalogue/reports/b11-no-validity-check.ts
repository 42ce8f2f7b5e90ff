import type { Boundary, CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { eagerRival } from '../rival.js';
import { driftAllowanceMs, oneWayMs } from '../timing.js';
import { REPORTED, scriptedApplyMs } from './base.js';

const FORK = '@sesamecare-oss/redlock@1.4.0';
const UNCHECKED = ['redlock@5.0.0-beta.2', FORK] as const;

/**
 * p1's votes are cast at 13.5, at the second asking; the answers are kept back for 1500 ms. The keys are gone at 1014, p2 holds until
 * 1614. At 1518 p1 counts three votes and is told that it holds a lock that was over at 988: an instant of belief within p2's, uses
 * among p2's, no key of its own on any server. Redlock 4 compares the clock with the end before it says yes.
 */
export const B11: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B11',
    servers: { count: 3 },
    workload: { workMs: 0 },
    overrides: { p2: eagerRival(900, { workMs: 600 }) },
    faults: [
      {
        on: { event: 'voted', process: 'p1', server: 'redis-1' },
        do: 'hold',
        from: ['redis-1', 'redis-2', 'redis-3'],
        to: 'p1',
        forMs: 1500,
      },
    ],
    // The keys of an attempt whose answers are kept back stay for their ttl: nobody could know of them.
    bounds: { orphanMs: 2000 },
    expect: expecting(
      each(UNCHECKED, {
        'mutual-exclusion': 'violated/library',
        'exclusive-use': 'violated/library',
        // p1's write is in before p2's, which has read what p1 then replaces.
        'no-stale-write': 'holds',
        'honest-validity': 'violated/library',
        'quorum-backed': 'violated/library',
        'own-key-only': 'holds',
      }),
      each(['redlock@4.2.0', 'redlock'], {
        'mutual-exclusion': 'holds',
        'exclusive-use': 'holds',
        'no-stale-write': 'holds',
        'honest-validity': 'holds',
        'quorum-backed': 'holds',
        'own-key-only': 'holds',
        quiet: 'holds',
      }),
    ),
  },
  title: 'Votes that come in after the lease',
  question: 'All three servers said yes, a second and a half ago. Is the lock held?',
  takeaway:
    'Not where it lives for one second. Version 4 looked at the clock before it said yes; the rewrite and its fork only count votes.',
  source: 'mike-marcacci/node-redlock, pull request #369',
  report: 'mike-marcacci/node-redlock#369',
  boundaries: [
    ...UNCHECKED.map((lock): Boundary => ({
      lock,
      property: 'honest-validity',
      path: 'faults.0.forMs',
      closedForm: 'D > T − d − (s − t0) − δr',
      flipsAt: (scenario) =>
        scenario.lock.ttlMs -
        driftAllowanceMs(scenario) -
        // ioredis' own script commands send their text on a connection's first call, the others wait to be told NOSCRIPT.
        (lock === FORK ? oneWayMs(scenario, 'p1', 'redis-1') : scriptedApplyMs(scenario)) -
        oneWayMs(scenario, 'redis-1', 'p1'),
      verdict: 'violated/library',
    })),
    {
      lock: 'redlock@5.0.0-beta.2',
      property: 'mutual-exclusion',
      path: 'faults.0.forMs',
      closedForm: 'D > T − δr, while B holds',
      flipsAt: (scenario) => scenario.lock.ttlMs - oneWayMs(scenario, 'redis-1', 'p1'),
      verdict: 'violated/library',
    },
  ],
};
