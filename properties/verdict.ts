/** What a property says of a history, and what a report may repeat but not change. */
import type { PropertyId } from '../sim/scenario/schema.js';

/** Whose fault a violation is (docs/properties.md): the lock's code, the servers, the idea of a lease, or its user. */
export type Blame = 'library' | 'infrastructure' | 'lease' | 'usage';

export type Verdict = Holds | Violated | Unknown;

export interface Holds {
  readonly verdict: 'holds';
  /** How often it was evaluated: never 0. */
  readonly evaluated: number;
}

/** One violation of a property. */
export interface Violation {
  readonly blame: Blame;
  /** One sentence with hosts, holds and figures. */
  readonly reason: string;
  /** True time of the first bad instant, in microseconds. */
  readonly atUs: number;
  /** Indexes (`i`) of the history's events that show it, ascending. */
  readonly evidence: readonly number[];
  /** Holds concerned, the one that lost its lease first. */
  readonly holds: readonly string[];
}

/** The first violation of a run, in true time. */
export interface Violated extends Violation {
  readonly verdict: 'violated';
  readonly evaluated: number;
  /** The first violation of each other blame, if there are any: one fault must not hide another. */
  readonly also?: readonly Violation[];
}

/** The first violation and those of other blames after it. */
export function everyViolation(verdict: Violated): readonly Violation[] {
  return [verdict, ...(verdict.also ?? [])];
}

export interface Unknown {
  readonly verdict: 'unknown';
  readonly reason: string;
  /** The property is of another kind of lock: no run of this one could tell. Reports need not list it. */
  readonly inapplicable?: true;
}

export type Verdicts = Readonly<Record<PropertyId, Verdict>>;

/** What a run exercised; zero where it matters makes a verdict `unknown`. */
export interface Coverage {
  readonly acquisitions: number;
  readonly contended: number;
  readonly faultsStruck: number;
  readonly faultsWhileHeld: number;
  readonly expiriesDuringWork: number;
  readonly unreplicatedFailovers: number;
  readonly evaluated: Readonly<Record<PropertyId, number>>;
}
