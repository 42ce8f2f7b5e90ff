import { each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { sectionMs } from '../timing.js';
import { ONE_SERVER, PATIENT_RIVAL } from './base.js';

/**
 * p1 dies 50 ms after its grant. With a ttl its key is gone at 1005, and p2, asking since 20, waits about 990 ms. Without, p2 asks in
 * vain for all of its 3 s; the holder is dead, so nobody can let go: blame library. p1's section takes 118 ms: it dies inside.
 */
export const S5: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S5',
    workload: { workMs: 100 },
    overrides: { p2: PATIENT_RIVAL },
    faults: [{ on: { event: 'granted', process: 'p1', afterMs: 50 }, do: 'crash', host: 'p1' }],
    expect: expecting(
      sound({ progress: 'holds', 'mutual-exclusion': 'holds' }),
      each(['pitfall/setnx-then-expire'], { progress: 'holds', 'mutual-exclusion': 'holds' }),
      each(['pitfall/no-ttl'], { progress: 'violated/library', 'mutual-exclusion': 'holds' }),
    ),
  },
  title: 'A lock without a ttl',
  question: 'The holder crashes before it deletes its key. Who frees the lock?',
  takeaway:
    'Nobody, if the key has no ttl. A lock that must survive the death of its holder has to be a lease.',
  source: 'Redis documentation, "Distributed locks with Redis", liveness property A',
  boundaries: [
    {
      lock: 'pitfall/no-ttl',
      property: 'progress',
      path: 'faults.0.on.afterMs',
      closedForm: 'crash before the DEL is sent: crash − grant < C',
      flipsAt: sectionMs,
      violated: 'below',
      verdict: 'violated/library',
    },
  ],
};
