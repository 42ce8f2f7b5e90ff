/** A numeric path of a scenario as a line of values, from the least difference that a scenario can tell. */
import type { Scenario } from '../../../sim/scenario/schema.js';
import type { JsonSchema } from '../../../sim/scenario/json-schema.js';
import { nearestPath, readPath, splitPath } from '../../../sim/scenario/set-path.js';
import { describeAt, schemasAt } from '../../../sim/scenario/shape.js';

/** `ratio`: a bare number such as a probability; `count`: whole things. */
export type Unit = 'ms' | 's' | 'ppm' | 'bytes' | 'ratio' | 'count';

export interface Parameter {
  readonly path: string;
  readonly unit: Unit;
  /** Decimals of a value: neighbours differ by one in the last of them. */
  readonly decimals: number;
  /** The least and the greatest value allowed; null: no limit that the scenario knows. */
  readonly least: number | null;
  readonly most: number | null;
  /** What the scenario has there; null where that is no single number. */
  readonly current: number | null;
}

/** A path that can't be varied. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

/** @throws ParameterError if the path doesn't exist or holds no number, with the nearest that does */
export function parameterOf(scenario: Scenario, path: string): Parameter {
  const keys = splitPath(path);
  const schemas = keys.includes('') ? [] : schemasAt(keys, scenario);
  const number = schemas.find(({ type }) => type === 'number' || type === 'integer');
  // Options of a lock are its own affair: any name, any value.
  const open = schemas.some(({ type, ...rest }) => type === undefined && Object.keys(rest).length === 0);
  if (number === undefined && !open) throw new ParameterError(problemOf(scenario, path, schemas));
  const missing = missingEntry(scenario, keys);
  if (missing !== null) throw new ParameterError(`${missing}: nothing is there to vary`);
  const current = readPath(scenario, path);
  if (open && typeof current !== 'number' && current !== undefined)
    throw new ParameterError(
      `${path} is ${JSON.stringify(current)}, not a number: \`margin\` varies numbers`,
    );
  const unit = unitOf(keys, number?.type === 'integer');
  const decimals = DECIMALS[unit];
  const grain = 10 ** -decimals;
  return {
    path,
    unit,
    decimals,
    least: limit(number?.minimum, number?.exclusiveMinimum, grain),
    most: limit(number?.maximum, number?.exclusiveMaximum, -grain),
    current: typeof current === 'number' ? current : null,
  };
}

/**
 * True time is whole microseconds; a thousandth of a ppm moves a clock by less than that within any run; probabilities
 * are drawn from far finer numbers than any run can tell.
 */
const DECIMALS: Readonly<Record<Unit, number>> = { ms: 3, s: 0, ppm: 3, bytes: 0, ratio: 6, count: 0 };

function unitOf(keys: readonly string[], whole: boolean): Unit {
  // A link is named by its ends and holds a duration; so does a position of a pair [least, most].
  if (keys.at(-2) === 'links') return 'ms';
  const name = (/^\d+$/.test(keys.at(-1)!) ? keys.at(-2) : keys.at(-1)) ?? '';
  if (name.endsWith('Ms')) return 'ms';
  if (name.endsWith('Ppm')) return 'ppm';
  if (whole && name.endsWith('S')) return 's';
  if (whole) return name === 'bytes' || name === 'maxMemory' ? 'bytes' : 'count';
  return 'ratio';
}

function limit(included: number | undefined, excluded: number | undefined, grain: number): number | null {
  const value = included ?? (excluded === undefined ? undefined : excluded + grain);
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}

function problemOf(scenario: Scenario, path: string, schemas: readonly JsonSchema[]): string {
  if (schemas.length > 0)
    return `${path} is ${describeAt(splitPath(path), scenario)}, not a number: \`margin\` varies numbers`;
  const near = nearestPath(path, scenario);
  return `no path \`${path}\` in a scenario${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** The schema knows positions of lists that this scenario doesn't have: `faults.3` of two faults. */
function missingEntry(scenario: Scenario, keys: readonly string[]): string | null {
  let value: unknown = scenario;
  for (const [depth, key] of keys.entries()) {
    if (Array.isArray(value) && !(Number(key) < value.length))
      return `${keys.slice(0, depth).join('.')} has ${value.length === 0 ? 'no entries' : `only ${value.length}`}`;
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  return null;
}

/** @throws ParameterError for a value that no scenario may have there */
export function checkAllowed({ path, least, most, unit }: Parameter, value: number): void {
  if ((least === null || value >= least) && (most === null || value <= most)) return;
  const limits = [
    ...(least === null ? [] : [`at least ${least}`]),
    ...(most === null ? [] : [`at most ${most}`]),
  ];
  throw new ParameterError(`${path}: ${value} ${unit} is not allowed there: ${limits.join(' and ')}`);
}

/** The nearest value that the parameter can take. */
export function rounded({ decimals }: Parameter, value: number): number {
  return Number(value.toFixed(decimals));
}

/** Values as counts of the least difference, so that neighbours differ by 1. */
export function toGrain({ decimals }: Parameter, value: number): number {
  return Math.round(value * 10 ** decimals);
}

export function fromGrain(parameter: Parameter, grain: number): number {
  return rounded(parameter, grain / 10 ** parameter.decimals);
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Where to look if nobody says: twice as far as all that is known (what the scenario has, where the closed form flips,
 * and for durations the ttl), on both sides of 0 where that is allowed.
 */
export function defaultRange(
  parameter: Parameter,
  scenario: Scenario,
  known: readonly (number | null)[],
): Range {
  const { least, most, unit } = parameter;
  const floor = { ms: scenario.lock.ttlMs, ppm: 100_000, s: 10, bytes: 1000, ratio: 1, count: 5 }[unit];
  const sizes = known.flatMap((value) => (value === null ? [] : [Math.abs(value)]));
  const reach = 2 * Math.max(floor / (unit === 'ratio' ? 2 : 1), ...sizes);
  const from = least === null ? -reach : least;
  const to = most === null ? reach : Math.min(most, reach);
  return { from: rounded(parameter, from < -reach ? -reach : from), to: rounded(parameter, to) };
}
