/** A run for a test: from a scenario and a lock to the history that properties are about. */
import type { History } from '../../sim/history/events.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { Scenario, ScenarioInput } from '../../sim/scenario/schema.js';
import { applySets } from '../../sim/scenario/set-path.js';
import { changeScenario, checkLockName, resolveScenario } from '../resolve.js';
import { lockWord, type LockName } from './place.js';
import { SimulationThread } from './thread/thread.js';

export interface RunScenarioOptions {
  /** Left out: the scenario's own. */
  readonly lock?: LockName;
  /** Decides everything that is random; left out: the scenario's own. */
  readonly seed?: number;
  /** Changes by path, as `--set` makes them: `{ 'resource.fenced': true, 'faults.0.forMs': 800 }`. */
  readonly set?: Readonly<Record<string, unknown>>;
}

let thread: SimulationThread | undefined;

export function simulationThread(): SimulationThread {
  return (thread ??= new SimulationThread());
}

/**
 * Runs a scenario in a thread of its own, from a fresh start, and again to see that a violation comes out the same.
 * @param scenario an id of the catalogue (`'S1'`), the path of a JSON file, or a scenario as data
 * @throws ScenarioError for a scenario that can't be run, LockModuleError or UnknownLock for a lock that can't, CommandError for two that
 * do not fit each other and for a run that is not deterministic
 */
export async function runScenario(
  scenario: string | ScenarioInput,
  options: RunScenarioOptions = {},
): Promise<History> {
  const changed = scenarioFor(scenario, options);
  checkLockName(changed.lock.name);
  const { history } = await simulationThread().ask({
    kind: 'run',
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
