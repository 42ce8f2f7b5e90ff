import { boundaries, each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { Boundary, CatalogueEntry } from '../entry.js';
import { oneWayMs } from '../timing.js';
import { CONNECTED_MS, ON_THE_WIRE, ONCE } from './wire.js';

/** One vote for, one against, of two: neither side ever is a majority, and no other end of the counting is foreseen. */
const NEVER_ENDS = {
  settles: 'violated/library',
  'no-orphan': 'violated/library',
  'mutual-exclusion': 'unknown',
} as const;

/** @param commands how many a vote takes */
function tied(lock: string, commands: number): Boundary[] {
  return boundaries([lock], ['settles'], {
    path: 'overrides.p2.workload.startMs',
    closedForm: 'lag < δ_far − δ_near: the first comer does not reach the far server before the other',
    flipsAt: (scenario) =>
      CONNECTED_MS + commands * (oneWayMs(scenario, 'p1', 'redis-2') - oneWayMs(scenario, 'p2', 'redis-2')),
    violated: 'below',
    verdict: 'violated/library',
  });
}

/**
 * Each of two processes is near to one of two servers and asks both at once: one vote each. Neither can win, and a lock that knows that says so. These
 * wait for a majority for or against: their calls never settle, and the votes that they have stay for their ttl.
 */
export const L03: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L03',
    lock: { name: 'redlock@5.0.0-beta.2', ...ONCE },
    servers: { count: 2 },
    network: { latencyMs: 5, links: { 'p1->redis-2': 20, 'p2->redis-1': 20 } },
    workload: { ...ON_THE_WIRE.workload, workMs: 100 },
    overrides: { p2: { workload: { startMs: CONNECTED_MS } } },
    limits: { virtualMs: 10_000 },
    bounds: { progressMs: 3000, settleMs: 5000 },
    expect: expecting(
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0'], NEVER_ENDS),
      each(['redlock@4.2.0', 'redlock'], {
        settles: 'holds',
        progress: 'holds',
        'no-orphan': 'holds',
        quiet: KEEPS_ITS_WORD.quiet,
      }),
    ),
  },
  title: 'A tie',
  question: 'Two servers, two processes, one vote each. Who is told what?',
  takeaway:
    'Nobody is told anything, ever: redlock 5 waits for a majority of answers for or against, and with an even number of servers there may be neither. Use an odd number.',
  source: 'observed with redlock 5.0.0-beta.2 and its fork',
  boundaries: [
    // The first version tells each server its script first: the votes come with the second command.
    ...tied('redlock@5.0.0-beta.2', 2),
    ...tied('@sesamecare-oss/redlock@1.4.0', 1),
  ],
};
