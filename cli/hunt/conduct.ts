/** A hunt from its corpus to its smallest findings, over a pool on this machine. */
import { missingGoals } from '../../properties/search/hunt/goals.js';
import type { HuntRange } from '../../properties/search/hunt/range.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { CommandError, EXIT } from '../exit.js';
import { note } from '../output.js';
import { Pool, TaskLost } from '../pool/pool.js';
import { isPath } from '../resolve.js';
import { readCorpus, tryCorpus, type Tried } from './corpus.js';
import { minimiseAll, type Minimised } from './minimise.js';
import type { HuntPlan } from './plan.js';
import { runsText, search, type LostRuns, type SearchOptions, type Searched } from './search.js';

/** Everything that came of a hunt. */
export interface Hunted extends Minimised {
  /** With `reuse` as it was in the end. */
  readonly spec: HuntSpec;
  readonly range: HuntRange | null;
  readonly lostRuns: readonly LostRuns[];
  readonly gaveUp: boolean;
  readonly corpus: readonly Tried[];
  /** Coverage goals that were never reached. */
  readonly missing: readonly string[];
  /** Of the search alone. */
  readonly seconds: number;
  readonly interrupted: boolean;
}

export interface Conduct {
  /** True when Ctrl-C was heard. */
  readonly interrupted: () => boolean;
  /** What stands in the place of the search over the pool. */
  readonly searching?: (spec: HuntSpec, options: SearchOptions) => Promise<Searched>;
  /** Told of what the search has so far. */
  readonly heard?: (range: HuntRange, seconds: number) => void;
  /** Told how many findings of how many are small by now. */
  readonly minimising?: (done: number, of: number) => void;
}

export function openPool({ jobs, lock }: Pick<HuntPlan, 'jobs' | 'lock'>): Pool {
  return new Pool({ jobs, locks: [lock], apart: isPath(lock.name) });
}

export async function conduct(plan: HuntPlan, pool: Pool, options: Conduct): Promise<Hunted> {
  const entries = readCorpus(plan.corpus, plan.spec.lock);
  await prepare(plan, pool);
  const tried = plan.triesCorpus ? entries : [];
  const corpus = await tryCorpus(tried, plan.lock, pool, plan.failOn);
  const once = async (spec: HuntSpec): Promise<Hunted> => ({
    ...(await huntOnce(plan, spec, pool, options)),
    corpus,
  });
  try {
    return await once(plan.spec);
  } catch (error) {
    if ((error as Error).name !== 'ReuseMismatch') throw error;
    note(`${plan.spec.lock}: ${(error as Error).message}: starting over with fresh instances for every run`);
    return once({ ...plan.spec, reuse: false });
  }
}

/** Refuses a hunt that could find nothing before any run; a lock that never gives way shows here first. */
async function prepare({ spec }: HuntPlan, pool: Pool): Promise<void> {
  try {
    await pool.run({ kind: 'prepare', spec });
  } catch (error) {
    if (!(error instanceof TaskLost)) throw error;
    const exitCode = error.loss === 'time' ? EXIT.violation : EXIT.unknown;
    throw new CommandError(`${spec.lock}: asked for once, without any fault, ${error.message}`, exitCode);
  }
}

async function huntOnce(
  plan: HuntPlan,
  spec: HuntSpec,
  pool: Pool,
  { interrupted, searching, heard, minimising }: Conduct,
): Promise<Omit<Hunted, 'corpus'>> {
  const started = performance.now();
  const elapsedMs = (): number => performance.now() - started;
  const stop = (): boolean => interrupted() || (plan.timeLimitMs !== null && elapsedMs() >= plan.timeLimitMs);
  const bounds: SearchOptions = {
    from: plan.from,
    to: plan.to,
    stop,
    heard: (range) => heard?.(range, elapsedMs() / 1000),
    missed: (lost) => note(`${spec.lock}: ${runsText(lost)} cost a thread: ${lost.message}`),
  };
  const searched = await (searching?.(spec, bounds) ?? search(spec, pool, bounds));
  const seconds = elapsedMs() / 1000;
  const { range, lost: lostRuns, gaveUp } = searched;
  const raws = range?.findings ?? [];
  const minimised = await minimiseAll(spec, raws, pool, (done) => minimising?.(done, raws.length));
  // Whoever wants it to end wants no second hunt: what fresh instances do show is kept.
  if (minimised.gone.length > 0 && spec.reuse && !interrupted()) throw new Reused(minimised.gone[0]!.run);
  const missing = range === null ? ['a run was made'] : missingGoals(spec, range.coverage);
  return { ...minimised, spec, range, lostRuns, gaveUp, missing, seconds, interrupted: interrupted() };
}

/** Seen with instances that are kept, and not with fresh ones. */
class Reused extends Error {
  override readonly name = 'ReuseMismatch';

  constructor(run: number) {
    super(`what run ${run} shows with reused instances, fresh ones do not`);
  }
}
