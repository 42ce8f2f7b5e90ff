/** Runs scenarios for searches under test, as the command line does. */
import { loadLock, type LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { resolveLock } from '../../../src/resolve.js';
import { judge } from '../../judge.js';
import type { Runner } from '../rerun.js';

const loaded = new Map<string, Promise<LoadedLock>>();

export const runScenario: Runner = async (scenario) => {
  const { name } = scenario.lock;
  let lock = loaded.get(name);
  if (lock === undefined) loaded.set(name, (lock = loadLock(resolveLock(name))));
  return judge(await simulate(scenario, await lock));
};
