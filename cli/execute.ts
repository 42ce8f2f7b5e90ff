/** One run, from scenario to verdict: the history is on disk before it is judged, and a violation is confirmed afresh. */
import path from 'node:path';
import { lockServers } from '../properties/analysis/shards.js';
import { judge } from '../properties/judge.js';
import { mainViolation, type Named } from '../properties/search/main-property.js';
import type { Blame, Coverage, Verdicts, Violated } from '../properties/verdict.js';
import type { Counterexample } from '../sim/history/counterexample.js';
import { digest } from '../sim/history/digest.js';
import type { History } from '../sim/history/events.js';
import { writeCounterexample, writeHistory } from '../sim/history/file.js';
import { loadLock, type LoadedLock } from '../sim/load.js';
import { lockFor } from '../sim/transport/wire/program.js';
import { simulate } from '../sim/run.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../sim/scenario/schema.js';
import { findLock, type LockEntry } from '../src/registry.js';
import { resolveLock } from '../src/resolve.js';
import { CommandError, EXIT } from './exit.js';
import { Watchdog } from './watchdog.js';
import { compareWithExpectation, type Outcome } from './expectation.js';
import { catalogueEntryOf, isPath, lockStem } from './resolve.js';

export interface Execution {
  readonly history: History;
  readonly digest: string;
  readonly verdicts: Verdicts;
  readonly coverage: Coverage;
  readonly outcome: Outcome;
  readonly files: Files;
}

/** Paths as they were given: relative to the working directory where `--out` was. */
export interface Files {
  readonly history: string;
  readonly trace?: string;
  readonly counterexample?: string;
}

export interface ExecuteOptions {
  readonly out: string;
  readonly failOn: readonly Blame[];
  readonly trace?: boolean;
  /** A counterexample that is left as it is, though this run would write another in its place. */
  readonly replayed?: string;
  /** Called when the history is on disk and before it is judged; may throw to end the run there. */
  readonly written?: (history: History, digestHex: string, file: string) => void;
}

/** Loads a lock; a user's own module under a watchdog. */
export async function load(name: string): Promise<LoadedLock> {
  const source = resolveLock(name, process.cwd());
  if (!isPath(name)) return loadLock(source);
  let watchdog: Watchdog | undefined;
  try {
    return await loadLock(source, { watch: (module) => (watchdog = new Watchdog(module)).around });
  } finally {
    await watchdog?.stop();
  }
}

/** @throws CommandError that says what to change */
export function checkFits(lock: LoadedLock, scenario: Scenario): void {
  const problem = misfit(lock, scenario);
  if (problem !== null) throw new CommandError(`${scenario.lock.name} ${problem}`);
}

/**
 * Why the lock can't be run in the scenario, and what to change; null: it can. A lock of one server among several would be judged
 * by a majority that it never asks; a mutex has one permit; a library can't use another library's clients.
 */
export function misfit({ servers, semaphore, client }: LoadedLock, scenario: Scenario): string | null {
  const { id, lock } = scenario;
  if (lock.permits > 1 && !semaphore)
    return `is no semaphore and ${id} has ${lock.permits} permits: --set lock.permits=1 leaves it one`;
  const count = lockServers(scenario);
  if (servers === 1 && count > 1)
    return `is a lock of one server and ${id} has ${count}: --set servers.count=1 leaves it one`;
  return wrongClients(client, findLock(lock.name), scenario);
}

function wrongClients(
  client: LoadedLock['client'],
  known: LockEntry | undefined,
  { id, processes, servers }: Scenario,
): string | null {
  const onWire = processes.transport === 'wire';
  if (known?.wireOnly === true && !onWire)
    return 'takes real ioredis clients only: --set processes.transport=wire';
  if (client === 'ioredis') return null;
  const flag = `--set processes.clientPackage=${known?.clientPackage ?? 'redis'}`;
  if (onWire)
    return processes.clientPackage.startsWith('ioredis') ? `wants clients of node-redis: ${flag}` : null;
  const { cluster, sentinels } = servers;
  return cluster || sentinels
    ? `wants clients of node-redis, and ${id} has ${cluster ? 'a cluster' : 'Sentinels'}: --set processes.transport=wire ${flag}`
    : null;
}

