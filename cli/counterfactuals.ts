/** What would change the verdict, tried out: the same seed with one change each. */
import type { Verdicts } from '../properties/verdict.js';
import { judge } from '../properties/judge.js';
import type { Change } from '../reports/view/remedy.js';
import type { LoadedLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { ScenarioError } from '../sim/scenario/parse.js';
import type { Fault, PropertyId, Scenario } from '../sim/scenario/schema.js';
import { applySets, showSetting, type Setting } from '../sim/scenario/set-path.js';
import { LOCKS } from '../src/registry.js';
import { load, violationsOf } from './execute.js';
import { shellWord } from './output.js';

interface Candidate {
  readonly what: string;
  readonly lock?: string;
  readonly settings: readonly Setting[];
}

/** How a candidate begins that takes a fault away. */
const WITHOUT = 'without the ';

/** More faults than this are not taken away one by one. */
const FAULTS_TRIED = 4;

function set(path: string, value: unknown): Setting {
  return { path, value };
}

function faultText(fault: Fault): string {
  if ('from' in fault)
    return `${fault.do} ${[fault.from].flat().join(',')} -> ${[fault.to].flat().join(',')}`;
  const host = ('host' in fault ? fault.host : undefined) ?? fault.on?.process ?? fault.on?.server;
  return host === undefined ? fault.do : `${fault.do} of ${host}`;
}

/** The lock of the same family that hands out tokens, if it isn't that one already. */
function fencedLock(name: string): string | undefined {
  return LOCKS.some((lock) => lock.name === `${name}-fenced`) ? `${name}-fenced` : undefined;
}

/** For a lock with a known mistake, the reference lock that doesn't make it. */
function soundLock(name: string): string | undefined {
  const lock = LOCKS.find((known) => known.name === name);
  if (lock?.kind !== 'pitfall') return undefined;
  return lock.servers === 1 ? 'single' : 'redlock';
}

const SAFETY: readonly PropertyId[] = ['mutual-exclusion', 'exclusive-use', 'no-stale-write'];

function candidatesFor(scenario: Scenario, violated: ReadonlySet<PropertyId>): Candidate[] {
  const candidates: Candidate[] = [];
  const sound = soundLock(scenario.lock.name);
  if (sound !== undefined) candidates.push({ what: `the lock ${sound}`, lock: sound, settings: [] });
  if (!scenario.resource.fenced) {
    const lock = fencedLock(scenario.lock.name);
    const what = lock === undefined ? 'storage that checks tokens' : `${lock} and storage that checks tokens`;
    candidates.push({
      what,
      ...(lock === undefined ? {} : { lock }),
      settings: [set('resource.fenced', true)],
    });
  }
  if (scenario.faults.length <= FAULTS_TRIED) {
    scenario.faults.forEach((fault, index) => {
      const rest = scenario.faults.filter((_, other) => other !== index);
      candidates.push({ what: `${WITHOUT}${faultText(fault)}`, settings: [set('faults', rest)] });
    });
  } else candidates.push({ what: 'without any fault', settings: [set('faults', [])] });
  if (scenario.workload.discipline === 'naive')
    candidates.push({
      what: 'a holder that stops when told',
      settings: [set('workload.discipline', 'heeds')],
    });
  if (scenario.servers.persistence === 'none' && scenario.faults.some(({ do: what }) => what === 'crash'))
    candidates.push({
      what: 'servers that sync every write',
      settings: [set('servers.persistence', 'aof-always')],
    });
  // Bounds of liveness grow with the ttl, so that there a longer one would only seem to help.
  const ttlMs = scenario.lock.ttlMs * 4;
  if (SAFETY.some((property) => violated.has(property)))
    candidates.push({ what: `a ttl of ${ttlMs} ms`, settings: [set('lock.ttlMs', ttlMs)] });
  return candidates;
}

/** Runs the changes that may matter, and keeps those that cure a violation; those that leave none come first. */
export async function tryChanges(scenario: Scenario, lock: LoadedLock, before: Verdicts): Promise<Change[]> {
  const violated = new Set(violationsOf(before).map(([property]) => property));
  const changes: Change[] = [];
  for (const candidate of candidatesFor(scenario, violated)) {
    const after = await verdictsWith(scenario, lock, candidate);
    if (after === undefined) continue;
    const left = violationsOf(after).map(([property]) => property);
    const cures = [...violated].filter((property) => after[property].verdict === 'holds');
    if (cures.length === 0) continue;
    changes.push({ what: candidate.what, flags: flagsOf(candidate), cures, leaves: left });
  }
  return joinAlike(changes).sort((a, b) => a.leaves.length - b.leaves.length);
}

/** Faults that each cure the same when they are taken away are told in one breath. */
function joinAlike(changes: readonly Change[]): Change[] {
  const joined: Change[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const alike =
      last !== undefined &&
      last.what.startsWith(WITHOUT) &&
      change.what.startsWith(WITHOUT) &&
      String([last.cures, last.leaves]) === String([change.cures, change.leaves]);
    if (alike)
      joined[joined.length - 1] = {
        ...last,
        flags: '',
        what: `${last.what} or ${change.what.slice(WITHOUT.length)}`,
      };
    else joined.push(change);
  }
  return joined;
}

/** Undefined where the change makes no scenario: a trigger may depend on what was taken away. */
async function verdictsWith(
  scenario: Scenario,
  lock: LoadedLock,
  { lock: other, settings }: Candidate,
): Promise<Verdicts | undefined> {
  try {
    const all = other === undefined ? settings : [set('lock.name', other), ...settings];
    const changed = applySets(scenario, all);
    const history = await simulate(changed, other === undefined ? lock : await load(other));
    return judge(history).verdicts;
  } catch (error) {
    if (error instanceof ScenarioError) return undefined;
    throw error;
  }
}

function flagsOf({ lock, settings }: Candidate): string {
  const words = lock === undefined ? [] : ['--lock', lock];
  for (const setting of settings) {
    const text = showSetting(setting);
    // A whole list of faults is no help to a reader.
    if (text.length <= 40) words.push('--set', text);
  }
  return words.map(shellWord).join(' ');
}
