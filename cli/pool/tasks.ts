/**
 * What a thread can be asked to do: by kind, the task and its answer. Both are plain data, for they cross threads, and a task
 * is decided by what it says alone: whichever thread takes it, and whenever, the answer is the same. A new kind needs a line here
 * and one in handlers.ts.
 */
import type { ExplorePlan, Stretch } from '../../properties/search/explore/explore.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import type { Tally } from '../../properties/search/explore/tally.js';
import type { Finding, RawFinding } from '../../properties/search/hunt/findings.js';
import type { HuntRange } from '../../properties/search/hunt/range.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import type { Sample } from '../../properties/search/margin/flips.js';
import type { RowQuestion } from '../../properties/search/margin/grid.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import type { LockTrial, TrialSpec } from '../trial/lock-trial.js';
import type { Reran } from './rerun.js';

export interface Tasks {
  /** Whether a hunt can find anything at all; rejects with HuntRefused or ScenarioError. */
  readonly prepare: { readonly ask: { readonly spec: HuntSpec }; readonly answer: null };
  /** Runs [from, to) of a hunt. */
  readonly hunt: {
    readonly ask: { readonly spec: HuntSpec; readonly from: number; readonly to: number };
    readonly answer: HuntRange;
  };
  /** The smallest form of a finding, confirmed; null: it did not reproduce. */
  readonly minimise: {
    readonly ask: { readonly spec: HuntSpec; readonly raw: RawFinding };
    readonly answer: Finding | null;
  };
  /** The run without anomalies, and how many parts the exploration has. */
  readonly 'explore-plan': { readonly ask: { readonly spec: ExploreSpec }; readonly answer: ExplorePlan };
  /** The schedules of one anomaly: [from, to) of them. */
  readonly 'explore-singles': {
    readonly ask: { readonly spec: ExploreSpec; readonly from: number; readonly to: number };
    readonly answer: Tally;
  };
  /** Some of the longer schedules that begin with the anomaly of a part, from where the stretch before has ended. */
  readonly 'explore-rest': {
    readonly ask: { readonly spec: ExploreSpec; readonly part: number; readonly after: readonly number[] };
    readonly answer: Stretch;
  };
  /** One run of a scenario with fresh instances of the lock that it names, judged. */
  readonly rerun: { readonly ask: { readonly scenario: Scenario }; readonly answer: Reran };
  /** One row of a map of two parameters. */
  readonly 'margin-row': { readonly ask: { readonly row: RowQuestion }; readonly answer: readonly Sample[] };
  /** One lock on trial. */
  readonly trial: { readonly ask: { readonly spec: TrialSpec }; readonly answer: LockTrial };
}

export type Kind = keyof Tasks;
export type TaskOf<K extends Kind> = { readonly kind: K } & Tasks[K]['ask'];
export type AnswerOf<K extends Kind> = Tasks[K]['answer'];
export type Task = { [K in Kind]: TaskOf<K> }[Kind];

/** What a thread answers: errors lose their class on the way, and keep their name. */
export type Answered =
  | { readonly answer: AnswerOf<Kind> }
  | { readonly failed: { readonly name: string; readonly message: string; readonly stack?: string } };
