/** Of several violations the one that a run is about. */
import { PROPERTY_IDS, type PropertyId } from '../../sim/scenario/schema.js';
import { everyViolation, type Blame, type Verdicts, type Violation } from '../verdict.js';

/** Which violation of a run is meant: the first of that property and blame. */
export interface Sort {
  readonly property: PropertyId;
  readonly blame: Blame;
}

/** A violation, and the property that is violated. */
export type Named = readonly [property: PropertyId, violation: Violation];

/** What the storage suffered before what processes believed. */
const ORDER: readonly PropertyId[] = ['no-stale-write', 'mutual-exclusion', 'exclusive-use', ...PROPERTY_IDS];

/** The first that is violated, whoever is to blame; undefined: none is. */
export function mainProperty(verdicts: Verdicts): PropertyId | undefined {
  return ORDER.find((property) => verdicts[property].verdict === 'violated');
}

/**
 * The violation that a report explains: a mistake of the lock's own before what would happen to any lock, for it is the one that can be
 * mended; among these, in the order of `mainProperty`.
 */
export function mainViolation(verdicts: Verdicts): Named | undefined {
  const all = ORDER.flatMap((property): Named[] => {
    const verdict = verdicts[property];
    if (verdict.verdict !== 'violated') return [];
    return everyViolation(verdict).map((violation): Named => [property, violation]);
  });
  return all.find(([, { blame }]) => blame === 'library') ?? all[0];
}

/** Undefined: the run does not show it. */
export function violationOf(verdicts: Verdicts, { property, blame }: Sort): Violation | undefined {
  const verdict = verdicts[property];
  if (verdict.verdict !== 'violated') return undefined;
  return everyViolation(verdict).find((violation) => violation.blame === blame);
}
