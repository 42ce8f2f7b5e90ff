/** A finding counts when fresh instances show it, twice alike. */
import { digest } from '../../../sim/history/digest.js';
import type { LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import { PROPERTY_IDS, type PropertyId, type ScenarioInput } from '../../../sim/scenario/schema.js';
import { judge } from '../../judge.js';
import type { Verdicts } from '../../verdict.js';
import { findingsOf, type Finding, type RawFinding } from './findings.js';

/** The finding in its small scenario; null when fresh instances do not show it, or not twice alike. */
export async function confirm(
  raw: RawFinding,
  input: ScenarioInput,
  lock: LoadedLock,
): Promise<Finding | null> {
  const scenario = parseScenario(input);
  const history = await simulate(scenario, lock);
  const { verdicts } = judge(history);
  const found = findingsOf(history, verdicts, raw.run, [raw.property]).find(({ key }) => key === raw.key);
  const digestHex = digest(history);
  if (found === undefined || digest(await simulate(scenario, lock)) !== digestHex) return null;
  return {
    ...found,
    scenario: input,
    faults: scenario.faults.length,
    digest: digestHex,
    verdicts: violated(verdicts),
  };
}

function violated(verdicts: Verdicts): Partial<Record<PropertyId, string>> {
  const all = PROPERTY_IDS.flatMap((id): [PropertyId, string][] => {
    const verdict = verdicts[id];
    return verdict.verdict === 'violated' ? [[id, `violated/${verdict.blame}`]] : [];
  });
  return Object.fromEntries(all) as Partial<Record<PropertyId, string>>;
}
