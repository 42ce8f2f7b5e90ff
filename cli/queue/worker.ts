/** The side of a queue that runs ranges, on any machine that reaches it. */
import type { Job, Queue, Worker } from 'bullmq';
import type { LoadedLock } from '../../sim/load.js';
import { resolveLock } from '../../src/resolve.js';
import { openPool } from '../hunt/conduct.js';
import { search } from '../hunt/search.js';
import { note } from '../output.js';
import type { Pool } from '../pool/pool.js';
import { startProgress, type Progress } from '../progress.js';
import { isPath } from '../resolve.js';
import type { Way } from './connect.js';
import {
  CAMPAIGNS,
  claimMs,
  PASSED_ON,
  RANGES,
  type Campaign,
  type RangeAnswer,
  type RangeJob,
} from './protocol.js';

/** So many workers may die over a range before it is given up. */
const MOST_DEATHS = 5;

export interface WorkOptions {
  readonly jobs: number;
  readonly quiet: boolean;
  /** Ends the work when nothing came for so long; null: it goes on until it is interrupted. */
  readonly idleMs: number | null;
  readonly interrupted: () => boolean;
}

export interface Worked {
  readonly ranges: number;
  readonly runs: number;
}

export async function work({ bull, connection, shown }: Way, options: WorkOptions): Promise<Worked> {
  const campaigns = new bull.Queue<Campaign>(CAMPAIGNS, { connection });
  const bench = new Bench(campaigns, options);
  const claim = claimMs();
  const worker: Worker<RangeJob, RangeAnswer> = new bull.Worker<RangeJob, RangeAnswer>(
    RANGES,
    (job) => bench.run(job),
    // The claim is renewed from this thread, which has nothing else to do: the runs are on others.
    {
      connection,
      concurrency: 1,
      lockDuration: claim,
      stalledInterval: claim / 2,
      maxStalledCount: MOST_DEATHS,
    },
  );
  const trouble = (error: Error): void => note(`the queue ${shown}: ${error.message}`);
  campaigns.on('error', trouble);
  worker.on('error', trouble);
  worker.on('stalled', (jobId) =>
    note(`${jobId.replace(/^.*-/, 'the range from run ')}: its worker is gone, it is run again`),
  );
  try {
    await worker.waitUntilReady();
    if (!options.quiet) note(`at work on ${shown}`);
    await untilDone(bench, options);
  } finally {
    await worker.close();
    await campaigns.close();
    await bench.close();
  }
  return bench.worked;
}

async function untilDone(bench: Bench, { idleMs, interrupted }: WorkOptions): Promise<void> {
  while (!interrupted()) {
    if (idleMs !== null && bench.idleMs() >= idleMs) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** One campaign at a time: its lock, and threads that know it. */
class Bench {
  private at: { readonly id: string; readonly campaign: Campaign; readonly pool: Pool } | null = null;
  private busy = false;
  private lastMs = performance.now();
  private progress: Progress;
  private ranges = 0;
  private runs = 0;

  constructor(
    private readonly campaigns: Queue<Campaign>,
    private readonly options: WorkOptions,
  ) {
    this.progress = startProgress(0, { quiet: true });
  }

  get worked(): Worked {
    return { ranges: this.ranges, runs: this.runs };
  }

  idleMs(): number {
    return this.busy ? 0 : performance.now() - this.lastMs;
  }

  async run({ data }: Job<RangeJob>): Promise<RangeAnswer> {
    this.busy = true;
    try {
      const known = this.at?.id === data.campaign || (await this.turnTo(data.campaign));
      return known ? await this.runRange(data) : { gone: true };
    } finally {
      this.busy = false;
      this.lastMs = performance.now();
    }
  }

  private async runRange({ from, to }: RangeJob): Promise<RangeAnswer> {
    const { campaign, pool } = this.at!;
    this.progress.at(from, `runs of the hunt of ${campaign.spec.lock}: ${from} to ${to - 1} begin`);
    try {
      const searched = await search(campaign.spec, pool, { from, to, stop: () => false });
      this.ranges++;
      this.runs += searched.range?.runs ?? 0;
      return { searched };
    } catch (error) {
      const { name, message } = error as Error;
      if (!PASSED_ON.has(name)) throw error;
      return { failed: { name, message } };
    }
  }

  private async turnTo(id: string): Promise<boolean> {
    await this.close();
    const job = await this.campaigns.getJob(id);
    if (job === undefined) return false;
    const campaign = job.data;
    const lock = atHome(campaign.lock);
    this.at = { id, campaign, pool: openPool({ jobs: this.options.jobs, lock }) };
    this.progress = startProgress(campaign.runs, { quiet: this.options.quiet });
    return true;
  }

  async close(): Promise<void> {
    this.progress.done();
    await this.at?.pool.close();
    this.at = null;
  }
}

/** A lock of lockpick's own is bundled for the wire from where lockpick is here. */
function atHome(lock: LoadedLock): LoadedLock {
  return isPath(lock.name) ? lock : { ...lock, source: resolveLock(lock.name) };
}
