import { controls, sound, SOUND_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { eagerRival } from '../rival.js';
import { applyMs, grantMs, ONE_SERVER } from './base.js';

/**
 * p1 dies at 359 holding the lock; at 409 the server's clock goes back by 500. The key lives T + J, until 1505: p2 waits longer, and
 * nothing else happens. Its bound for waiting is set to 2 s, so that the wait itself counts as no fault.
 */
export const S14: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S14',
    workload: { workMs: 600 },
    overrides: { p2: eagerRival(300, { workMs: 100 }) },
    faults: [
      { on: { event: 'granted', process: 'p1', afterMs: 350 }, do: 'crash', host: 'p1' },
      {
        on: { event: 'granted', process: 'p1', afterMs: 400 },
        do: 'step-clock',
        host: 'redis-1',
        byMs: -500,
      },
    ],
    bounds: { ...ONE_SERVER.bounds, progressMs: 2000 },
    expect: sound({
      'mutual-exclusion': 'holds',
      'exclusive-use': 'holds',
      progress: 'holds',
    }),
  },
  title: "The server's clock jumps back",
  question: 'Does a clock that goes back break the lock as one that jumps forward does?',
  takeaway:
    'No: the key lives longer than its holder believes. It costs waiting time, T + J after a crash, not safety.',
  source: 'Redis documentation, "Distributed locks with Redis" and EXPIRE, on clocks',
  boundaries: [
    {
      lock: 'single',
      property: 'progress',
      path: 'bounds.progressMs',
      closedForm: 'wait = s + T + J − step: until the key goes, from where the tail begins',
      flipsAt: (scenario) => {
        const [, step] = scenario.faults;
        const backMs = step?.do === 'step-clock' ? -step.byMs : NaN;
        const steppedMs = grantMs(scenario) + (step?.on?.afterMs ?? NaN);
        return applyMs(scenario) + scenario.lock.ttlMs + backMs - steppedMs;
      },
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
  controls: controls(SOUND_LOCKS, {
    properties: ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'own-key-only'],
    path: 'faults.1.byMs',
    values: [-1, -17, -100, -900, -1100],
  }),
};
