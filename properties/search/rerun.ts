/** How searches run a changed scenario again: a function that is given to them, so that they stay free of locks and files. */
import type { Scenario } from '../../sim/scenario/schema.js';
import { ScenarioError } from '../../sim/scenario/parse.js';
import { applySets, type Setting } from '../../sim/scenario/set-path.js';
import type { Verdicts } from '../verdict.js';

export interface Rerun {
  readonly verdicts: Verdicts;
}

/** The scenario can't be run, and why: as a lock without permits in a row that has several. */
export interface Refusal {
  readonly refused: string;
}

/**
 * Runs a scenario with the lock it names and judges it, with fresh instances; the same scenario always gives the same answer.
 * What can't be run is answered as a refusal; anything thrown is a failure of the program.
 */
export type Runner = (scenario: Scenario) => Promise<Rerun | Refusal>;

/** The scenario with the changes made, or why that makes no scenario. */
export function changed(scenario: Scenario, settings: readonly Setting[]): Scenario | Refusal {
  try {
    return applySets(scenario, settings);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { refused: error.problems.map(({ message }) => message).join('; ') };
  }
}

/** Makes the changes and runs what comes of them. */
export async function rerun(
  runner: Runner,
  scenario: Scenario,
  settings: readonly Setting[],
): Promise<Rerun | Refusal> {
  const next = changed(scenario, settings);
  return 'refused' in next ? next : runner(next);
}
