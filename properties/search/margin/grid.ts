/** Two parameters at once: a map of one verdict, row by row, beside the line on which the closed form flips. */
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import { changed, type Runner } from '../rerun.js';
import type { Sample } from './flips.js';
import { sampleOf } from './margin.js';
import { checkAllowed, defaultRange, fromGrain, rounded, toGrain, type Parameter } from './parameter.js';

export interface Axis {
  readonly parameter: Parameter;
  /** Ascending. */
  readonly values: readonly number[];
}

export interface GridMap {
  readonly property: PropertyId;
  readonly x: Axis;
  readonly y: Axis;
  /** `rows[j][i]` is what came of `x.values[i]` and `y.values[j]`; rows that were not run are missing. */
  readonly rows: readonly (readonly Sample[])[];
  /** For each row, the x at which the closed form flips; null where it gives no number. */
  readonly closedForm: readonly (number | null)[];
}

/** `faults.0.forMs=0:2000:50`, each part after the path optional. */
export interface AxisWish {
  readonly path: string;
  readonly from?: number;
  readonly to?: number;
  readonly step?: number;
}

export class AxisError extends Error {
  override readonly name = 'AxisError';
}

/** Values of an axis, unless a step says otherwise. */
const COLUMNS = 61;
const ROWS = 21;
/** More values than this along one axis are a mistake, sooner than a wish. */
const MOST_VALUES = 1000;

/** @throws AxisError where the text is not a path, perhaps with `=from:to` or `=from:to:step` */
export function parseAxis(text: string): AxisWish {
  const [path = '', span, ...more] = text.split('=');
  const numbers = span?.split(':').map((part) => (part.trim() === '' ? NaN : Number(part))) ?? [];
  const wellFormed =
    path.trim() !== '' &&
    more.length === 0 &&
    (span === undefined || numbers.length === 2 || numbers.length === 3);
  if (!wellFormed || !numbers.every(Number.isFinite))
    throw new AxisError(`\`${text}\` is not path or path=from:to:step, as in faults.0.forMs=0:2000:50`);
  const [from, to, step] = numbers;
  if (from === undefined || to === undefined) return { path: path.trim() };
  if (!(from < to)) throw new AxisError(`${path}: ${from}:${to} runs backwards or nowhere`);
  if (step !== undefined && step <= 0) throw new AxisError(`${path}: a step is above 0, not ${step}`);
  return { path: path.trim(), from, to, ...(step === undefined ? {} : { step }) };
}

/**
 * The values to run. Without a range the one where things are known to happen; without a step so many that a window holds them.
 * @throws AxisError for too many values, ParameterError for some that no scenario may have
 */
export function axisOf(
  parameter: Parameter,
  scenario: Scenario,
  wish: AxisWish,
  role: 'x' | 'y',
  known: readonly (number | null)[] = [],
): Axis {
  const wide = defaultRange(parameter, scenario, [parameter.current, ...known]);
  const from = rounded(parameter, wish.from ?? wide.from);
  const to = rounded(parameter, wish.to ?? wide.to);
  for (const value of [from, to]) checkAllowed(parameter, value);
  const grain = 10 ** -parameter.decimals;
  const step = wish.step ?? Math.max(grain, roundStep((to - from) / ((role === 'x' ? COLUMNS : ROWS) - 1)));
  const stride = toGrain(parameter, step);
  if (stride < 1)
    throw new AxisError(
      `${parameter.path}: a step of ${step} is less than a scenario can tell, which is ${grain}`,
    );
  // Where nobody says where to begin, at a multiple of the step.
  const first =
    wish.from === undefined
      ? Math.ceil(toGrain(parameter, from) / stride) * stride
      : toGrain(parameter, from);
  const last = toGrain(parameter, to);
  const count = Math.floor((last - first) / stride) + 1;
  if (count > MOST_VALUES)
    throw new AxisError(`${parameter.path}: ${count} values are too many, ${MOST_VALUES} are the most`);
  const values = Array.from({ length: count }, (_, index) => fromGrain(parameter, first + index * stride));
  return { parameter, values };
}

/** The next 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 2.5, 5, 10].find((multiple) => multiple * power >= rough * (1 - 1e-9)) ?? 10) * power;
}

/** One row of a map: plain data, for whoever runs it. */
export interface RowQuestion {
  readonly scenario: Scenario;
  readonly property: PropertyId;
  readonly x: Axis;
  readonly y: Parameter;
  /** The value of `y` all along the row. */
  readonly value: number;
}

/** Everything in one row, from left to right. */
export async function gridRow(
  { scenario, property, x, y, value }: RowQuestion,
  runner: Runner,
): Promise<Sample[]> {
  const across = { path: y.path, value };
  const row: Sample[] = [];
  for (const at of x.values)
    row.push(await sampleOf(runner, scenario, property, [across, { path: x.parameter.path, value: at }], at));
  return row;
}

export interface GridQuestion {
  readonly scenario: Scenario;
  readonly property: PropertyId;
  readonly x: Axis;
  readonly y: Axis;
  /** Where the closed form flips in a scenario. */
  readonly closedFormAt: (scenario: Scenario) => number | null;
  readonly rowOf: (question: RowQuestion) => Promise<readonly Sample[]>;
  /** Rows that may be under way at the same time. */
  readonly atOnce: number;
  /** Asked before each row: true ends the map with the rows it has. */
  readonly stopped?: () => boolean;
  /** Called after each row. */
  readonly rowDone?: (rows: number) => void;
}

export async function gridMap(question: GridQuestion): Promise<GridMap> {
  const { scenario, property, x, y, stopped } = question;
  const rows: (readonly Sample[])[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < y.values.length && stopped?.() !== true) {
      const index = next++;
      rows[index] = await question.rowOf({ scenario, property, x, y: y.parameter, value: y.values[index]! });
      question.rowDone?.(++done);
    }
  };
  // Rows begin in order and all that have begun are finished: what there is has no gaps.
  await Promise.all(Array.from({ length: Math.max(1, question.atOnce) }, work));
  return { property, x, y, rows, closedForm: closedFormLine(question, scenario) };
}

function closedFormLine({ y, closedFormAt }: GridQuestion, scenario: Scenario): (number | null)[] {
  return y.values.map((value) => {
    const there = changed(scenario, [{ path: y.parameter.path, value }]);
    return 'refused' in there ? null : closedFormAt(there);
  });
}

/**
 * Rows in which the map turns where the closed form says: it lies between the last cell on one side and the first on the other,
 * or within one cell of that.
 */
export function rowsThatAgree({ x, rows, closedForm }: GridMap): { agree: number; of: number } {
  let agree = 0;
  let of = 0;
  const cell = (x.values.at(-1)! - x.values[0]!) / Math.max(1, x.values.length - 1);
  rows.forEach((row, index) => {
    const form = closedForm[index] ?? null;
    if (form === null || form < x.values[0]! || form > x.values.at(-1)!) return;
    of++;
    const turns = row.some((sample, at) => {
      const next = row[at + 1];
      if (next === undefined || (sample.verdict === 'violated') === (next.verdict === 'violated'))
        return false;
      return form >= sample.value - cell && form <= next.value + cell;
    });
    if (turns) agree++;
  });
  return { agree, of };
}
