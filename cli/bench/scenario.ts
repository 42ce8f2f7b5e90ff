/** The loads as scenarios: the same work, said in lockpick's own words. */
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { TERMS, type Load } from './loads.js';
import { REDLOCK4_SCRIPTS } from './opponents/redlock4.js';

/**
 * As with the opponents, work is time that passes, and servers know the scripts of `redlock@4.2.0` from the start, as
 * those of a server that has been in use are known.
 */
export function benchScenario(
  load: Load,
  lock: string,
  processes: ScenarioInput['processes'] = {},
): ScenarioInput {
  const scripts = lock.startsWith('redlock@')
    ? Object.values(REDLOCK4_SCRIPTS).map(({ value }) => value)
    : [];
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
    servers: { count: load.servers, scripts },
    processes: { ...processes, count: load.clients },
    network: { latencyMs: [...TERMS.latencyMs] },
    workload: { rounds: 1, startMs: [...TERMS.startMs], workMs: [...TERMS.workMs], steps: 0 },
    faults: [
      {
        on: { event: 'granted', every: true, chance: TERMS.pauseChance },
        do: 'pause',
        forMs: TERMS.pauseMs,
      },
    ],
  };
}
