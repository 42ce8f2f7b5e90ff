import { each, expecting, FENCED_LOCKS, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { oneWayMs } from '../timing.js';
import { ONE_SERVER, PATIENT_RIVAL } from './base.js';

/**
 * p1 dies the instant its key is set (4.5): the reply finds nobody, and no EXPIRE is ever sent. One SET with its ttl leaves nothing
 * to be done afterwards: the key is gone at 1005.
 */
export const S6: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S6',
    workload: { workMs: 100 },
    overrides: { p2: PATIENT_RIVAL },
    faults: [{ on: { event: 'voted', process: 'p1' }, do: 'crash', host: 'p1' }],
    expect: expecting(
      sound({ progress: 'holds' }),
      // Only p2 is ever granted.
      each(FENCED_LOCKS, { 'fencing-order': 'unknown' }),
      each(['pitfall/setnx-then-expire'], { progress: 'violated/library' }),
    ),
  },
  title: 'SETNX first, EXPIRE second',
  question: 'What if the client dies between setting the key and giving it a ttl?',
  takeaway: 'The key stays for ever. Key and ttl must be one atomic command: SET with NX and PX.',
  source: 'Redis documentation, SETNX',
  boundaries: [
    {
      lock: 'pitfall/setnx-then-expire',
      property: 'progress',
      path: 'faults.0.on.afterMs',
      closedForm: 'crash between SETNX and the sending of EXPIRE: crash − s < δr',
      flipsAt: (scenario) => oneWayMs(scenario, 'redis-1', 'p1'),
      violated: 'below',
      verdict: 'violated/library',
    },
  ],
};
