/** Why a run is violated: the faults it needs, and what would change it. The causal chain is told by the reports. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import type { Blame, Verdicts } from '../../verdict.js';
import { mainProperty } from '../main-property.js';
import type { Runner } from '../rerun.js';
import type { LockFamily } from './changes.js';
import { counterfactuals, type Counterfactual } from './counterfactuals.js';
import { minimalFaults, type MinimalFaults } from './minimal.js';

export interface Why {
  /** The violation that is explained: the main one of the run. */
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly faults: MinimalFaults;
  readonly counterfactuals: readonly Counterfactual[];
}

/** Null where nothing is violated. */
export async function why(
  scenario: Scenario,
  verdicts: Verdicts,
  family: LockFamily,
  runner: Runner,
): Promise<Why | null> {
  const property = mainProperty(verdicts);
  if (property === undefined) return null;
  const verdict = verdicts[property];
  if (verdict.verdict !== 'violated') return null;
  const { blame } = verdict;
  return {
    property,
    blame,
    faults: await minimalFaults(scenario, property, blame, runner),
    counterfactuals: await counterfactuals(scenario, verdicts, family, runner),
  };
}
