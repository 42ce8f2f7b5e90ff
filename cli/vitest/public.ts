/**
 * lockpick in vitest, as its users' compiler sees it; index.ts is what runs. Declarations apart from the code: those of the whole
 * simulator would come along otherwise.
 *
 *     import { expect, test } from 'vitest';
 *     import { runScenario } from 'lockpick/vitest';
 *
 *     test('nobody else gets in while the holder is frozen', async () => {
 *       const history = await runScenario('S1', { lock: new URL('./my-lock.ts', import.meta.url) });
 *       expect(history).toHold('mutual-exclusion');
 *     });
 */
import type {} from 'vitest';
import type { Blame } from '../../properties/verdict.js';
import type { History } from '../../sim/history/events.js';
import type { PropertyId, ScenarioInput } from '../../sim/scenario/schema.js';

export type { Blame, History, PropertyId, ScenarioInput };

/** A lock as `--lock` takes it: the name of one that lockpick brings, or a file by its path or its `file:` URL. */
export type LockName = string | URL;

export interface RunScenarioOptions {
  /** Left out: the scenario's own. */
  readonly lock?: LockName;
  /** Decides everything that is random; left out: the scenario's own. */
  readonly seed?: number;
  /** Changes by path, as `--set` makes them: `{ 'resource.fenced': true, 'faults.0.forMs': 800 }`. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/**
 * Runs a scenario in a thread of its own, from a fresh start, and again to see that a violation comes out the same.
 * @param scenario an id of the catalogue (`'S1'`), the path of a JSON file, or a scenario as data
 * @throws ScenarioError for a scenario that can't be run, LockModuleError or UnknownLock for a lock that can't, CommandError for two that
 * do not fit each other and for a run that is not deterministic
 */
export declare function runScenario(
  scenario: string | ScenarioInput,
  options?: RunScenarioOptions,
): Promise<History>;

export interface ToHoldOptions {
  /** Only violations with these blames count; left out: all. */
  readonly failOn?: Blame | readonly Blame[];
  /** A run that could not tell is let pass: for generated scenarios, of which some never come to it. */
  readonly orUnknown?: boolean;
  /** Where the counterexample is written; left out: `lockpick-out`. */
  readonly out?: string;
}

declare module 'vitest' {
  // The parameter must be written as vitest writes it, for the two declarations to be one.
  // oxlint-disable-next-line typescript/no-explicit-any, no-unused-vars
  interface Assertion<T = any> {
    /**
     * The properties hold in this history. On failure: the report, and the line that replays the counterexample that was saved.
     * A property that the run could not tell does not hold; `.not` wants a violation.
     */
    toHold(properties: PropertyId | readonly PropertyId[], options?: ToHoldOptions): void;
  }
}
