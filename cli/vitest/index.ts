/** The door `lockpick/vitest`; public.ts says what is behind it. Importing it adds the matcher. */
import { expect } from 'vitest';
import { anyScenario as any } from './any-scenario.js';
import { checkLock as check } from './check-lock.js';
import type * as Public from './public.js';
import { runScenario as run } from './run-scenario.js';
import { toHold } from './to-hold.js';

export const runScenario: typeof Public.runScenario = run;
export const anyScenario: typeof Public.anyScenario = any;
export const checkLock: typeof Public.checkLock = check;

expect.extend({ toHold });
