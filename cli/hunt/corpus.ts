/** The corpus: counterexamples of earlier hunts, tried first. A directory of `lockpick/counterexample@1` files. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Blame } from '../../properties/verdict.js';
import type { Counterexample } from '../../sim/history/counterexample.js';
import { readCounterexample } from '../../sim/history/file.js';
import type { LoadedLock } from '../../sim/load.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { VERSION } from '../../sim/version.js';
import { BLAMES } from '../options.js';
import { TaskLost, type Pool } from '../pool/pool.js';
import type { Reran } from '../pool/rerun.js';
import { isPath } from '../resolve.js';

export interface CorpusEntry {
  readonly file: string;
  readonly counterexample: Counterexample;
}

/**
 * The counterexamples of a lock, by file name. Every file of the directory is read: one that is broken, or of an older format, is
 * an error that names it.
 * @param lock as `--lock` says it
 * @throws FileFormatError, ScenarioError
 */
export function readCorpus(directory: string, lock: string): readonly CorpusEntry[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(directory, name))
    .map((file) => ({ file, counterexample: readCounterexample(file) }))
    .filter(({ file, counterexample }) => isOf(lock, file, counterexample));
}

/** A module is the same by its place, wherever the command is called from; everything else by its name. */
function isOf(lock: string, file: string, { lock: { path: place }, scenario }: Counterexample): boolean {
  if (place === undefined) return scenario.lock.name === lock;
  return isPath(lock) && path.resolve(path.dirname(file), place) === path.resolve(lock);
}

/** What became of a counterexample. */
export type CorpusStatus =
  'reproduced' | 'still violated' | 'no longer reproduces' | 'unknown' | 'diverged' | 'lost';

export interface Tried {
  readonly file: string;
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly status: CorpusStatus;
  readonly message: string;
  /** It is violated, with a blame that counts. */
  readonly fails: boolean;
}

/** Tries all, in order. @param failOn the blames that count */
export async function tryCorpus(
  entries: readonly CorpusEntry[],
  lock: LoadedLock,
  pool: Pool,
  failOn: readonly Blame[],
): Promise<readonly Tried[]> {
  return Promise.all(entries.map((entry) => tryEntry(entry, lock, pool, failOn)));
}

async function tryEntry(
  { file, counterexample }: CorpusEntry,
  lock: LoadedLock,
  pool: Pool,
  failOn: readonly Blame[],
): Promise<Tried> {
  const { property, blame, scenario } = counterexample;
  const known = { file, property, blame };
  try {
    const now = { ...scenario, lock: { ...scenario.lock, name: lock.name } };
    const reran = await pool.run({ kind: 'rerun', scenario: now });
    return { ...known, ...settle(counterexample, reran, lock.name, failOn) };
  } catch (error) {
    if (!(error instanceof TaskLost)) throw error;
    return { ...known, status: 'lost', message: error.message, fails: false };
  }
}

/** The same rules as `replay`'s: the same lock by the same lockpick must run the same, anything else is judged afresh. */
function settle(
  { digest, lock, versions, scenario, property, blame, hunt }: Counterexample,
  reran: Reran,
  name: string,
  failOn: readonly Blame[],
): Pick<Tried, 'status' | 'message' | 'fails'> {
  const same = lock.bundle === reran.bundle && versions.lockpick === VERSION && scenario.lock.name === name;
  const known = digest === reran.digest;
  if (same && !known)
    return {
      status: 'diverged',
      message: `same lock, same lockpick, but the digest is ${reran.digest.slice(0, 12)} and not ${digest.slice(0, 12)}`,
      fails: false,
    };
  // What was found inside the lock's own assumptions counts whoever is to blame, as it did then.
  const counting = hunt?.assume === 'bounded' ? BLAMES : failOn;
  const again = reran.violations.filter((violation) => violation.property === property);
  const first = again.find((violation) => violation.blame === blame) ?? again[0];
  if (first !== undefined)
    return {
      status: known ? 'reproduced' : 'still violated',
      message: first.reason,
      fails: again.some((violation) => counting.includes(violation.blame)),
    };
  const reason = reran.unknown[property];
  if (reason !== undefined) return { status: 'unknown', message: reason, fails: false };
  return { status: 'no longer reproduces', message: `${property} holds`, fails: false };
}
