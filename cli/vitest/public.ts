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
import type { Arbitrary } from 'fast-check';
import type { DrawnKind } from '../../properties/arbitraries/faults.js';
import type { HuntCoverage } from '../../properties/search/hunt/coverage.js';
import type { Assumption } from '../../properties/search/hunt/spec.js';
import type { Blame } from '../../properties/verdict.js';
import type { History } from '../../sim/history/events.js';
import type { PropertyId, ScenarioInput } from '../../sim/scenario/schema.js';

export type { Assumption, Blame, DrawnKind, History, PropertyId, ScenarioInput };
/** What gains `toHold`; without a mention of it the compiler would not look for vitest. */
export type { Assertion } from 'vitest';

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

export interface AnyScenarioOptions {
  readonly lock: LockName;
  /** How many servers, or counts to draw from, the simplest first; left out: 1, for a quorum lock of lockpick's own 3 or 5. */
  readonly servers?: number | readonly number[];
  /** How much may go wrong, as `hunt --assume` has it; left out: `everything`. */
  readonly assume?: Assumption;
  /** Only these kinds of faults; left out: all that are assumed. */
  readonly faults?: readonly DrawnKind[];
  /** The lock hands out fencing tokens: the storage compares them. */
  readonly fenced?: boolean;
  /** The lock renews by itself under the option `watchdog`: some scenarios set it. */
  readonly renews?: boolean;
  /** The lock is a semaphore: two may hold it at once. */
  readonly semaphore?: boolean;
}

/**
 * Whole scenarios for a property test: topology, timings, workload, faults and seed. They shrink towards two processes, no faults and
 * round numbers.
 *
 *     import { test } from '@fast-check/vitest';
 *
 *     test.prop([anyScenario({ lock, assume: 'pauses' })])('excludes', async (scenario) => {
 *       expect(await runScenario(scenario)).toHold('mutual-exclusion', { failOn: 'library', orUnknown: true });
 *     });
 *
 * @throws TypeError for an option that is not known, HuntRefused for faults that the assumption does not have
 */
export declare function anyScenario(options: AnyScenarioOptions): Arbitrary<ScenarioInput>;

export interface CheckLockOptions {
  /** How much may go wrong, as `hunt --assume` has it; left out: `everything`. */
  readonly assume?: Assumption;
  /** Only these kinds of faults; left out: all that are assumed. */
  readonly faults?: readonly DrawnKind[];
  /** Generated runs; left out: 1000. */
  readonly runs?: number;
  /** Decides all of them; left out: 1. */
  readonly seed?: number;
  /** Only violations of these count; left out: of all. */
  readonly properties?: PropertyId | readonly PropertyId[];
  /** Only violations with these blames count; left out: `library`, and under `bounded` all. */
  readonly failOn?: Blame | readonly Blame[];
  /** Changes made to every scenario: `{ 'servers.count': 5, 'lock.options.retryCount': 3 }`. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Where the counterexample is written; left out: `lockpick-out`. */
  readonly out?: string;
}

/** What a check that found nothing did. */
export interface LockChecked {
  /** Rows of the catalogue. */
  readonly rows: number;
  /** Generated runs. */
  readonly runs: number;
  /** Events that these runs took. */
  readonly events: number;
  readonly coverage: HuntCoverage;
}

/**
 * Plays the rows of the catalogue that fit the lock, and a hunt with a fixed seed: the same every time.
 *
 *     test('my lock', () => checkLock(new URL('./my-lock.ts', import.meta.url)), 60_000);
 *
 * Rejects with the report of the smallest violation, whose counterexample is on disk by then, and the line that replays it; and where
 * nothing can be said, since what must have happened never did.
 */
export declare function checkLock(lock: LockName, options?: CheckLockOptions): Promise<LockChecked>;

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
