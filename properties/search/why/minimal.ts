/** Which of a scenario's faults a violation needs: left out one by one until no single one can be. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import { everyViolation, type Blame, type Verdict } from '../../verdict.js';
import { changed, rerun, type Refusal, type Rerun, type Runner } from '../rerun.js';
import { anomaliesOf, without, type Anomaly } from './anomalies.js';

export interface NeededAnomaly extends Anomaly {
  /** What the property says where this one alone is left out of the needed ones: never violated with the same blame. */
  readonly without: string;
}

export interface MinimalFaults {
  /** A 1-minimal set: with these alone the property is violated with the same blame, and with any one of them missing it isn't. */
  readonly needed: readonly NeededAnomaly[];
  /** What can be left out, all of it together. */
  readonly spare: readonly Anomaly[];
  readonly runs: number;
}

/**
 * A larger share goes first where there are many; the answer is one 1-minimal set of perhaps several.
 * @param property one that is violated with `blame` in the scenario as it stands
 */
export async function minimalFaults(
  scenario: Scenario,
  property: PropertyId,
  blame: Blame,
  runner: Runner,
): Promise<MinimalFaults> {
  let runs = 0;
  const tryWithout = async (left: readonly Anomaly[]): Promise<Rerun | Refusal> => {
    runs++;
    return rerun(runner, scenario, without(scenario, left));
  };
  let needed = anomaliesOf(scenario);
  const spare: Anomaly[] = [];
  const drop = async (some: readonly Anomaly[]): Promise<boolean> => {
    if (!isViolatedSo(await tryWithout([...spare, ...some]), property, blame)) return false;
    spare.push(...some);
    needed = needed.filter((anomaly) => !some.includes(anomaly));
    return true;
  };
  // Long schedules, as hunts draw them, mostly hold much that doesn't matter.
  for (let share = Math.ceil(needed.length / 2); share > 1; share = Math.ceil(share / 2))
    for (let start = 0; start < needed.length;) {
      const some = needed.slice(start, start + share);
      if (some.length < 2 || !(await drop(some))) start += share;
    }
  // What was needed beside another may not be once that one is gone: until nothing moves.
  for (let again = true; again;) {
    again = false;
    for (const anomaly of needed.slice()) if (await drop([anomaly])) again = true;
  }
  const proven: NeededAnomaly[] = [];
  for (const anomaly of needed)
    proven.push({ ...anomaly, without: inWords(await tryWithout([...spare, anomaly]), property) });
  return { needed: proven, spare, runs };
}

/** The scenario with nothing but what is needed. */
export function minimalScenario(scenario: Scenario, { spare }: MinimalFaults): Scenario {
  const least = changed(scenario, without(scenario, spare));
  return 'refused' in least ? scenario : least;
}

function isViolatedSo(result: Rerun | Refusal, property: PropertyId, blame: Blame): boolean {
  if ('refused' in result) return false;
  const verdict = result.verdicts[property];
  return (
    verdict.verdict === 'violated' && everyViolation(verdict).some((violation) => violation.blame === blame)
  );
}

function inWords(result: Rerun | Refusal, property: PropertyId): string {
  return 'refused' in result ? `no scenario: ${result.refused}` : verdictText(result.verdicts[property]);
}

/** `holds`, `violated/lease`, `unknown`. */
export function verdictText(verdict: Verdict): string {
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}