/** The first part of the file names of a run; one of a changed scenario carries its digest. */
export function fileStem(scenario: Scenario, digestHex: string): string {
  const { engine } = scenario.servers;
  const words = [
    scenario.id,
    lockStem(scenario.lock.name),
    `seed${scenario.seed}`,
    ...(engine === 'native' ? [] : [engine]),
  ];
  const plain = words.join('-').replace(/[^\w.@-]+/g, '-');
  return catalogueEntryOf(scenario) === undefined ? `${plain}-${digestHex.slice(0, 8)}` : plain;
}

export function violationsOf(verdicts: Verdicts): [PropertyId, Violated][] {
  return PROPERTY_IDS.flatMap((property): [PropertyId, Violated][] => {
    const verdict = verdicts[property];
    return verdict.verdict === 'violated' ? [[property, verdict]] : [];
  });
}

/** Runs, writes the history, judges, and for a violation confirms it and writes trace and counterexample. */
export async function execute(
  scenario: Scenario,
  given: LoadedLock,
  options: ExecuteOptions,
): Promise<Execution> {
  checkFits(given, scenario);
  const lock = await lockFor(scenario, given);
  const watchdog = isPath(scenario.lock.name) ? new Watchdog(lock) : undefined;
  const history = await simulate(scenario, lock, { around: watchdog?.around });
  await watchdog?.stop();
  const digestHex = digest(history);
  const stem = path.join(options.out, fileStem(scenario, digestHex));
  const files: { history: string; trace?: string; counterexample?: string } = {
    history: `${stem}.history.jsonl`,
  };
  writeHistory(files.history, history);
  options.written?.(history, digestHex, files.history);
  const { verdicts, coverage } = judge(history);
  const main = mainViolation(verdicts);
  if (main !== undefined) await confirm(scenario, lock, digestHex);
  if (options.trace === true || main !== undefined) {
    files.trace = `${stem}.trace.jsonl`;
    writeHistory(files.trace, await simulate(scenario, lock, { trace: true }));
  }
  if (main !== undefined) {
    files.counterexample = `${stem}.counterexample.json`;
    const all = violationsOf(verdicts);
    const found = counterexampleOf(history, digestHex, all, options.out, main);
    if (
      options.replayed === undefined ||
      path.resolve(options.replayed) !== path.resolve(files.counterexample)
    )
      writeCounterexample(files.counterexample, found);
  }
  const outcome = compareWithExpectation(history, verdicts, options.failOn);
  return { history, digest: digestHex, verdicts, coverage, outcome, files };
}

/** The same scenario, with instances of the lock of its own again, must give the same history. */
export async function confirm(scenario: Scenario, lock: LoadedLock, expected: string): Promise<void> {
  const fresh = await simulate(scenario, lock);
  const found = digest(fresh);
  if (found === expected) return;
  throw new CommandError(
    `two runs of the same scenario, seed and lock differ (digests ${expected.slice(0, 12)} and ${found.slice(0, 12)}): the run is not deterministic, nothing it shows can be trusted`,
    EXIT.diverged,
  );
}

/**
 * The file that replays a run.
 * @param violations all of the run, at least one
 * @param directory where the file will be: the lock's path is written relative to it
 * @param about the violation that the file stands for
 */
export function counterexampleOf(
  history: History,
  digestHex: string,
  violations: readonly [PropertyId, Violated][],
  directory: string,
  about: Named,
): Counterexample {
  const { scenario, lock, versions } = history.header;
  const [property, { blame, reason }] = about;
  const file = isPath(scenario.lock.name) ? scenario.lock.name : undefined;
  return {
    format: 'lockpick/counterexample@1',
    scenario,
    lock: {
      name: lock.name,
      ...(file === undefined ? {} : { path: path.relative(directory, file) }),
      bundle: lock.bundle,
    },
    versions: { lockpick: versions.lockpick },
    digest: digestHex,
    property,
    blame,
    reason,
    verdicts: Object.fromEntries(violations.map(([id, verdict]) => [id, `violated/${verdict.blame}`])),
  };
}
