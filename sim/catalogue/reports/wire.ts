/** What the rows share that put a library on trial with its own client on simulated sockets. */
import type { ScenarioInput } from '../../scenario/schema.js';
import { LINK_MS } from '../timing.js';

/** Connections are open by then: everybody's first command goes out at once. Half a millisecond off is what the links are for. */
export const CONNECTED_MS = 101;

/** Two processes with real ioredis clients; p1 is 4.5 ms from everything. */
export const ON_THE_WIRE = {
  seed: 1,
  processes: { transport: 'wire' },
  network: { latencyMs: LINK_MS },
  workload: { startMs: CONNECTED_MS },
} as const satisfies Partial<ScenarioInput>;

/** p2 hears from everybody at once, and asks every 10 ms for as long as its library lets it. */
export function keenRival(
  startMs: number,
  workload: NonNullable<ScenarioInput['workload']>,
  retryDelayMs = 10,
): NonNullable<ScenarioInput['overrides']>[string] {
  return {
    network: { latencyMs: 0 },
    workload: { startMs, ...workload },
    lock: { options: { retryCount: 500, retryDelayMs, retryJitterMs: 0 } },
  };
}

/** It asks once and takes no for an answer. */
export const ONCE = { options: { retryCount: 0 } } as const;
