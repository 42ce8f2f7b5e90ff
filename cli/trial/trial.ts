/** Which locks are on trial, and the trial of all of them over the threads of a pool. */
import { InvalidArgumentError } from 'commander';
import { CATALOGUE } from '../../sim/catalogue/index.js';
import type { LoadedLock } from '../../sim/load.js';
import { LockModuleError } from '../../sim/sealed/errors.js';
import { LOCKS } from '../../src/registry.js';
import { load } from '../execute.js';
import { shareOf, type Shard } from '../flags.js';
import { interruptible } from '../interrupt.js';
import { note } from '../output.js';
import { Pool, TaskLost } from '../pool/pool.js';
import { startProgress } from '../progress.js';
import { checkLockName, isPath } from '../resolve.js';
import { Board } from './board.js';
import type { LockTrial } from './lock-trial.js';

export interface TrialOptions {
  readonly quiet?: boolean;
  readonly out: string;
  readonly seed?: number;
  readonly huntRuns: number;
  readonly jobs: number;
  readonly shard?: Shard;
}

/** A lock that could not be tried to its end. */
export interface LostLock {
  readonly name: string;
  readonly why: string;
}

export interface TrialResult {
  /** In the order in which they were named. */
  readonly locks: readonly LockTrial[];
  readonly lost: readonly LostLock[];
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** A trial, or a part of it. */
export interface Trialled extends TrialResult {
  /** The locks of the whole. */
  readonly names: readonly string[];
}

/** A whole number, 0 included. */
export function readRuns(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It is a whole number of at least 0.');
}

/** @param words names or paths; none: what is installed */
export async function runTrial(words: readonly string[], options: TrialOptions): Promise<Trialled> {
  for (const name of words) checkLockName(name);
  const started = performance.now();
  const all = words.length > 0 ? await loadAll(words) : await installed(options);
  const locks = shareOf(all, options.shard, 'locks');
  const jobs = Math.max(1, Math.min(options.jobs, locks.length));
  const modules = words.some((word) => isPath(word));
  const pool = new Pool({ jobs, locks, apart: modules, ...(modules ? {} : { limitMs: PATIENCE_MS }) });
  const trial = new Trial(pool, locks, options);
  const progress = startProgress(locks.length * CATALOGUE.length, { quiet: options.quiet === true });
  const draw = setInterval(() => progress.at(trial.board.steps, trial.underWay), DRAW_EVERY_MS);
  try {
    return await interruptible(
      async (interrupted) => {
        await Promise.all(Array.from({ length: jobs }, () => trial.lane()));
        const seconds = (performance.now() - started) / 1000;
        const names = all.map(({ name }) => name);
        return { names, locks: trial.found(), lost: trial.lost, seconds, interrupted: interrupted() };
      },
      () => trial.board.stop(),
    );
  } finally {
    clearInterval(draw);
    progress.done();
    await pool.close();
  }
}

const DRAW_EVERY_MS = 80;

/** Some rows keep a large library at work for seconds, and longer on a machine that has other things to do. */
const PATIENCE_MS = 120_000;

class Trial {
  readonly board = new Board();
  readonly lost: LostLock[] = [];
  private readonly tried = new Map<string, LockTrial>();
  private readonly current = new Set<string>();
  /** Large programs take longest: begun last, one of them would keep all but its own thread waiting. */
  private readonly queue: readonly LoadedLock[];
  private next = 0;

  constructor(
    private readonly pool: Pool,
    private readonly locks: readonly LoadedLock[],
    private readonly options: TrialOptions,
  ) {
    this.queue = [...locks].sort((a, b) => b.bundle.source.length - a.bundle.source.length);
  }

  /** One lock after the other, until none is left or the trial is to stop: as many lanes as there are threads. */
  async lane(): Promise<void> {
    while (this.next < this.queue.length && !this.board.stopped) await this.tryOne(this.queue[this.next++]!);
  }

  private async tryOne({ name }: LoadedLock): Promise<void> {
    const { seed = null, huntRuns, out } = this.options;
    const spec = { name, seed, huntRuns, out, board: this.board.buffer };
    this.current.add(name);
    try {
      this.tried.set(name, await this.pool.run({ kind: 'trial', spec }));
    } catch (error) {
      if (!(error instanceof TaskLost)) throw error;
      this.lost.push({ name, why: `${error.message}${placeOf(error.run)}` });
    } finally {
      this.current.delete(name);
    }
  }

  /** In the order of the locks, whichever was done first. */
  found(): LockTrial[] {
    return this.locks.flatMap(({ name }) => this.tried.get(name) ?? []);
  }

  get underWay(): string {
    return [...this.current].join(', ');
  }
}

/** What was under way, by the numbers that a trial gives its runs. */
function placeOf(run: number | null): string {
  if (run === null) return '';
  const row = CATALOGUE[run];
  return row === undefined ? ', in the hunt' : `, in ${row.scenario.id}`;
}

async function loadAll(names: readonly string[]): Promise<LoadedLock[]> {
  const locks: LoadedLock[] = [];
  for (const name of new Set(names)) locks.push(await load(name));
  return locks;
}

/** All adapters whose package is there, and the reference locks to compare with. */
async function installed({ quiet }: TrialOptions): Promise<LoadedLock[]> {
  const adapters: LoadedLock[] = [];
  const missing: string[] = [];
  for (const { name, kind } of LOCKS) {
    if (kind !== 'adapter') continue;
    try {
      adapters.push(await load(name));
    } catch (error) {
      if (!(error instanceof LockModuleError) || error.code !== 'missing-package') throw error;
      missing.push(name);
    }
  }
  if (missing.length > 0 && quiet !== true) note(`not installed, and so not on trial: ${missing.join(', ')}`);
  const references = LOCKS.filter(({ kind }) => kind === 'reference').map(({ name }) => name);
  return [...adapters, ...(await loadAll(references))];
}
