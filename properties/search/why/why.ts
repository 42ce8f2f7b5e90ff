/** Why a run is violated: the faults it needs, and what would change it. The causal chain is told by the reports. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import type { Blame, Verdicts } from '../../verdict.js';
import { mainViolation, violationOf, type Sort } from '../main-property.js';
import type { Runner } from '../rerun.js';
import type { LockFamily } from './changes.js';
import { counterfactuals, type Counterfactual } from './counterfactuals.js';
import { minimalFaults, type MinimalFaults } from './minimal.js';

export interface Why {
  /** The violation that is explained. */
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly faults: MinimalFaults;
  readonly counterfactuals: readonly Counterfactual[];
}

/**
 * Null where nothing is violated.
 * @param about the violation to explain if the run shows it; else it is the main one of the run
 */
export async function why(
  scenario: Scenario,
  verdicts: Verdicts,
  family: LockFamily,
  runner: Runner,
  about?: Sort,
): Promise<Why | null> {
  const asked = about !== undefined && violationOf(verdicts, about) !== undefined ? about : undefined;
  const [mainly, violation] = mainViolation(verdicts) ?? [];
  if (mainly === undefined || violation === undefined) return null;
  const { property, blame } = asked ?? { property: mainly, blame: violation.blame };
  return {
    property,
    blame,
    faults: await minimalFaults(scenario, property, blame, runner),
    counterfactuals: await counterfactuals(scenario, verdicts, family, runner),
  };
}
