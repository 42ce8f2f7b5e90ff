/**
 * Tasks over worker threads. A thread that runs out of memory, ends, or stays too long at one run costs its task and nothing
 * else: the task is rejected with {@link TaskLost}, which says why and at which run, and another thread takes the place.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { LoadedLock } from '../../sim/load.js';
import { inMacrotask } from '../../sim/kernel/macrotask.js';
import { Workshop } from './handlers.js';
import type { Answered, AnswerOf, Kind, TaskOf } from './tasks.js';
import { Mark, threadFile, type Posted, type ThreadData } from './threads.js';

/** How a thread was lost: it ran out of memory, ended by itself, or did not get on. */
export type Loss = 'memory' | 'crash' | 'time';

/** A task that a thread took with it. */
export class TaskLost extends Error {
  override readonly name = 'TaskLost';

  constructor(
    readonly loss: Loss,
    /** The run that was under way; null: none had begun. */
    readonly run: number | null,
    message: string,
  ) {
    super(message);
  }
}

export interface PoolOptions {
  /** Threads; 1 works in this thread, unless `apart` says otherwise. */
  readonly jobs: number;
  /** Locks that the threads need not load. */
  readonly locks: readonly LoadedLock[];
  /** A thread even for one job: what may never give way must not run in this one. */
  readonly apart?: boolean;
  /** Real milliseconds that a thread may stay at one run. */
  readonly limitMs?: number;
  /** Megabytes of heap that a thread may take. */
  readonly heapMb?: number;
}

export const DEFAULT_JOBS = availableParallelism();
const LIMIT_MS = 20_000;
const HEAP_MB = 1024;

/**
 * Young generation of a thread, four times of what V8 would give it: a run allocates about a megabyte, and one that is collected
 * in its midst is kept for long. Threads that leave no core idle have nobody to collect for them: two of them do a fifth more.
 */
const YOUNG_MB = 192;

/** How often threads are looked at. */
const LOOK_EVERY_MS = 100;

/**
 * Stack of a thread as the main thread has it (984 kB, and what Node keeps back of a thread's): how deep a lock may recurse must
 * not depend on `--jobs`.
 */
const STACK_MB = (984 + 192) / 1024;

export class Pool {
  private readonly threads: Threads | null;
  private readonly workshop: Workshop;
  readonly jobs: number;

  constructor(options: PoolOptions) {
    this.jobs = options.jobs;
    this.workshop = new Workshop(options.locks);
    this.threads = options.jobs === 1 && options.apart !== true ? null : new Threads(options);
  }

  /** Rejects with TaskLost, or with an error of the name that the task's had. */
  run<K extends Kind>(task: TaskOf<K>): Promise<AnswerOf<K>> {
    if (this.threads !== null) return this.threads.run(task);
    // Interrupts are heard between two tasks.
    return inMacrotask(() => undefined).then(() => this.workshop.handle(task, ignore));
  }

  async close(): Promise<void> {
    await this.threads?.close();
  }
}

const ignore = (): void => undefined;

interface Slot {
  readonly mark: Mark;
  readonly abort: AbortController;
  beats: number;
  sinceMs: number;
}

class Threads {
  private readonly piscina: Piscina<Posted<unknown>, Answered>;
  private readonly limitMs: number;
  private readonly busy = new Set<Slot>();
  private readonly waiting: (() => void)[] = [];
  private readonly looking: NodeJS.Timeout;
  private free: number;

  constructor({ jobs, locks, limitMs, heapMb }: PoolOptions) {
    this.limitMs = limitMs ?? fromEnvironment('LOCKPICK_WATCHDOG_MS', 1000, LIMIT_MS);
    this.free = jobs;
    const workerData: ThreadData = { locks };
    this.piscina = new Piscina({
      filename: threadFile(),
      minThreads: jobs,
      maxThreads: jobs,
      workerData,
      // A thread that waits for a task must still hear of what it started.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb ?? fromEnvironment('LOCKPICK_THREAD_MB', 16, HEAP_MB),
        maxYoungGenerationSizeMb: YOUNG_MB,
        stackSizeMb: STACK_MB,
      },
    });
    // A thread that ends without a task has taken nothing with it.
    this.piscina.on('error', ignore);
    this.looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  async run<K extends Kind>(task: TaskOf<K>): Promise<AnswerOf<K>> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free--;
    const slot: Slot = {
      mark: new Mark(),
      abort: new AbortController(),
      beats: 0,
      sinceMs: performance.now(),
    };
    slot.mark.clear();
    this.busy.add(slot);
    try {
      const posted = { task, mark: slot.mark.buffer };
      const answered = await this.piscina.run(posted, { signal: slot.abort.signal });
      if ('answer' in answered) return answered.answer as AnswerOf<K>;
      throw revived(answered.failed);
    } catch (error) {
      throw this.lossOf(slot, error);
    } finally {
      this.busy.delete(slot);
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }

  /** What the error means: a thread that was lost, or what the task itself ran into. */
  private lossOf({ mark, abort }: Slot, error: unknown): unknown {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TaskFailed) return error;
    if (abort.signal.aborted)
      return new TaskLost('time', mark.run, `it ran for ${this.limitMs / 1000} s without an end`);
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new TaskLost('memory', mark.run, 'it ran out of memory');
    return new TaskLost('crash', mark.run, message);
  }

  /** Ends threads that have been at the same run for too long. */
  private look(): void {
    const nowMs = performance.now();
    for (const slot of this.busy) {
      const { beats } = slot.mark;
      if (beats !== slot.beats) {
        slot.beats = beats;
        slot.sinceMs = nowMs;
      } else if (nowMs - slot.sinceMs > this.limitMs) slot.abort.abort();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.looking);
    await this.piscina.destroy();
  }
}

/** An error of a task, as it was in its thread. */
class TaskFailed extends Error {}

function revived({ name, message, stack }: { name: string; message: string; stack?: string }): Error {
  const error = new TaskFailed(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

function fromEnvironment(name: string, least: number, otherwise: number): number {
  const given = Number(process.env[name]);
  return Number.isFinite(given) && given >= least ? given : otherwise;
}
