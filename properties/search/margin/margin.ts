/** One parameter of a scenario, varied until a verdict flips. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';
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
  /**
   * Whether the main flip is where the closed form says. Null: there is none, it gives no number, or it was written for another
   * lock, whose contenders ask at other times.
   */
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
  const agreed = agreement(closedForm, flipsAt, question.range, found.complete);
  const foreign = closedForm?.lock !== scenario.lock.name;
  return { ...found, main, flipsAt, agrees: foreign && agreed === false ? null : agreed };
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

/** Runs one value (or any other change) and looks at one property. */
export async function sampleOf(
  runner: Runner,
  scenario: Scenario,
  property: PropertyId,
  settings: readonly Setting[],
  value: number,
): Promise<Sample> {
  return { value, ...sideOf(await rerun(runner, scenario, settings), property) };
}

function sideOf(result: Rerun | Refusal, property: PropertyId): Omit<Sample, 'value'> {
  if ('refused' in result) return { verdict: 'unknown', blame: null, reason: result.refused };
  const verdict = result.verdicts[property];
  switch (verdict.verdict) {
    case 'violated':
      return { verdict: 'violated', blame: verdict.blame, reason: verdict.reason };
    case 'unknown':
      return { verdict: 'unknown', blame: null, reason: verdict.reason };
    case 'holds':
      return { verdict: 'holds', blame: null, reason: null };
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
