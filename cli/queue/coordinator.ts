/** The side of a queue that hands out ranges and collects what they show. */
import type { Job, Queue, QueueEvents } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { mergeRanges, type HuntRange } from '../../properties/search/hunt/range.js';
import { MOST_LOST, type LostRuns, type Searched, type SearchOptions } from '../hunt/search.js';
import { note } from '../output.js';
import type { Way } from './connect.js';
import { CAMPAIGNS, RANGES, type Campaign, type RangeAnswer, type RangeJob } from './protocol.js';

/** About so many ranges, none of them smaller or greater than these: a worker that dies costs one of them. */
const RANGES_WANTED = 100;
const LEAST_RUNS = 10;
const MOST_RUNS = 1000;

/** Ranges that wait or run at one time: so many for each worker, and never fewer than these. */
const RANGES_EACH = 3;
const LEAST_WINDOW = 12;

/** What is left of a hunt that died is thrown away after so long. */
const KEPT_SECONDS = 3600;

/** Events tell at once; a look at all that is open, every so often, tells what events did not. */
const LOOK_EVERY_MS = 2000;

/** Rejects with what a worker ran into that all would: an error of one of the names that are passed on. */
export async function coordinate(
  { bull, connection, shown }: Way,
  campaign: Campaign,
  options: SearchOptions,
): Promise<Searched> {
  const ranges = new bull.Queue<RangeJob, RangeAnswer>(RANGES, { connection });
  const campaigns = new bull.Queue<Campaign>(CAMPAIGNS, { connection });
  const events = new bull.QueueEvents(RANGES, { connection });
  const trouble = (error: Error): void => note(`the queue ${shown}: ${error.message}`);
  ranges.on('error', trouble);
  campaigns.on('error', trouble);
  events.on('error', trouble);
  const collecting = new Collecting(ranges, options);
  try {
    await campaigns.clean(KEPT_SECONDS * 1000, 1000, 'wait');
    return await collecting.run(campaigns, events, campaign, shown);
  } finally {
    await collecting.withdraw();
    await Promise.all([ranges.close(), campaigns.close(), events.close()]);
  }
}

class Collecting {
  private readonly id = randomUUID();
  private readonly open = new Map<string, RangeJob>();
  /** Those of the open ones that the queue is known to have. */
  private readonly added = new Set<string>();
  private next: number;
  private window = LEAST_WINDOW;
  private range: HuntRange | null = null;
  private readonly lost: LostRuns[] = [];
  private failed: { readonly name: string; readonly message: string } | null = null;
  private campaign: Job<Campaign> | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly ranges: Queue<RangeJob, RangeAnswer>,
    private readonly options: SearchOptions,
  ) {
    this.next = options.from;
  }

  async run(
    campaigns: Queue<Campaign>,
    events: QueueEvents,
    campaign: Campaign,
    shown: string,
  ): Promise<Searched> {
    await events.waitUntilReady();
    const settle = ({ jobId }: { jobId: string }): void => void this.settle(jobId).catch(() => undefined);
    events.on('completed', settle);
    events.on('failed', settle);
    this.campaign = await campaigns.add('campaign', campaign, { jobId: this.id });
    await this.handOut();
    await this.wait(shown);
    if (this.failed !== null) throw Object.assign(new Error(this.failed.message), { name: this.failed.name });
    const lost = [...this.lost].sort((a, b) => a.from - b.from);
    return { range: this.range, lost, gaveUp: this.gaveUp };
  }

  /**
   * Hands out ranges until enough wait to keep all workers busy. Never all of them at once: were this process killed, workers would go
   * on for nobody.
   */
  private async handOut(): Promise<void> {
    const { from, to } = this.options;
    const each = Math.max(LEAST_RUNS, Math.min(MOST_RUNS, Math.ceil((to - from) / RANGES_WANTED)));
    const kept = { age: KEPT_SECONDS };
    const jobs = [];
    while (this.next < to && this.open.size < this.window) {
      const data: RangeJob = { campaign: this.id, from: this.next, to: Math.min(to, this.next + each) };
      const jobId = `${this.id}-${data.from}`;
      this.next = data.to;
      this.open.set(jobId, data);
      jobs.push({ name: 'range', data, opts: { jobId, removeOnComplete: kept, removeOnFail: kept } });
    }
    if (jobs.length === 0) return;
    await this.ranges.addBulk(jobs);
    for (const { opts } of jobs) this.added.add(opts.jobId);
  }

  private async wait(shown: string): Promise<void> {
    let told = false;
    while (this.open.size > 0 && this.failed === null && !this.gaveUp && !this.options.stop()) {
      await this.rest();
      const workers = await this.ranges.getWorkersCount();
      this.window = Math.max(LEAST_WINDOW, RANGES_EACH * workers);
      if (!told && this.range === null && workers === 0) {
        note(`nobody works on ${shown} yet: lockpick work --queue ${shown}`);
        told = true;
      }
      for (const jobId of [...this.open.keys()]) await this.settle(jobId);
      await this.handOut();
    }
  }

  /** Until the next look, or the end; Ctrl-C is noticed sooner. */
  private async rest(): Promise<void> {
    const until = performance.now() + LOOK_EVERY_MS;
    while (performance.now() < until && this.open.size > 0 && this.failed === null && !this.options.stop())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }

  /** Takes what came of a range, once. */
  private async settle(jobId: string): Promise<void> {
    if (!this.added.has(jobId)) return;
    const job = await this.ranges.getJob(jobId);
    // Asked for twice at the same time: the first answer counts.
    const range = this.open.get(jobId);
    if (range === undefined) return;
    if (job === undefined) this.lose(range, 'it is gone from the queue');
    else if (job.finishedOn === undefined) return;
    else if (job.returnvalue === null) this.lose(range, job.failedReason ?? 'it failed');
    else this.take(range, job.returnvalue);
    this.open.delete(jobId);
    this.added.delete(jobId);
    if (this.failed === null && !this.gaveUp) await this.handOut();
    if (this.open.size === 0) this.wake();
    await job?.remove().catch(() => undefined);
  }

  private take(range: RangeJob, answer: RangeAnswer): void {
    if ('failed' in answer) this.failed ??= answer.failed;
    else if ('gone' in answer) this.lose(range, 'its worker did not find the hunt');
    else {
      const { searched } = answer;
      this.lost.push(...searched.lost);
      for (const lost of searched.lost) this.options.missed?.(lost);
      if (searched.range === null) return;
      this.range = this.range === null ? searched.range : mergeRanges(this.range, searched.range);
      this.options.heard?.(this.range);
    }
  }

  private lose({ from, to }: RangeJob, message: string): void {
    const lost = { from, to, loss: 'crash', message } as const;
    this.lost.push(lost);
    this.options.missed?.(lost);
  }

  /** As on one machine: whichever worker lost them. */
  private get gaveUp(): boolean {
    return this.lost.length >= MOST_LOST;
  }

  /** Nobody shall work on what nobody waits for. */
  async withdraw(): Promise<void> {
    await this.campaign?.remove().catch(() => undefined);
    for (const jobId of this.open.keys()) {
      const job = await this.ranges.getJob(jobId).catch(() => undefined);
      // One that is being worked on can't be taken away: it ends by itself, and is removed by its age.
      await job?.remove().catch(() => undefined);
    }
  }
}
