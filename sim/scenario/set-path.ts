/** `--set path=value`: one change of a scenario, written as a path of names and array positions joined by dots. */
import { editDistance, nearest } from './nearest.js';
import { parseScenario, ScenarioError } from './parse.js';
import type { Scenario } from './schema.js';
import { memberOf, namesAt, pathsOf, schemasAt, showPath, valueAt, type Path } from './shape.js';

export interface Setting {
  readonly path: string;
  readonly value: unknown;
  /** The value as it was written, for what is a text though it looks like a number: a version. */
  readonly text?: string;
}

/**
 * Reads `path=value`. The value is JSON; what isn't JSON is a text, so that `lock.name=redlock` needs no quotes.
 * @throws ScenarioError if there is no `=`
 */
export function parseSetting(text: string): Setting {
  const at = text.indexOf('=');
  if (at <= 0) {
    const message = `\`${text}\` is not path=value, as in resource.fenced=true`;
    throw new ScenarioError('--set', [{ path: [], message }]);
  }
  const written = text.slice(at + 1);
  return { path: text.slice(0, at).trim(), value: parseValue(written), text: written };
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** `lockpick ... --set` text of a setting: the reverse of {@link parseSetting}. */
export function showSetting({ path, value }: Setting): string {
  const plain = typeof value === 'string' && parseValue(value) === value;
  return `${path}=${plain ? value : JSON.stringify(value)}`;
}

/** Splits a path at its dots; names that hold a dot themselves (lock options) can't be reached. */
export function splitPath(path: string): string[] {
  return path.split('.');
}

/**
 * A copy of the scenario with the settings made in order, checked again as a whole.
 * @throws ScenarioError for a path that doesn't exist, naming the nearest that does, and for a value that isn't allowed there
 */
export function applySets(scenario: Scenario, settings: readonly Setting[], source = '--set'): Scenario {
  if (settings.length === 0) return scenario;
  const copy = structuredClone(scenario) as Record<string, unknown>;
  for (const setting of settings) setOne(copy, setting, source);
  return parseScenario(copy, source);
}

function setOne(scenario: Record<string, unknown>, setting: Setting, source: string): void {
  const { path } = setting;
  const keys = splitPath(path);
  const known =
    keys.every((key) => key !== '' && key !== '__proto__') && schemasAt(keys, scenario).length > 0;
  if (!known) throw new ScenarioError(source, [{ path: [], message: unknownPath(path, scenario) }]);
  let target: unknown = scenario;
  keys.forEach((key, depth) => {
    checkPosition(target, keys.slice(0, depth + 1), source);
    const last = depth === keys.length - 1;
    if (!last && !isContainer(memberOf(target, key))) {
      // A pair such as [10, 50] given as one number has no positions; an object left out starts out empty.
      if (memberOf(target, key) !== undefined)
        throw new ScenarioError(source, [
          {
            path: keys.slice(0, depth + 1),
            message: `is ${JSON.stringify(memberOf(target, key))}: nothing is inside it`,
          },
        ]);
      (target as Record<string, unknown>)[key] = {};
    }
    if (last) (target as Record<string, unknown>)[key] = valueFor(keys, setting, scenario);
    else target = memberOf(target, key);
  });
}

function valueFor(keys: readonly string[], { value, text }: Setting, scenario: unknown): unknown {
  const wantsText = schemasAt(keys, scenario).every(({ type }) => type === 'string');
  return typeof value === 'number' && text !== undefined && wantsText ? text : value;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A list can be changed where it has an entry, and grow by one at its end. */
function checkPosition(target: unknown, path: Path, source: string): void {
  if (!Array.isArray(target)) return;
  const key = String(path.at(-1));
  if (/^(0|[1-9]\d*)$/.test(key) && Number(key) <= target.length) return;
  const last = target.length - 1;
  const has = last < 0 ? 'is empty' : last === 0 ? 'has only entry 0' : `has entries 0 to ${last}`;
  const message = `no such entry: ${showPath(path.slice(0, -1))} ${has}`;
  throw new ScenarioError(source, [{ path, message }]);
}

function unknownPath(path: string, scenario: unknown): string {
  const near = nearestPath(path, scenario);
  const parent = splitPath(path).slice(0, -1);
  const inside = schemasAt(parent, scenario).length > 0 ? namesAt(parent, scenario) : [];
  const known =
    inside.length > 0
      ? `; known ${parent.length > 0 ? `in ${showPath(parent)}` : 'names'}: ${inside.join(', ')}`
      : '';
  return `no path \`${path}\` in a scenario${near === undefined ? '' : ` (did you mean ${near}?)`}${known}`;
}

/** The path nearest to a wrong one: the same last name elsewhere first, then by spelling of the last name, then of all. */
export function nearestPath(path: string, scenario: unknown): string | undefined {
  const all = pathsOf(scenario);
  const last = splitPath(path).at(-1)!;
  const sameParent = all.filter((known) => parentOf(known) === parentOf(path));
  const sibling = nearest(last, sameParent.map(lastName));
  if (sibling !== undefined) return sameParent.find((known) => lastName(known) === sibling);
  const sameName = all.filter((known) => lastName(known).toLowerCase() === last.toLowerCase());
  const byDistance = (candidates: readonly string[]): string | undefined =>
    [...candidates].sort((a, b) => editDistance(path, a) - editDistance(path, b) || (a < b ? -1 : 1))[0];
  return byDistance(sameName) ?? nearest(path, all);
}

function parentOf(path: string): string {
  return splitPath(path).slice(0, -1).join('.');
}

function lastName(path: string): string {
  return splitPath(path).at(-1)!;
}

/** The value a path has now; undefined where nothing is set. */
export function readPath(scenario: unknown, path: string): unknown {
  return valueAt(splitPath(path), scenario);
}
