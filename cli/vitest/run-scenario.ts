/** A run for a test: from a scenario and a lock to the history that properties are about. */
import type { History } from '../../sim/history/events.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { Scenario, ScenarioInput } from '../../sim/scenario/schema.js';
import { applySets } from '../../sim/scenario/set-path.js';
import { changeScenario, checkLockName, resolveScenario } from '../resolve.js';
import { lockWord } from './place.js';
import type { RunScenarioOptions } from './public.js';
import { SimulationThread } from './thread/thread.js';

let thread: SimulationThread | undefined;

export function simulationThread(): SimulationThread {
  return (thread ??= new SimulationThread());
}

export async function runScenario(
  scenario: string | ScenarioInput,
  options: RunScenarioOptions = {},
): Promise<History> {
  const changed = scenarioFor(scenario, options);
  checkLockName(changed.lock.name);
  const { history } = await simulationThread().ask({
    kind: 'run',
    lock: changed.lock.name,
    scenario: changed,
    directory: process.cwd(),
  });
  return history;
}

function scenarioFor(given: string | ScenarioInput, { lock, seed, set = {} }: RunScenarioOptions): Scenario {
  const scenario =
    typeof given === 'string' ? resolveScenario(given) : parseScenario(given, given.id ?? 'scenario');
  const changed = changeScenario(scenario, {
    ...(lock === undefined ? {} : { lock: lockWord(lock) }),
    ...(seed === undefined ? {} : { seed }),
    set: [],
  });
  const settings = Object.entries(set).map(([path, value]) => ({ path, value }));
  return applySets(changed, settings, 'set');
}
