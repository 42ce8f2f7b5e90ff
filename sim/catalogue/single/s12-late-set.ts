import { boundaries, controls, each, expecting, sound, SOUND_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { roundTripMs } from '../timing.js';
import { ONE_SERVER } from './base.js';

/**
 * p1 asks once, at 10. Its SET is 200 ms late; its client gives up after 40 ms and opens a new connection, on which the clean-up
 * arrives at 63.5, with nothing there to clean up. At 214.5 the old connection delivers the SET: nobody's key, until 1215. A lock
 * that sent its clean-up did what it could: infrastructure. p3 comes and goes at 0, so that the server knows all scripts and the
 * first command of p1 is the one that sets the key.
 */
export const S12: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'S12',
    processes: { count: 3, client: { commandTimeoutMs: 40, reconnectOnTimeout: true } },
    workload: { workMs: 100 },
    overrides: {
      p1: { workload: { startMs: 10 }, lock: { options: { retryCount: 0 } } },
      p2: {
        workload: { startMs: 300 },
        lock: { options: { retryDelayMs: 100, retryJitterMs: 0, retryCount: 20 } },
      },
      p3: { network: { latencyMs: 0 }, workload: { workMs: 0, steps: 0 } },
    },
    faults: [{ on: { event: 'sent', process: 'p1', nth: 1 }, do: 'delay', byMs: 200 }],
    expect: expecting(
      sound({ 'no-orphan': 'violated/infrastructure', progress: 'holds' }),
      each(['pitfall/no-release-on-failure'], { 'no-orphan': 'violated/library', progress: 'holds' }),
    ),
  },
  title: 'An abandoned SET arrives late',
  question:
    'The client timed out, cleaned up over a new connection and went away. Then the old connection delivers.',
  takeaway:
    'The late SET makes a key that nobody holds and nobody removes, for a whole ttl. A clean-up is only certain on the connection of the SET: bytes of one connection stay in order.',
  source: 'jepsen-io/etcd, lock workload; derived for Redis',
  boundaries: [
    ...boundaries(['single', 'redlock', 'redlock@4.2.0'], ['no-orphan'], {
      path: 'faults.0.byMs',
      closedForm: "delay > client's timeout + reconnection (a round trip)",
      flipsAt: (scenario) =>
        (scenario.processes.client.commandTimeoutMs ?? NaN) + roundTripMs(scenario, 'p1', 'redis-1'),
      verdict: 'violated/infrastructure',
    }),
  ],
  controls: controls(SOUND_LOCKS, {
    properties: ['no-orphan', 'mutual-exclusion', 'own-key-only'],
    path: 'faults.0.byMs',
    set: { 'processes.client.reconnectOnTimeout': false },
    values: [0, 30, 60, 200, 900],
  }),
};
