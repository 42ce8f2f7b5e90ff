import { each, expecting } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { sectionMs } from '../timing.js';
import { grantMs, ONE_SERVER } from '../single/base.js';

/**
 * Two permits. p1 and p2 have them from 9 on, and they run out when a clock shows 1000. p3's clock is 900 ms ahead: its first asking, at
 * 150, takes away both as run out, and p3 is the third holder of two permits. Scored by the server's own clock nothing is taken away.
 */
export const Q1: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'Q1',
    lock: { ttlMs: 1000, permits: 2 },
    processes: { count: 3 },
    clocks: { p3: { offsetMs: 900 } },
    workload: { workMs: 600 },
    overrides: { p3: eagerRival(150, { workMs: 100 }) },
    expect: expecting(
      each(['semaphore'], { permits: 'holds', quiet: 'holds' }),
      each(['pitfall/semaphore-client-clock'], { permits: 'violated/library' }),
    ),
  },
  title: "A semaphore goes by its clients' clocks",
  question:
    'Each client notes when its permit runs out, by its own clock. What does a client do whose clock is ahead?',
  takeaway:
    'It throws the others out. Whoever takes permits away must read the clock that they were given out by: the server’s.',
  source: 'derived from the source of redis-semaphore 5.8.0',
  boundaries: [
    {
      lock: 'pitfall/semaphore-client-clock',
      property: 'permits',
      path: 'clocks.p3.offsetMs',
      closedForm: 'J > T − a, a = age of the permit at the last asking before it is given back',
      flipsAt: (scenario) => scenario.lock.ttlMs + 1 - (grantMs(scenario) + sectionMs(scenario)),
      verdict: 'violated/library',
    },
  ],
  controls: [
    {
      lock: 'semaphore',
      properties: ['permits'],
      path: 'clocks.p3.offsetMs',
      values: [-5000, 0, 400, 900, 60_000],
    },
  ],
};
