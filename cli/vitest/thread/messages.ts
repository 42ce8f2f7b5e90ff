/** What the thread that runs simulations is asked, and what it answers: plain data. */
import type { HuntCoverage } from '../../../properties/search/hunt/coverage.js';
import type { HuntSpec } from '../../../properties/search/hunt/spec.js';
import type { Blame } from '../../../properties/verdict.js';
import type { Change } from '../../../reports/view/remedy.js';
import type { History } from '../../../sim/history/events.js';
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';

/** The lock is named as `--lock` takes it; a path is relative to `directory`. */
interface Ordered {
  readonly lock: string;
  readonly directory: string;
}

/** One run. */
export interface RunOrder extends Ordered {
  readonly kind: 'run';
  readonly scenario: Scenario;
}

export interface RunAnswer {
  readonly history: History;
}

/** The rows of the catalogue that fit, and a hunt. */
export interface CheckOrder extends Ordered {
  readonly kind: 'check';
  readonly spec: HuntSpec;
  readonly runs: number;
  readonly failOn: readonly Blame[];
}

export interface CheckAnswer {
  /** Rows that were played. */
  readonly rows: number;
  /** Why the first of them that could not tell could not; null: all could. */
  readonly unknownBecause: string | null;
  readonly runs: number;
  readonly events: number;
  readonly coverage: HuntCoverage;
  /** What never happened, so that silence means nothing. */
  readonly missing: readonly string[];
  /** Violations that count, told apart by property, blame and cause. */
  readonly findings: readonly string[];
  readonly smallest: Smallest | null;
}

/** The finding with the fewest faults, as its run from a fresh start shows it. */
export interface Smallest {
  readonly history: History;
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly changes: readonly Change[];
}

/** What each kind of order is answered with. */
export interface Answers {
  readonly run: RunAnswer;
  readonly check: CheckAnswer;
}
export type Order = RunOrder | CheckOrder;
export type AnswerTo<O extends Order> = Answers[O['kind']];

export interface Request {
  readonly id: number;
  readonly order: Order;
}

/** An error as data: class instances do not travel. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

export type Report =
  | { readonly id: number; readonly answer: Answers[keyof Answers] }
  | { readonly id: number; readonly error: ErrorData }
  /** The thread's event loop turns: what it runs gives way. */
  | { readonly alive: true };
