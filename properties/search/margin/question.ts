/** From what somebody asks to a question that can be run: which parameter, which property, which range, which closed form. */
import type { Boundary, CatalogueEntry } from '../../../sim/catalogue/entry.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import { applySets, type Setting } from '../../../sim/scenario/set-path.js';
import { mainProperty } from '../main-property.js';
import type { Runner } from '../rerun.js';
import { boundaryFor, closedFormOf, settingsOf, type ClosedForm } from './closed-form.js';
import type { MarginQuestion } from './margin.js';
import {
  checkAllowed,
  defaultRange,
  ParameterError,
  parameterOf,
  rounded,
  toGrain,
  type Parameter,
  type Range,
} from './parameter.js';

export interface MarginWish {
  /** As it is to be varied: its lock and all changes made. */
  readonly scenario: Scenario;
  /** The changes that were made to it, apart from its lock and seed. */
  readonly settings: readonly Setting[];
  /** The catalogue's row it comes from. */
  readonly entry: CatalogueEntry | undefined;
  readonly path?: string;
  readonly property?: PropertyId;
  readonly from?: number;
  readonly to?: number;
  readonly intervals: number;
  readonly runner: Runner;
  readonly stopped?: () => boolean;
}

export interface AskedMargin extends MarginQuestion {
  /** Changes that the row's inequality asks for, made before anything else. */
  readonly assumed: readonly Setting[];
  /** Where the closed form flips in a scenario that was changed further; null where it gives no number there. */
  readonly closedFormAt: (scenario: Scenario) => number | null;
}

/** @throws ParameterError where the question can't be asked so, with what would do */
export async function askMargin(wish: MarginWish): Promise<AskedMargin> {
  const { entry } = wish;
  const boundary =
    entry === undefined ? undefined : boundaryFor(entry, { ...wish, lock: wish.scenario.lock.name });
  const path = wish.path ?? boundary?.path;
  if (path === undefined) throw new ParameterError(nothingToVary(wish));
  const assumed = boundary === undefined ? [] : settingsOf(boundary);
  // What was asked for has the last word.
  const scenario =
    assumed.length === 0 ? wish.scenario : applySets(wish.scenario, [...assumed, ...wish.settings]);
  const parameter = parameterOf(scenario, path);
  const property = wish.property ?? boundary?.property ?? (await violatedProperty(wish, scenario));
  const formIn = closedFormOn(boundary, wish);
  const closedForm = formIn(scenario);
  return {
    ...wish,
    scenario,
    property,
    parameter,
    range: rangeOf(parameter, scenario, closedForm, wish),
    closedForm,
    assumed,
    closedFormAt: (there) => formIn(there)?.flipsAt ?? null,
  };
}

/** The boundary's closed form in any scenario, held against the row's own, for which it was written. */
function closedFormOn(
  boundary: Boundary | undefined,
  { entry, scenario }: MarginWish,
): (there: Scenario) => ClosedForm | null {
  if (boundary === undefined || entry === undefined) return () => null;
  const original = applySets(parseScenario(entry.scenario), [
    { path: 'lock.name', value: scenario.lock.name },
    ...settingsOf(boundary),
  ]);
  return (there) => closedFormOf(boundary, original, there);
}

function rangeOf(
  parameter: Parameter,
  scenario: Scenario,
  form: ClosedForm | null,
  { from, to }: MarginWish,
): Range {
  const wide = defaultRange(parameter, scenario, [parameter.current, form?.flipsAt ?? null]);
  const range = { from: rounded(parameter, from ?? wide.from), to: rounded(parameter, to ?? wide.to) };
  for (const value of [range.from, range.to]) checkAllowed(parameter, value);
  if (toGrain(parameter, range.from) >= toGrain(parameter, range.to))
    throw new ParameterError(
      `${parameter.path}: from ${range.from} to ${range.to} runs backwards or nowhere; --from and --to are its ends`,
    );
  return range;
}

function nothingToVary({ scenario, entry, property }: MarginWish): string {
  const { name } = scenario.lock;
  const others = (entry?.boundaries ?? [])
    .filter((boundary) => property === undefined || boundary.property === property)
    .map(({ lock, path }) => `--lock ${lock} --vary ${path}`);
  const about = property === undefined ? '' : ` and ${property}`;
  const known =
    others.length === 0 ? '' : `; the catalogue has ${[...new Set(others)].slice(0, 4).join(', ')}`;
  return `the catalogue has no boundary of ${scenario.id} for ${name}${about}: name what to vary, as in --vary lock.ttlMs${known}`;
}

async function violatedProperty({ runner }: MarginWish, scenario: Scenario): Promise<PropertyId> {
  const result = await runner(scenario);
  if ('refused' in result) throw new ParameterError(`${scenario.id} can't be run: ${result.refused}`);
  const property = mainProperty(result.verdicts);
  if (property !== undefined) return property;
  throw new ParameterError(
    `nothing is violated in ${scenario.id} as it stands: name what may flip, as in --property mutual-exclusion`,
  );
}
