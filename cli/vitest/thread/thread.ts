/**
 * A thread for simulations. A run swaps globals, takes over unhandled rejections and drains microtasks: in a thread of its own it
 * leaves a test runner's event loop alone, and the runner's fake timers, mocked globals and DOM leave the run alone.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { threadEntry } from './entry.js';
import type { AnswerTo, Answers, ErrorData, Order, Report, Request } from './messages.js';

/** Real milliseconds without a sign of life after which what runs is a loop that never gives way. */
const SILENCE_MS = 20_000;

function silenceMs(): number {
  const given = Number(process.env['LOCKPICK_WATCHDOG_MS']);
  return Number.isFinite(given) && given >= 1000 ? given : SILENCE_MS;
}

interface Pending {
  readonly order: Order;
  resolve(answer: Answers[keyof Answers]): void;
  reject(error: Error): void;
}

/** Starts with the first order; keeps no process alive that has nothing to wait for. */
export class SimulationThread {
  private worker: Promise<Worker> | null = null;
  /** The thread that answers now; one that was given up may still say that it ended. */
  private current: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private orders = 0;
  private readonly silenceMs = silenceMs();
  private silence: NodeJS.Timeout | null = null;
  /** The thread was silent for a whole period; the next one ends it. (Our own loop may have been the one that stood still.) */
  private warned = false;

  /**
   * @throws what went wrong in the thread, by name and message; an Error where a lock never gives way, or the thread ran out of
   * memory: the next order starts a new one
   */
  async ask<O extends Order>(order: O): Promise<AnswerTo<O>> {
    const worker = await (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const id = ++this.orders;
      this.pending.set(id, { order, resolve: resolve as Pending['resolve'], reject });
      if (this.pending.size === 1) {
        worker.ref();
        this.listen();
      }
      const request: Request = { id, order };
      worker.postMessage(request);
    });
  }

  /** Ends the thread; what it was asked is rejected. */
  async stop(): Promise<void> {
    await (await this.worker)?.terminate();
  }

  private async start(): Promise<Worker> {
    const worker = new Worker(await threadEntry(), { execArgv: [] });
    worker.unref();
    worker.on('message', (report: Report) => this.hear(worker, report));
    this.current = worker;
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', (code) =>
      this.lose(worker, new Error(`the thread that simulates ended (exit code ${code})`)),
    );
    return worker;
  }

  private hear(worker: Worker, report: Report): void {
    if (this.pending.size > 0) this.listen();
    if ('alive' in report) return;
    const pending = this.pending.get(report.id);
    this.pending.delete(report.id);
    if (this.pending.size === 0) {
      worker.unref();
      this.hush();
    }
    if ('error' in report) pending?.reject(revive(report.error));
    else pending?.resolve(report.answer);
  }

  private listen(): void {
    this.warned = false;
    this.hush();
    this.wait();
  }

  private wait(): void {
    this.silence = setTimeout(() => this.silent(), this.silenceMs / 2);
  }

  private hush(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    this.silence = null;
  }

  private silent(): void {
    if (!this.warned) {
      this.warned = true;
      this.wait();
      return;
    }
    const [first] = this.pending.values();
    const lock = first === undefined ? 'the lock' : first.order.lock;
    const worker = this.current!;
    void worker.terminate();
    this.lose(
      worker,
      new Error(
        `${lock}: a hot loop: the lock ran for ${this.silenceMs / 1000} s without giving way; \`lockpick run\` says where`,
      ),
    );
  }

  /** The thread is no more: nobody waits for it in vain. */
  private lose(worker: Worker, error: Error): void {
    if (worker !== this.current) return;
    this.hush();
    this.current = null;
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}

function revive({ name, message, stack }: ErrorData): Error {
  return Object.assign(new Error(message), { name, stack: stack ?? `${name}: ${message}` });
}
