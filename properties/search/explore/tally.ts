/** What a part of an exploration came to, as plain data; parts add up to the whole. */
import type { Fault, PropertyId } from '../../../sim/scenario/schema.js';
import type { Blame } from '../../verdict.js';
import type { JudgedRun, Violated } from './runs.js';

/** A schedule that violates, and no part of it does. */
export interface Breach {
  readonly faults: readonly Fault[];
  /** Its place in the enumeration: by anomalies, the ordinals of the choices; earlier is smaller. */
  readonly order: readonly number[];
  readonly violations: readonly Violated[];
}

/** How many schedules violate a property, whose fault it is, and the earliest of the smallest of them. */
export interface Sort {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly count: number;
  readonly first: Breach;
}

export interface Tally {
  /** Schedules that were run. */
  readonly schedules: number;
  /** Of these, those that violate. */
  readonly violating: number;
  /** Of these, those in which somebody got the lock. */
  readonly granted: number;
  /** Of these, those in which what is looked for could be judged. */
  readonly judged: number;
  /** By `property/blame`. */
  readonly sorts: Readonly<Record<string, Sort>>;
  readonly smallest: Breach | null;
}

export const NOTHING: Tally = {
  schedules: 0,
  violating: 0,
  granted: 0,
  judged: 0,
  sorts: {},
  smallest: null,
};

/** One run's tally. */
export function tallyOf(
  faults: readonly Fault[],
  order: readonly number[],
  { violations, granted, judged }: Pick<JudgedRun, 'violations' | 'granted' | 'judged'>,
): Tally {
  const one = { ...NOTHING, schedules: 1, granted: granted ? 1 : 0, judged: judged ? 1 : 0 };
  if (violations.length === 0) return one;
  const first: Breach = { faults, order, violations };
  const sorts: Record<string, Sort> = {};
  for (const { property, blame } of violations)
    sorts[`${property}/${blame}`] = { property, blame, count: 1, first };
  return { ...one, violating: 1, sorts, smallest: first };
}

/** Associative and commutative, and {@link NOTHING} adds nothing. */
export function add(a: Tally, b: Tally): Tally {
  const runs = {
    schedules: a.schedules + b.schedules,
    granted: a.granted + b.granted,
    judged: a.judged + b.judged,
  };
  if (b.violating === 0) return { ...a, ...runs };
  const sorts: Record<string, Sort> = { ...a.sorts };
  for (const [key, sort] of Object.entries(b.sorts)) {
    const known = sorts[key];
    sorts[key] =
      known === undefined
        ? sort
        : { ...sort, count: known.count + sort.count, first: smaller(known.first, sort.first)! };
  }
  return {
    ...runs,
    violating: a.violating + b.violating,
    sorts: Object.fromEntries(Object.entries(sorts).sort(([x], [y]) => (x < y ? -1 : 1))),
    smallest: smaller(a.smallest, b.smallest),
  };
}

/** Fewest anomalies, then the earliest. */
export function smaller(a: Breach | null, b: Breach | null): Breach | null {
  if (a === null || b === null) return a ?? b;
  if (a.order.length !== b.order.length) return a.order.length < b.order.length ? a : b;
  for (let level = 0; level < a.order.length; level++) {
    const [x, y] = [a.order[level]!, b.order[level]!];
    if (x !== y) return x < y ? a : b;
  }
  return a;
}
