/** An exploration over a pool: first the single anomalies, then the rest, in parts that any thread may take. */
import type { ExplorePlan } from '../../properties/search/explore/explore.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import { add, type Tally } from '../../properties/search/explore/tally.js';
import { CommandError, EXIT } from '../exit.js';
import { TaskLost, type Pool } from '../pool/pool.js';
import type { ExploreState, Stage } from './state.js';

/** Parts in a task: short enough for progress and Ctrl-C. */
const PARTS: Readonly<Record<Stage, number>> = { singles: 64, rest: 1 };
/** To end at the first violation soon. */
const FEW_PARTS = 16;
/** How often the state is written, in milliseconds. */
const SAVE_EVERY_MS = 2000;

/** Everything that came of an exploration. */
export interface Explored {
  readonly plan: ExplorePlan;
  /** Of the run without anomalies and all others. */
  readonly tally: Tally;
  readonly seconds: number;
  /** Every schedule was run. */
  readonly complete: boolean;
}

export interface Conduct {
  /** True as soon as nothing new shall begin. */
  readonly stop: () => boolean;
  /** End at the first violation. */
  readonly first: boolean;
  /** Told after each task: parts done, parts in all. */
  readonly heard?: (done: number, of: number, tally: Tally) => void;
}

/** Rejects with ReuseMismatch where kept instances behave otherwise than fresh ones. */
export async function conduct(
  spec: ExploreSpec,
  pool: Pool,
  state: ExploreState,
  options: Conduct,
): Promise<Explored> {
  const startedMs = performance.now();
  const plan = await lossless(spec, () => pool.run({ kind: 'explore-plan', spec }));
  const stages: readonly Stage[] = spec.anomalies > 1 ? ['singles', 'rest'] : ['singles'];
  const search = new Search(spec, pool, state, plan, options);
  let complete = true;
  for (const stage of stages) complete = complete && (await search.stage(stage));
  state.save();
  return {
    plan,
    tally: add(plan.tally, state.tally),
    seconds: (performance.now() - startedMs) / 1000,
    complete,
  };
}

class Search {
  private savedMs = performance.now();
  private failed = false;

  constructor(
    private readonly spec: ExploreSpec,
    private readonly pool: Pool,
    private readonly state: ExploreState,
    private readonly plan: ExplorePlan,
    private readonly options: Conduct,
  ) {}

  /** Which parts are in one task, and who takes it, changes nothing. False: it was stopped. */
  async stage(stage: Stage): Promise<boolean> {
    const { plan, state, options, pool } = this;
    const ranges = [...state.missing(stage, plan, options.first ? FEW_PARTS : PARTS[stage])].reverse();
    const lane = async (): Promise<void> => {
      while (ranges.length > 0 && !this.stopped()) await this.task(stage, ...ranges.pop()!);
    };
    // A lane that fails stops the others, which are waited for: nothing must go on behind the caller's back.
    const ended = await Promise.allSettled(Array.from({ length: pool.jobs }, lane));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return ranges.length === 0;
  }

  private stopped(): boolean {
    const { options, state, plan } = this;
    if (this.failed || options.stop()) return true;
    return options.first && state.tally.violating + plan.tally.violating > 0;
  }

  private async task(stage: Stage, from: number, to: number): Promise<void> {
    const { spec, pool, state, plan } = this;
    try {
      const tally = await lossless(spec, () => pool.run({ kind: 'explore', spec, stage, from, to }));
      state.took(stage, from, to, tally);
    } catch (error) {
      this.failed = true;
      throw error;
    }
    const left = state.missing(stage, plan, 1).length;
    this.options.heard?.(plan.parts - left, plan.parts, state.tally);
    if (performance.now() - this.savedMs < SAVE_EVERY_MS) return;
    this.savedMs = performance.now();
    state.save();
  }
}

/** A search that lost a run is none: it would say that it had looked everywhere. */
async function lossless<T>(spec: ExploreSpec, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskLost)) throw error;
    const exitCode = error.loss === 'time' ? EXIT.violation : EXIT.unknown;
    throw new CommandError(`${spec.lock}: run ${error.run ?? 0}: ${error.message}`, exitCode);
  }
}
