/** An exploration over a pool: first the single anomalies, then the rest, in parts that any thread may take. */
import type { ExplorePlan } from '../../properties/search/explore/explore.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import { add, type Tally } from '../../properties/search/explore/tally.js';
import { CommandError, EXIT } from '../exit.js';
import { TaskLost, type Pool } from '../pool/pool.js';
import type { ExploreState, Stage } from './state.js';

/** Single anomalies in a task: short enough for progress and Ctrl-C. */
const SINGLES = 64;
/** To end soon. */
const FEW_SINGLES = 16;
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
  /** True as soon as nothing more needs to be found. */
  readonly enough: (tally: Tally) => boolean;
  /** Tasks are to be short, so that it ends soon. */
  readonly hasty: boolean;
  /** Told after each task: parts done of both stages, parts in all. */
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
  if (plan.cannotShow !== null)
    throw new CommandError(`${spec.lock} cannot show ${spec.property}: ${plan.cannotShow}`);
  const search = new Search(spec, pool, state, plan, options);
  const complete = await search.run();
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
  private readonly stages: readonly Stage[];

  constructor(
    private readonly spec: ExploreSpec,
    private readonly pool: Pool,
    private readonly state: ExploreState,
    private readonly plan: ExplorePlan,
    private readonly options: Conduct,
  ) {
    this.stages = spec.anomalies > 1 ? ['singles', 'rest'] : ['singles'];
  }

  /** False: it was stopped. */
  async run(): Promise<boolean> {
    const { state } = this;
    // Where nothing can be written the search need not begin.
    state.save();
    try {
      for (const stage of this.stages) if (!(await this.stage(stage))) return false;
      return true;
    } finally {
      state.save();
    }
  }

  /** Which parts are in one task, and who takes it, changes nothing. */
  private async stage(stage: Stage): Promise<boolean> {
    const { plan, state, options, pool } = this;
    const most = stage === 'rest' ? 1 : options.hasty ? FEW_SINGLES : SINGLES;
    const ranges = [...state.missing(stage, plan, most)].reverse();
    const lane = async (): Promise<void> => {
      while (ranges.length > 0 && !this.stopped()) await this.range(stage, ...ranges.pop()!);
    };
    // A lane that fails stops the others, which are waited for: nothing must go on behind the caller's back.
    const ended = await Promise.allSettled(Array.from({ length: pool.jobs }, lane));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return state.missing(stage, plan, most).length === 0;
  }

  private stopped(): boolean {
    const { options, state, plan } = this;
    return this.failed || options.stop() || options.enough(add(plan.tally, state.tally));
  }

  private async range(stage: Stage, from: number, to: number): Promise<void> {
    try {
      if (stage === 'singles') await this.singles(from, to);
      else await this.part(from);
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  private async singles(from: number, to: number): Promise<void> {
    const { spec, pool, state } = this;
    const tally = await lossless(spec, () => pool.run({ kind: 'explore-singles', spec, from, to }));
    state.tookSingles(from, to, tally);
    this.heard();
  }

  /** A part of the rest may take hours: it is left where the search is stopped. */
  private async part(part: number): Promise<void> {
    const { spec, pool, state } = this;
    let isDone = false;
    while (!isDone && !this.stopped()) {
      const after = state.reached(part);
      const stretch = await lossless(spec, () => pool.run({ kind: 'explore-rest', spec, part, after }));
      state.tookStretch(part, stretch);
      isDone = stretch.reached === null;
      this.heard();
    }
  }

  private heard(): void {
    const { options, state, plan, stages } = this;
    const left = stages.reduce((sum, stage) => sum + state.missing(stage, plan, 1).length, 0);
    const of = stages.length * plan.parts;
    options.heard?.(of - left, of, add(plan.tally, state.tally));
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
