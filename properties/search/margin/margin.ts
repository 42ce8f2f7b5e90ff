/** One parameter of a scenario, varied until a verdict flips. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';
import { PROPERTY_IDS } from '../../../sim/scenario/schema.js';
import type { Verdicts } from '../../verdict.js';
import { rerun, type Refusal, type Rerun, type Runner } from '../rerun.js';
import { agrees, type ClosedForm } from './closed-form.js';
import { findFlips, type Flip, type Flips, type Sample } from './flips.js';
import type { Parameter, Range } from './parameter.js';

export interface MarginQuestion {
  readonly scenario: Scenario;
  readonly property: PropertyId;
  readonly parameter: Parameter;
  readonly range: Range;
  /** Intervals of the coarse grid that is run first. */
  readonly intervals: number;
  readonly closedForm: ClosedForm | null;
  readonly runner: Runner;
  /** Asked before each run: true ends the search with what it has. */
  readonly stopped?: () => boolean;
}

export interface Margin extends Flips {
  /** The flip that the closed form speaks of: the nearest to it; without one the first into or out of a violation. */
  readonly main: Flip | null;
  /**
   * The last value before the violation, as inequalities of the catalogue have it: at equality all is well. Its neighbour is
   * violated. Null: no flip in the range.
   */
  readonly flipsAt: number | null;
  /** Whether the main flip is where the closed form says; null where there is no closed form or it gives no number. */
  readonly agrees: boolean | null;
}

export async function margin(question: MarginQuestion): Promise<Margin> {
  const { scenario, property, parameter, closedForm, runner } = question;
  const known = [parameter.current, closedForm?.flipsAt ?? null].filter((value) => value !== null);
  const found = await findFlips({
    ...question,
    landmarks: known,
    sampleAt: (value) => sampleOf(runner, scenario, property, [{ path: parameter.path, value }], value),
  });
  const main = mainFlip(found.flips, closedForm);
  const flipsAt = main === null ? null : flipValue(main);
  return { ...found, main, flipsAt, agrees: agreement(closedForm, flipsAt, question.range, found.complete) };
}

function agreement(
  form: ClosedForm | null,
  flipsAt: number | null,
  { from, to }: Range,
  complete: boolean,
): boolean | null {
  if (form === null || form.flipsAt === null) return null;
  if (flipsAt !== null) return agrees(form, flipsAt);
  const expected = complete && form.flipsAt - form.within > from && form.flipsAt + form.within < to;
  return expected ? false : null;
}

/** Runs one value (or any other change) and looks at one property. A fault that never struck leaves nothing to say that it holds. */
export async function sampleOf(
  runner: Runner,
  scenario: Scenario,
  property: PropertyId,
  settings: readonly Setting[],
  value: number,
): Promise<Sample> {
  return { value, ...sideOf(await rerun(runner, scenario, settings), property, scenario) };
}

export function sideOf(
  result: Rerun | Refusal,
  property: PropertyId,
  { faults }: Scenario,
): Omit<Sample, 'value'> {
  if ('refused' in result) return { verdict: 'unknown', blame: null, reason: result.refused };
  const verdict = result.verdicts[property];
  switch (verdict.verdict) {
    case 'violated':
      return { verdict: 'violated', blame: verdict.blame, reason: verdict.reason };
    case 'unknown':
      return { verdict: 'unknown', blame: null, reason: verdict.reason };
    case 'holds': {
      const [missed] = result.untriggered;
      if (missed === undefined) return { verdict: 'holds', blame: null, reason: null };
      const reason = `faults[${missed}] (${faults[missed]?.do ?? 'a fault'}) never struck`;
      return { verdict: 'unknown', blame: null, reason };
    }
  }
}

/** The value beside the violated one; where both sides are violated, or neither, the lower one. */
function flipValue({ below, above }: Flip): number {
  return below.verdict === 'violated' && above.verdict !== 'violated' ? above.value : below.value;
}

/** Into or out of a violation, and between two certain verdicts, comes before a change of blame or into the unknown. */
function rank({ below, above }: Flip): number {
  const kinds = [below.verdict, above.verdict];
  if (kinds.includes('violated') && kinds.includes('holds')) return 0;
  return kinds.includes('violated') && below.verdict !== above.verdict ? 1 : 2;
}

function mainFlip(flips: readonly Flip[], form: ClosedForm | null): Flip | null {
  const expected = form?.flipsAt ?? null;
  const distance = (flip: Flip): number => (expected === null ? 0 : Math.abs(flipValue(flip) - expected));
  const sideways = (flip: Flip): number => (form === null || turnsViolated(flip) === form.violated ? 0 : 1);
  const ordered = [...flips].sort(
    (a, b) => rank(a) - rank(b) || sideways(a) - sideways(b) || distance(a) - distance(b),
  );
  return ordered[0] ?? null;
}

/** On which side of a flip the violation is. */
export function turnsViolated({ above }: Flip): 'above' | 'below' {
  return above.verdict === 'violated' ? 'above' : 'below';
}

/** What a run is mostly about: what the storage suffered before what processes believed, else the first violated. */
export function mainProperty(verdicts: Verdicts): PropertyId | undefined {
  const order: readonly PropertyId[] = [
    'no-stale-write',
    'mutual-exclusion',
    'exclusive-use',
    ...PROPERTY_IDS,
  ];
  return order.find((property) => verdicts[property].verdict === 'violated');
}
