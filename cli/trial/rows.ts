/** How a lock meets the rows of the catalogue: which it fits, and on which transports it can be run there. */
import { CATALOGUE } from '../../sim/catalogue/index.js';
import type { CatalogueEntry } from '../../sim/catalogue/entry.js';
import type { LoadedLock } from '../../sim/load.js';
import { parseScenario, ScenarioError } from '../../sim/scenario/parse.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../../sim/scenario/schema.js';
import { showSetting, type Setting } from '../../sim/scenario/set-path.js';
import { findLock, LOCKS } from '../../src/registry.js';
import { misfit } from '../execute.js';
import { shellWord } from '../output.js';
import { changeScenario } from '../resolve.js';

/** One way to run a row, and the words that run it from a command line. */
export interface Play {
  readonly scenario: Scenario;
  readonly transport: 'direct' | 'wire';
  readonly command: string;
}

export interface Row {
  readonly id: string;
  /** What the catalogue expects of this very lock. */
  readonly expect: Readonly<Record<string, unknown>> | undefined;
  /** The row tells of a public report. */
  readonly reported: boolean;
  /** What goes wrong here for every lock, by the row's own settings. */
  readonly bySettings: ReadonlySet<PropertyId>;
  readonly first: Play;
  /** The same on the wire, where the first is not on it; null: it can't be. */
  readonly wire: Play | null;
}

export interface Misfit {
  readonly scenario: string;
  readonly why: string;
}

/** The package that makes a lock's clients in production. */
export function ownClientPackage(lock: LoadedLock): string {
  return findLock(lock.name)?.clientPackage ?? (lock.client === 'node-redis' ? 'redis' : 'ioredis');
}

/** @param seed instead of each row's own */
export function rowsFor(
  lock: LoadedLock,
  name: string,
  seed: number | undefined,
): { rows: Row[]; misfits: Misfit[] } {
  const rows: Row[] = [];
  const misfits: Misfit[] = [];
  for (const entry of CATALOGUE) {
    const row = rowFor(entry, lock, name, seed);
    if ('why' in row) misfits.push(row);
    else rows.push(row);
  }
  return { rows, misfits };
}

function rowFor(
  entry: CatalogueEntry,
  lock: LoadedLock,
  name: string,
  seed: number | undefined,
): Row | Misfit {
  const { id } = entry.scenario;
  const original = parseScenario(entry.scenario, id);
  const expect = original.expect[name];
  if (lock.semaphore && expect === undefined && original.lock.permits === 1)
    return { scenario: id, why: 'is a semaphore, and the row is about a mutex' };
  const play = (settings: readonly Setting[]): Play | string => playOf(original, lock, name, seed, settings);
  const first = play(original.processes.transport === 'wire' ? ownClients(original, lock, expect) : []);
  const onWire = original.processes.transport === 'wire' ? null : play(toWire(lock));
  const wire = typeof onWire === 'string' ? null : onWire;
  const rest = {
    id,
    expect,
    reported: entry.report !== undefined,
    bySettings: faultsOfSettings(original),
  };
  if (typeof first !== 'string') return { ...rest, first, wire };
  // What the direct transport can't offer a lock, a real client may.
  return wire === null ? { scenario: id, why: first } : { ...rest, first: wire, wire: null };
}

function playOf(
  original: Scenario,
  lock: LoadedLock,
  name: string,
  seed: number | undefined,
  set: readonly Setting[],
): Play | string {
  try {
    const scenario = changeScenario(original, { ...(seed === undefined ? {} : { seed }), lock: name, set });
    const problem = misfit(lock, scenario);
    if (problem !== null) return problem;
    const flags = seed === undefined ? [] : ['--seed', String(seed)];
    for (const setting of set) flags.push('--set', showSetting(setting));
    const words = ['npx', 'lockpick', 'run', scenario.id, '--lock', name, ...flags];
    return {
      scenario,
      transport: scenario.processes.transport,
      command: words.map(shellWord).join(' '),
    };
  } catch (error) {
    // An option of the row that the lock's client does not have.
    if (error instanceof ScenarioError) return error.problems.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** On the wire a lock has the client it has in production. */
export function toWire(lock: LoadedLock): Setting[] {
  const own = ownClientPackage(lock);
  return [
    { path: 'processes.transport', value: 'wire' },
    ...(own === 'ioredis' ? [] : [{ path: 'processes.clientPackage', value: own }]),
  ];
}

/** A row that is on the wire itself keeps its client package for the locks it is about. */
function ownClients(
  { processes }: Scenario,
  lock: LoadedLock,
  expect: Readonly<Record<string, unknown>> | undefined,
): Setting[] {
  const own = ownClientPackage(lock);
  const alike =
    processes.clientPackage === own || (own === 'ioredis' && processes.clientPackage.startsWith('ioredis'));
  return expect !== undefined || alike ? [] : [{ path: 'processes.clientPackage', value: own }];
}

/**
 * What the catalogue expects even of reference locks with blame `library`: the row's settings take away a part of the
 * algorithm (the jitter in R9), so it tells nothing of whose lock it is.
 */
export function faultsOfSettings({ expect }: Pick<Scenario, 'expect'>): ReadonlySet<PropertyId> {
  const found = new Set<PropertyId>();
  for (const { name, kind } of LOCKS)
    if (kind === 'reference')
      for (const property of PROPERTY_IDS)
        if (expect[name]?.[property] === 'violated/library') found.add(property);
  return found;
}
