/** From what people write to what runs: scenarios by id or file, locks by name or file, each with the nearest right word. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CATALOGUE, findScenario } from '../sim/catalogue/index.js';
import type { CatalogueEntry } from '../sim/catalogue/entry.js';
import { readText } from '../sim/history/file.js';
import { canonicalJson } from '../sim/history/jsonl.js';
import { parseDocument } from '../sim/history/read.js';
import { parseScenario } from '../sim/scenario/parse.js';
import { nearest } from '../sim/scenario/nearest.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { applySets, type Setting } from '../sim/scenario/set-path.js';
import { LOCKS } from '../src/registry.js';
import { CommandError } from './exit.js';

/** A word that means a file: it begins like a path or ends like a module or a JSON file. Lock names may hold slashes. */
export function isPath(word: string): boolean {
  return /^(\.{1,2}[\\/]|[\\/~])|\.(json|[cm]?[jt]s)$/.test(word);
}

/** A lock's name as a part of a file's name. */
export function lockStem(lock: string): string {
  const name = isPath(lock) ? path.basename(lock).replace(/\.[cm]?[jt]s$/, '') : lock;
  return name.replace(/[^\w.@-]+/g, '-');
}

/** A scenario of the catalogue by its id (case counts little), or one in a JSON file. */
export function resolveScenario(word: string): Scenario {
  const entry =
    findScenario(word) ?? CATALOGUE.find(({ scenario }) => scenario.id.toLowerCase() === word.toLowerCase());
  if (entry !== undefined) return parseScenario(entry.scenario, entry.scenario.id);
  if (isPath(word) || existsSync(word)) return readScenarioFile(word);
  const ids = CATALOGUE.map(({ scenario }) => scenario.id);
  const near = nearest(word, ids);
  throw new CommandError(
    `unknown scenario ${word}${near === undefined ? '' : ` (did you mean ${near}?)`}; \`lockpick list scenarios\` shows them, a file is given by its path`,
  );
}

function readScenarioFile(file: string): Scenario {
  const document = parseDocument(readText(file), file);
  const format = (document as { format?: unknown } | null)?.format;
  if (format === 'lockpick/counterexample@1')
    throw new CommandError(`${file} is a counterexample: lockpick replay ${file} runs it`);
  return parseScenario(document, file);
}

/** The changes a command line makes, in the order that lets `--set` have the last word. */
export function changeScenario(
  scenario: Scenario,
  changes: { readonly seed?: number; readonly lock?: string; readonly set: readonly Setting[] },
): Scenario {
  const settings: Setting[] = [];
  if (changes.seed !== undefined) settings.push({ path: 'seed', value: changes.seed });
  if (changes.lock !== undefined) settings.push({ path: 'lock.name', value: changes.lock });
  return applySets(scenario, [...settings, ...changes.set]);
}

/**
 * The catalogue's entry if the scenario is that one, unchanged but for its seed, its lock's name and the engine that plays
 * its servers: what must hold does not depend on that.
 */
export function catalogueEntryOf(scenario: Scenario): CatalogueEntry | undefined {
  const entry = findScenario(scenario.id);
  if (entry === undefined) return undefined;
  const original = parseScenario(entry.scenario, scenario.id);
  const same: Scenario = {
    ...original,
    seed: scenario.seed,
    lock: { ...original.lock, name: scenario.lock.name },
    servers: { ...original.servers, engine: scenario.servers.engine },
  };
  return canonicalJson(same) === canonicalJson(scenario) ? entry : undefined;
}

/** Refuses a lock's name that is neither known nor a file, with the nearest that is. */
export function checkLockName(word: string): void {
  if (LOCKS.some((lock) => lock.name === word)) return;
  if (isPath(word)) {
    if (!existsSync(word)) throw new CommandError(`${word}: no such file`);
    return;
  }
  const names = LOCKS.map((lock) => lock.name);
  const near = nearest(word, names);
  throw new CommandError(
    `unknown lock ${word}${near === undefined ? '' : ` (did you mean ${near}?)`}; \`lockpick list locks\` shows them, a file is given by its path`,
  );
}
