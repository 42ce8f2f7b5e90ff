/** Why a run is violated, and what would change it, tried out with the lock's relatives as the registry knows them. */
import { counterfactuals, type Counterfactual } from '../properties/search/why/counterfactuals.js';
import { WITHOUT, type LockFamily } from '../properties/search/why/changes.js';
import type { Sort } from '../properties/search/main-property.js';
import { why, type Why } from '../properties/search/why/why.js';
import type { Verdicts } from '../properties/verdict.js';
import type { Change } from '../reports/view/remedy.js';
import type { History } from '../sim/history/events.js';
import type { LoadedLock } from '../sim/load.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { showSetting } from '../sim/scenario/set-path.js';
import { LOCKS } from '../src/registry.js';
import { load } from './execute.js';
import { shellWord } from './output.js';
import { Reruns } from './rerun.js';

/**
 * Null where nothing is violated.
 * @param about the violation to explain if the run shows it; else it is the main one of the run
 */
export async function explain(
  history: History,
  lock: LoadedLock,
  verdicts: Verdicts,
  about?: Sort,
): Promise<Why | null> {
  const { scenario } = history.header;
  return withReruns(scenario, lock, ({ run }) =>
    why(scenario, verdicts, familyOf(history, lock), run, about),
  );
}

/** Runs the changes that may matter, and keeps those that cure a violation; those that leave none come first. */
export async function tryChanges(history: History, lock: LoadedLock, before: Verdicts): Promise<Change[]> {
  const { scenario } = history.header;
  return withReruns(scenario, lock, async ({ run }) =>
    changesOf(await counterfactuals(scenario, before, familyOf(history, lock), run)),
  );
}

async function withReruns<T>(
  scenario: Scenario,
  lock: LoadedLock,
  work: (reruns: Reruns) => Promise<T>,
): Promise<T> {
  const { name } = scenario.lock;
  const reruns = new Reruns((other) => (other === name ? Promise.resolve(lock) : load(other)));
  try {
    return await work(reruns);
  } finally {
    await reruns.close();
  }
}

function familyOf({ header }: History, { servers, semaphore }: LoadedLock): LockFamily {
  const { name } = header.scenario.lock;
  const entry = LOCKS.find((known) => known.name === name);
  const fenced = LOCKS.some((known) => known.name === `${name}-fenced`) ? `${name}-fenced` : null;
  const one = servers === 1 ? 'single' : 'redlock';
  return {
    name,
    fenced,
    givesTokens: header.lock.claims?.fence === true,
    reference: entry?.kind === 'reference' ? null : semaphore ? 'semaphore' : one,
    takesOptions: entry?.kind === 'reference' || entry?.kind === 'pitfall',
    manyServers: servers !== 1,
    clock: header.lock.claims?.validity ?? null,
  };
}

/** Those that help, as reports show them: each once, those that leave no violation first. */
export function changesOf(tried: readonly Counterfactual[]): Change[] {
  const helpful = tried.filter(({ effect }) => effect === 'cures' || effect === 'helps');
  const changes = new Map<string, Change>();
  for (const one of helpful) {
    const { what, cures, leaves } = one;
    const flags = flagsOf(one);
    if (!changes.has(flags || what)) changes.set(flags || what, { what, flags, cures, leaves });
  }
  return [...changes.values()].sort((a, b) => a.leaves.length - b.leaves.length);
}

/** What `run` takes to make the change; nothing where that is no help to a reader: a whole list of faults. */
export function flagsOf({ what, lock, settings }: Counterfactual): string {
  if (what.startsWith(WITHOUT)) return '';
  const words = lock === null ? [] : ['--lock', lock];
  for (const setting of settings) words.push('--set', showSetting(setting));
  return words.map(shellWord).join(' ');
}
