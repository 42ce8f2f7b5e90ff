/**
 * The durations of a scenario that closed forms speak of. Boundary rows use fixed latencies, so that each is one number.
 */
import type { Duration, Scenario } from '../scenario/schema.js';

/**
 * One way between the holder and everything else. Half a millisecond off the whole, so that nothing the holder does
 * falls on the whole milliseconds at which Redis expires keys and the eager rival asks.
 */
export const LINK_MS = 4.5;

/** The fixed value of a duration. Throws on a range: a closed form over a range is not one number. */
export function fixedMs(duration: Duration): number {
  if (typeof duration !== 'number') throw new Error('a closed form needs fixed durations, not ranges');
  return duration;
}

/** Latency of one direction: a link's own, else that of the process at either end, else the network's. */
export function oneWayMs(scenario: Scenario, from: string, to: string): number {
  const own = scenario.network.links[`${from}->${to}`];
  const ofProcess =
    scenario.overrides[from]?.network?.latencyMs ?? scenario.overrides[to]?.network?.latencyMs;
  return fixedMs(own ?? ofProcess ?? scenario.network.latencyMs);
}

export function roundTripMs(scenario: Scenario, from: string, to: string): number {
  return oneWayMs(scenario, from, to) + oneWayMs(scenario, to, from);
}

/** d: what a quorum lock takes off its validity for clocks that run at different rates. */
export function driftAllowanceMs(scenario: Scenario): number {
  const { driftFactor } = scenario.lock.options;
  return scenario.lock.ttlMs * (typeof driftFactor === 'number' ? driftFactor : 0.01) + 2;
}

/** C: from the grant to the release of p1, which awaits the storage's answer in each step. */
export function sectionMs(scenario: Scenario): number {
  const { workMs, steps } = { ...scenario.workload, ...scenario.overrides['p1']?.workload };
  return fixedMs(workMs) + steps * roundTripMs(scenario, 'p1', 'storage');
}

/** m: a majority of the servers. */
export function majority(scenario: Scenario): number {
  return Math.floor(scenario.servers.count / 2) + 1;
}

/** s_i − t0 of p1 for each server, earliest first: how long after its attempt began its SET was applied. */
export function applyTimesMs(scenario: Scenario): number[] {
  const times: number[] = [];
  for (let i = 1; i <= scenario.servers.count; i++) times.push(oneWayMs(scenario, 'p1', `redis-${i}`));
  return times.sort((a, b) => a - b);
}
