/** The door `lockpick/vitest`; public.ts says what is behind it. Importing it adds the matcher. */
import { expect } from 'vitest';
import type * as Public from './public.js';
import { runScenario as run } from './run-scenario.js';
import { toHold } from './to-hold.js';

export const runScenario: typeof Public.runScenario = run;

expect.extend({ toHold });
