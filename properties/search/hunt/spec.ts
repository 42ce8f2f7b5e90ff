/** What a hunt is asked for, as plain data: the same spec finds the same things on every machine. */
import type { PropertyId } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';
import { DRAWN_KINDS, type DrawnKind } from '../../arbitraries/faults.js';

/**
 * How much may go wrong: nothing (`calm`), what a lease lock itself assumes (`bounded`), faults of one sort, or all of them.
 * docs/hunt.md says what each of them draws.
 */
export const ASSUMPTIONS = [
  'calm',
  'bounded',
  'pauses',
  'clocks',
  'crashes',
  'partitions',
  'failover',
  'everything',
] as const;
export type Assumption = (typeof ASSUMPTIONS)[number];

export interface HuntSpec {
  /** As `--lock` takes it. */
  readonly lock: string;
  readonly seed: number;
  readonly assume: Assumption;
  /** Only these kinds of faults; null: all that are assumed. */
  readonly kinds: readonly DrawnKind[] | null;
  /** Only these are looked for; null: all. */
  readonly properties: readonly PropertyId[] | null;
  /** Changes made to every scenario. */
  readonly sets: readonly Setting[];
  /** Instances of the lock are kept between runs. */
  readonly reuse: boolean;
}

/** A hunt that could find nothing of what it is asked for; the message says why, and what to change. */
export class HuntRefused extends Error {
  override readonly name = 'HuntRefused';
}

const KINDS: Readonly<Record<Assumption, readonly DrawnKind[]>> = {
  calm: [],
  bounded: ['pause', 'crash'],
  pauses: ['pause'],
  clocks: ['step-clock', 'set-drift'],
  crashes: ['crash', 'shutdown'],
  partitions: ['partition', 'hold', 'slow', 'reset', 'delay'],
  failover: ['promote', 'partition', 'crash', 'pause', 'step-clock'],
  everything: DRAWN_KINDS,
};

/** The kinds of faults that a preset draws. */
export function kindsOf(assume: Assumption): readonly DrawnKind[] {
  return KINDS[assume];
}

/**
 * The kinds of faults that a hunt draws.
 * @throws HuntRefused when none is left
 */
export function kindsOfSpec({ assume, kinds }: Pick<HuntSpec, 'assume' | 'kinds'>): readonly DrawnKind[] {
  const assumed = KINDS[assume];
  if (kinds === null) return assumed;
  const left = assumed.filter((kind) => kinds.includes(kind));
  if (left.length > 0) return left;
  const has =
    assumed.length === 0 ? 'has no faults at all' : `has faults of these kinds: ${assumed.join(', ')}`;
  throw new HuntRefused(
    `nothing is left to hunt with: --assume ${assume} ${has}, and --faults asks for ${kinds.join(', ') || 'none'}`,
  );
}
