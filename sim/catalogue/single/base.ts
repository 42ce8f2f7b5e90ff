/** What the single-server rows share. */
import type { Scenario, ScenarioInput } from '../../scenario/schema.js';
import { LINK_MS, oneWayMs, roundTripMs } from '../timing.js';

/**
 * One server, p1 at 4.5 ms from everything. A release may take a round trip more than its script does, because the server
 * doesn't know the script yet, so a key may outlive its release by more than the default bound.
 */
export const ONE_SERVER = {
  seed: 1,
  lock: { ttlMs: 1000 },
  servers: { count: 1 },
  network: { latencyMs: LINK_MS },
  bounds: { orphanMs: 100 },
} as const satisfies Partial<ScenarioInput>;

/** s − t0 of p1 for a lock whose first command is its SET. */
export function applyMs(scenario: Scenario): number {
  return oneWayMs(scenario, 'p1', 'redis-1');
}

/** From the asking of p1 to its grant, for the same locks. */
export function grantMs(scenario: Scenario): number {
  return roundTripMs(scenario, 'p1', 'redis-1');
}

/** An asker that is not in a hurry and gives up after three seconds: for rows in which nobody lets go. */
export const PATIENT_RIVAL: NonNullable<ScenarioInput['overrides']>[string] = {
  network: { latencyMs: 0 },
  workload: { startMs: 20, workMs: 10 },
  lock: { options: { retryCount: 150, retryDelayMs: 20, retryJitterMs: 0 } },
};
