/**
 * lockpick in vitest. Importing it adds the matcher `toHold`.
 *
 *     import { expect, test } from 'vitest';
 *     import { runScenario } from 'lockpick/vitest';
 *
 *     test('nobody else gets in while the holder is frozen', async () => {
 *       const history = await runScenario('S1', { lock: new URL('./my-lock.ts', import.meta.url) });
 *       expect(history).toHold('mutual-exclusion');
 *     });
 */
import { expect } from 'vitest';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { toHold, type ToHoldOptions } from './to-hold.js';

export type { Blame } from '../../properties/verdict.js';
export type { History } from '../../sim/history/events.js';
export type { PropertyId, ScenarioInput } from '../../sim/scenario/schema.js';
export { runScenario, type RunScenarioOptions } from './run-scenario.js';
export type { LockName } from './place.js';
export type { ToHoldOptions } from './to-hold.js';

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

expect.extend({ toHold });
