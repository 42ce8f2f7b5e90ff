import type { CatalogueEntry } from '../entry.js';
import { boundaries, each, expecting } from '../expectations.js';
import { eagerRival } from '../rival.js';
import { oneWayMs } from '../timing.js';
import type { Scenario } from '../../scenario/schema.js';
import { REPORTED, scriptedApplyMs } from './base.js';

const USING = ['redlock@5.0.0-beta.2/using', '@sesamecare-oss/redlock@1.4.0/using'] as const;
const FORK = USING[1];

const BLOCKED_AT_MS = 400;

/** P: from the block to the first millisecond at which a write that is sent as it ends arrives after p2's first use. */
function blockFlipsAtMs(scenario: Scenario, lock: string): number {
  const setMs = lock === FORK ? oneWayMs(scenario, 'p1', 'redis-1') : scriptedApplyMs(scenario);
  return scenario.lock.ttlMs + setMs - BLOCKED_AT_MS - oneWayMs(scenario, 'p1', 'storage');
}

/**
 * The library would renew at 488; from 400 to 1900 nothing of p1 runs. The key is gone at about 1013 and p2 at work from then on. When p1 wakes,
 * the library finds the lock too old to renew and aborts its signal; a routine that does not look writes in the same instant. The end of the
 * section fails as well: the release finds a stranger's key, tries ten times, and rejects, which ended the reporter's processes.
 */
export const B21: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B21',
    lock: { ttlMs: 1000, options: { watchdog: true } },
    workload: { workMs: 800 },
    overrides: { p2: eagerRival(900, { workMs: 1500 }) },
    faults: [{ atMs: BLOCKED_AT_MS, do: 'pause', host: 'p1', forMs: 1500 }],
    expect: expecting(
      each(USING, {
        // No end is claimed: the holder believes until the signal, which comes as it wakes.
        'mutual-exclusion': 'violated/lease',
        observe: { p1: { granted: 1, releaseError: 'ExecutionError' } },
      }),
      each(['redlock'], { 'mutual-exclusion': 'holds' }),
      each([...USING, 'redlock'], {
        'exclusive-use': 'violated/lease',
        'no-stale-write': 'holds',
        'loss-signalled': 'holds',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        quiet: 'holds',
      }),
    ),
  },
  title: 'An event loop that is blocked past the lease',
  question: 'The library renews half a second before the end. What if the event loop is blocked for longer?',
  takeaway:
    'No lock that lives by a ttl survives that: the next holder is at work when the first one writes. The library says so by its signal, and by an error that whoever called using() has to catch.',
  source: 'mike-marcacci/node-redlock #283',
  report: 'mike-marcacci/node-redlock#283',
  boundaries: USING.flatMap((lock) =>
    boundaries([lock], ['exclusive-use'], {
      path: 'faults.0.forMs',
      closedForm: 'block > T − a − δw, a = age of the key when it begins',
      flipsAt: (scenario) => blockFlipsAtMs(scenario, lock),
      verdict: 'violated/lease',
    }),
  ),
};
