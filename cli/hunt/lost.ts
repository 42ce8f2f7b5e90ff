/** A run that cost its thread, as a scenario that shows it alone: `run` says where in the lock it stays. */
import path from 'node:path';
import { Hunt } from '../../properties/search/hunt/hunt.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { writeWhole } from '../../sim/history/file.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { applySets } from '../../sim/scenario/set-path.js';
import { note, shellWord } from '../output.js';
import { lockStem } from '../resolve.js';
import type { HuntPlan } from './plan.js';
import type { LostRuns } from './search.js';

/** Writes the scenario of the first run that was lost alone, and says how to run it. */
export async function keepLost(
  lostRuns: readonly LostRuns[],
  spec: HuntSpec,
  { lock, out }: Pick<HuntPlan, 'lock' | 'out'>,
): Promise<void> {
  const first = lostRuns.find(({ from, to }) => to === from + 1);
  if (first === undefined) return;
  const run = first.from;
  const drawn = await new Hunt(spec, lock).scenarioOf(run);
  const scenario = applySets(parseScenario(drawn), spec.sets);
  const file = path.join(out, `${lockStem(spec.lock)}-run${run}.scenario.json`);
  writeWhole(file, [`${JSON.stringify(scenario, undefined, 2)}\n`]);
  note(`run ${run} alone: ${['npx', 'lockpick', 'run', file].map(shellWord).join(' ')}`);
}
