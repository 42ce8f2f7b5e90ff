/** What the thread that runs simulations is asked, and what it answers: plain data. */
import type { History } from '../../../sim/history/events.js';
import type { Scenario } from '../../../sim/scenario/schema.js';

/** One run. Its lock is named in the scenario; a path is relative to `directory`. */
export interface RunOrder {
  readonly kind: 'run';
  readonly scenario: Scenario;
  readonly directory: string;
}

export interface RunAnswer {
  readonly history: History;
}

/** What each kind of order is answered with. */
export interface Answers {
  readonly run: RunAnswer;
}
export type Order = RunOrder;
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
