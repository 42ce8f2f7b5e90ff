/** The runs of a hunt over a pool: ranges are handed out in order and merged as they come. */
import { mergeRanges, type HuntRange } from '../../properties/search/hunt/range.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { TaskLost, type Loss, type Pool } from '../pool/pool.js';

/** Runs that a thread took with it: nothing is known of them. Plain data. */
export interface LostRuns {
  readonly from: number;
  /** One more than the last. */
  readonly to: number;
  readonly loss: Loss;
  readonly message: string;
}

/** `run 7`, or `runs 7 to 9`. */
export function runsText({ from, to }: Pick<LostRuns, 'from' | 'to'>): string {
  return to - from === 1 ? `run ${from}` : `runs ${from} to ${to - 1}`;
}

export interface Searched {
  /** What the runs showed; null: there was not a single one. */
  readonly range: HuntRange | null;
  readonly lost: readonly LostRuns[];
  /** The search was broken off since too many runs were lost. */
  readonly gaveUp: boolean;
}

export interface SearchOptions {
  readonly from: number;
  readonly to: number;
  /** True as soon as no new runs shall begin. */
  readonly stop: () => boolean;
  /** Called after every range. */
  readonly heard?: (range: HuntRange) => void;
  /** Called when runs are lost. */
  readonly missed?: (lost: LostRuns) => void;
}

/** So many lost runs are enough: each may have cost a whole time limit. */
export const MOST_LOST = 10;

/** A task shall take about so long: short enough for progress and Ctrl-C, long enough to cost nothing. */
const TASK_MS = 250;
const FIRST_RUNS = 16;
const MOST_RUNS = 2048;

/**
 * Which runs are in one task, and who takes it, changes nothing: all that were begun are finished, so a search that is stopped
 * has done the first so many. Rejects with what a task runs into: ReuseMismatch among others.
 */
export async function search(spec: HuntSpec, pool: Pool, options: SearchOptions): Promise<Searched> {
  const under = new Search(spec, pool, options);
  const lanes = Array.from({ length: pool.jobs }, () => under.lane());
  // A lane that fails stops the others, which are waited for: nothing must go on behind the caller's back.
  const ended = await Promise.allSettled(lanes);
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
  return under.result();
}

class Search {
  private next: number;
  private runsPerTask = FIRST_RUNS;
  private range: HuntRange | null = null;
  private readonly lost: LostRuns[] = [];
  private failed = false;

  constructor(
    private readonly spec: HuntSpec,
    private readonly pool: Pool,
    private readonly options: SearchOptions,
  ) {
    this.next = options.from;
  }

  async lane(): Promise<void> {
    const { options } = this;
    try {
      while (this.next < options.to && !this.failed && !this.gaveUp && !options.stop()) {
        const from = this.next;
        const to = Math.min(options.to, from + this.share());
        this.next = to;
        await this.task(from, to, 2);
      }
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  /** The last ranges are small, so that all lanes end together. */
  private share(): number {
    const left = Math.ceil((this.options.to - this.next) / (2 * this.pool.jobs));
    return Math.max(1, Math.min(this.runsPerTask, left));
  }

  /** @param tries how often a thread may be lost before it has begun a run */
  private async task(from: number, to: number, tries: number): Promise<void> {
    if (from >= to) return;
    const startedMs = performance.now();
    try {
      const range = await this.pool.run({ kind: 'hunt', spec: this.spec, from, to });
      this.adapt(to - from, performance.now() - startedMs);
      this.range = this.range === null ? range : mergeRanges(this.range, range);
      this.options.heard?.(this.range);
    } catch (error) {
      if (!(error instanceof TaskLost)) throw error;
      await this.withoutLost(from, to, error, tries - 1);
    }
  }

  /** The run that cost the thread is lost, and no other. */
  private async withoutLost(from: number, to: number, error: TaskLost, tries: number): Promise<void> {
    const { run, loss, message } = error;
    if (run === null && tries > 0) return this.task(from, to, tries);
    const [first, end] = run === null ? [from, to] : [run, run + 1];
    const lost = { from: first, to: end, loss, message };
    this.lost.push(lost);
    this.options.missed?.(lost);
    if (this.gaveUp) return;
    await this.task(from, first, 2);
    await this.task(end, to, 2);
  }

  private get gaveUp(): boolean {
    return this.lost.length >= MOST_LOST;
  }

  private adapt(runs: number, tookMs: number): void {
    const fitting = Math.ceil((runs / Math.max(tookMs, 0.1)) * TASK_MS);
    // Twice as many at most: the first runs are slow, and say little of the others.
    this.runsPerTask = Math.max(1, Math.min(fitting, 2 * this.runsPerTask, MOST_RUNS));
  }

  result(): Searched {
    const lost = [...this.lost].sort((a, b) => a.from - b.from);
    return { range: this.range, lost, gaveUp: this.gaveUp };
  }
}
