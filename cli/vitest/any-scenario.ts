/** Whole scenarios for property tests. */
import { toStringMethod, type Arbitrary } from 'fast-check';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { DRAWN_KINDS } from '../../properties/arbitraries/faults.js';
import { scenariosOf } from '../../properties/search/hunt/scenarios.js';
import { ASSUMPTIONS, type HuntSpec } from '../../properties/search/hunt/spec.js';
import type { Traits } from '../../properties/search/hunt/traits.js';
import { findLock } from '../../src/registry.js';
import { checkLockName } from '../resolve.js';
import { lockWord } from './place.js';
import type { AnyScenarioOptions } from './public.js';
import { scenarioText } from './scenario-text.js';
import { checkWords } from './words.js';

/** What scenarios are called; the files of a failed test are told apart by the test's name. */
export const ANY = 'any';

export function anyScenario(options: AnyScenarioOptions): Arbitrary<ScenarioInput> {
  const { assume = 'everything', faults = null } = options;
  checkWords('anyScenario', 'assumption', [assume], ASSUMPTIONS);
  if (faults !== null) checkWords('anyScenario', 'kind of fault', faults, DRAWN_KINDS);
  const lock = lockWord(options.lock);
  checkLockName(lock);
  const spec: HuntSpec = {
    lock,
    seed: 0,
    assume,
    kinds: faults,
    properties: null,
    sets: [],
    reuse: false,
  };
  return scenariosOf(spec, traitsOf(options), serversOf(options)).map((scenario) =>
    readable({ ...scenario, id: ANY }),
  );
}

/** What can't be found out before the lock has run: as it is told. */
function traitsOf(options: AnyScenarioOptions): Traits {
  const { semaphore = false, fenced = false, renews = false } = options;
  return {
    servers: serversOf(options).every((count) => count === 1) ? 1 : 'many',
    semaphore,
    fences: fenced,
    renews: renews ? 'asked' : 'never',
    drifts: true,
    granted: true,
    processes: {},
  };
}

function serversOf({ lock, servers }: AnyScenarioOptions): readonly number[] {
  if (servers !== undefined) return [servers].flat();
  const known = typeof lock === 'string' ? findLock(lock) : undefined;
  return known?.servers === 'many' ? [3, 5] : [1];
}

/** The scenario with a text for whoever reads a counterexample; as data it is the same. */
function readable(scenario: ScenarioInput): ScenarioInput {
  return Object.defineProperty(scenario, toStringMethod, { value: () => scenarioText(scenario) });
}
