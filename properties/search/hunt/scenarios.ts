/** The scenarios that a hunt draws from: for this lock, under these assumptions. */
import * as fc from 'fast-check';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import type { DrawnKind } from '../../arbitraries/faults.js';
import { failoverArbitrary, type Failover } from '../../arbitraries/failover.js';
import { scenarioArbitrary } from '../../arbitraries/scenario.js';
import { kindsOfSpec, type HuntSpec } from './spec.js';
import type { Traits } from './traits.js';

export function scenariosOf(spec: HuntSpec, traits: Traits): fc.Arbitrary<ScenarioInput> {
  const kinds = kindsOfSpec(spec);
  const shape = {
    lock: spec.lock,
    servers: traits.servers === 1 ? [1] : [3, 5, 2, 4],
    fenced: traits.fences,
    watchdog: traits.renews === 'asked',
    ...(traits.semaphore ? { permits: 2 } : {}),
    kinds,
  };
  const only = (scenario: ScenarioInput): ScenarioInput => ({
    ...scenario,
    faults: (scenario.faults ?? []).filter((fault) => kinds.includes(fault.do as DrawnKind)),
  });
  const finish = (scenario: ScenarioInput): ScenarioInput => {
    const processes = { ...scenario.processes, ...traits.processes };
    return { ...scenario, id: 'hunt', processes };
  };
  const free = scenarioArbitrary({ ...shape, envelope: 'free' });
  const failovers: Failover[] =
    traits.servers === 1 ? ['operator', 'sentinels', 'cluster'] : ['operator', 'sentinels'];
  const failing = fc.oneof(...failovers.map((failover) => failoverArbitrary(shape, failover))).map(only);
  const drawn = (): fc.Arbitrary<ScenarioInput> => {
    switch (spec.assume) {
      case 'calm':
        return free.map((scenario) => ({
          ...scenario,
          network: { ...scenario.network, loss: 0 },
          faults: [],
        }));
      case 'bounded':
        return scenarioArbitrary({ ...shape, envelope: 'bounded' }).map(only);
      case 'failover':
        return failing;
      case 'everything':
        return fc.oneof({ arbitrary: free, weight: 9 }, { arbitrary: failing, weight: 1 });
      default:
        return free;
    }
  };
  return drawn().map(finish);
}
