/** The scenarios that a hunt draws from: for this lock, under these assumptions. */
import * as fc from 'fast-check';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import type { DrawnKind } from '../../arbitraries/faults.js';
import { failoverArbitrary, type Failover } from '../../arbitraries/failover.js';
import { scenarioArbitrary, type Envelope, type ScenarioShape } from '../../arbitraries/scenario.js';
import { kindsOfSpec, type HuntSpec } from './spec.js';
import type { Traits } from './traits.js';

type Scenarios = fc.Arbitrary<ScenarioInput>;

/** Of eight scenarios of `everything`, so many are inside the lock's assumptions, and so many fail over. */
const SHARES = { free: 5, bounded: 2, failover: 1 };

/** Presets in which segments may get lost as well. */
const LOSSY: ReadonlySet<HuntSpec['assume']> = new Set(['partitions', 'everything']);

/** How many servers are drawn from, the simplest first: even numbers have ties, and in few every one counts. */
function serversOf(traits: Traits): readonly number[] {
  return traits.servers === 1 ? [1] : [3, 2, 5, 4];
}

/**
 * @param servers counts to draw from, the simplest first
 * @throws HuntRefused
 */
export function scenariosOf(
  spec: HuntSpec,
  traits: Traits,
  servers: readonly number[] = serversOf(traits),
): Scenarios {
  const kinds = kindsOfSpec(spec);
  const shape = { ...shapeOf(spec, traits, kinds), servers };
  return presetOf(spec, traits, shape, kinds).map((scenario) => finished(scenario, traits));
}

function presetOf(
  { assume }: HuntSpec,
  traits: Traits,
  shape: Omit<ScenarioShape, 'envelope'>,
  kinds: readonly DrawnKind[],
): Scenarios {
  const within = (envelope: Envelope): Scenarios => scenarioArbitrary({ ...shape, envelope });
  const bounded = (): Scenarios => within('bounded').map((scenario) => onlyFaults(scenario, kinds));
  switch (assume) {
    case 'calm':
      return within('bounded').map(calm);
    case 'bounded':
      return bounded();
    case 'failover':
      return failing(shape, traits);
    case 'everything':
      return fc.oneof(
        { arbitrary: within('free'), weight: SHARES.free },
        { arbitrary: bounded(), weight: SHARES.bounded },
        { arbitrary: failing(shape, traits), weight: SHARES.failover },
      );
    default:
      return within('free');
  }
}

/** What the lock is decides what is asked of it. */
function shapeOf(
  { lock, assume }: HuntSpec,
  traits: Traits,
  kinds: readonly DrawnKind[],
): Omit<ScenarioShape, 'envelope' | 'servers'> {
  return {
    lock,
    fenced: traits.fences,
    watchdog: traits.renews === 'asked' ? (traits.renewsByDefault === true ? 'by-default' : true) : false,
    permits: traits.semaphore ? [2, 1, 3] : 1,
    reenters: traits.renews === 'always' ? false : 'sometimes',
    lossy: LOSSY.has(assume),
    fixedAllowance: traits.fixedAllowance === true,
    kinds,
  };
}

function failing(shape: Omit<ScenarioShape, 'envelope'>, traits: Traits): Scenarios {
  const failovers: readonly Failover[] = clusters(traits)
    ? ['operator', 'sentinels', 'cluster']
    : ['operator', 'sentinels'];
  const possible = traits.fixedClients === true ? (['operator'] as const) : failovers;
  return fc.oneof(...possible.map((failover) => failoverArbitrary(shape, failover)));
}

/** A cluster is one server to its clients, and one key in it is as good as on one server. */
function clusters({ servers, fences, semaphore }: Traits): boolean {
  return servers === 1 && !fences && !semaphore;
}

function onlyFaults(scenario: ScenarioInput, kinds: readonly DrawnKind[]): ScenarioInput {
  const faults = (scenario.faults ?? []).filter((fault) => kinds.includes(fault.do as DrawnKind));
  return { ...scenario, faults };
}

/** No faults, and clocks that show the true time. */
function calm(scenario: ScenarioInput): ScenarioInput {
  return { ...scenario, clocks: {}, faults: [] };
}

function finished(scenario: ScenarioInput, { processes, drifts }: Traits): ScenarioInput {
  const { driftFactor: _, ...options } = scenario.lock!.options!;
  const lock = drifts ? scenario.lock : { ...scenario.lock, options };
  return { ...scenario, id: 'hunt', lock, processes: { ...scenario.processes, ...processes } };
}
