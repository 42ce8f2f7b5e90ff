/** What the rows of public reports share. */
import type { Scenario, ScenarioInput } from '../../scenario/schema.js';
import { driftAllowanceMs, LINK_MS, oneWayMs, roundTripMs } from '../timing.js';

/** One server, and the library's own client on simulated sockets: a finding against a library counts there. */
export const REPORTED = {
  seed: 1,
  lock: { ttlMs: 1000 },
  servers: { count: 1 },
  processes: { transport: 'wire' },
  network: { latencyMs: LINK_MS },
} as const satisfies Partial<ScenarioInput>;

/** Nothing that anybody is owed was broken: the lock kept its word, its calls came back, nobody waited for long. */
export const UNHARMED = {
  'own-key-only': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
  'no-orphan': 'holds',
  progress: 'holds',
  settles: 'holds',
  quiet: 'holds',
} as const;

/**
 * s − t0 of the first lock of a library that calls its scripts by their hashes: the server does not know the script yet,
 * and is asked twice.
 */
export function scriptedApplyMs(scenario: Scenario): number {
  return 1.5 * roundTripMs(scenario, 'p1', 'redis-1');
}

/**
 * How long p1 may work so that p2, who asks from the given time on, is granted before T − d have passed since its first attempt: until the SET
 * of its last attempt that is answered by then. p1's first lock and its release take two round trips each, to load the scripts.
 */
export function waitedInVainMs(scenario: Scenario, asksAtMs: number): number {
  const tripMs = roundTripMs(scenario, 'p2', 'redis-1');
  const everyMs = scenario.lock.options.retryDelayMs + tripMs;
  const attempts = Math.floor((scenario.lock.ttlMs - driftAllowanceMs(scenario) - tripMs) / everyMs);
  const lastSetMs = asksAtMs + attempts * everyMs + oneWayMs(scenario, 'p2', 'redis-1');
  return lastSetMs - 2 * roundTripMs(scenario, 'p1', 'redis-1') - scriptedApplyMs(scenario);
}
