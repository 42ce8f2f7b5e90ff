/** The loads as scenarios: the same work, said in lockpick's own words. */
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { TERMS, type Load } from './loads.js';

/**
 * A hold reads as soon as it is granted and writes just before it is released, so that exclusive-use sees what the
 * opponents' "two are inside" sees; the storage adds no time of its own.
 */
export function benchScenario(load: Load, lock: string): ScenarioInput {
  const links: Record<string, number> = {};
  for (let index = 1; index <= load.clients; index++) {
    links[`p${index}->storage`] = 0;
    links[`storage->p${index}`] = 0;
  }
  return {
    id: `bench-${load.name}`,
    lock: {
      name: lock,
      ttlMs: TERMS.ttlMs,
      options: {
        retryCount: TERMS.retryCount,
        retryDelayMs: TERMS.retryDelayMs,
        retryJitterMs: TERMS.retryJitterMs,
      },
    },
    servers: { count: load.servers },
    processes: { count: load.clients },
    network: { latencyMs: [...TERMS.latencyMs], links },
    workload: { rounds: 1, startMs: [...TERMS.startMs], workMs: [...TERMS.workMs], steps: 2 },
    faults: [
      {
        on: { event: 'used', command: 'READ', every: true, chance: TERMS.pauseChance },
        do: 'pause',
        forMs: TERMS.pauseMs,
      },
    ],
  };
}
