/** Repeats runs in a thread of their own: an isolate that is not the one that keeps instances. Node only. */
import { Worker } from 'node:worker_threads';
import type { LoadedLock } from '../load.js';
import type { Scenario } from '../scenario/schema.js';
import { ReuseMismatch, type Verifier } from './verifier.js';

/** What the thread is started with. */
export interface VerifierSetup {
  readonly scenario: Scenario;
  readonly lock: LoadedLock;
}

/** To the thread: a run to repeat. */
export interface VerifierTask {
  readonly seed: number;
  readonly events: string;
}

/** From the thread. */
export interface VerifierAnswer {
  readonly seed: number;
  readonly same: boolean;
}

export class WorkerVerifier implements Verifier {
  private readonly worker: Worker;
  private waiting = 0;
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  /** @param file the built module `verify-worker` */
  constructor(file: URL, scenario: Scenario, lock: LoadedLock) {
    const workerData: VerifierSetup = { scenario, lock };
    this.worker = new Worker(file, { workerData });
    this.worker.unref();
    this.worker.on('message', ({ seed, same }: VerifierAnswer) => {
      this.waiting--;
      if (!same) this.failure ??= new ReuseMismatch(seed);
      this.wake?.();
    });
    this.worker.on('error', (error: Error) => {
      this.failure ??= error;
      this.wake?.();
    });
  }

  expect(seed: number, events: string): void {
    this.waiting++;
    const task: VerifierTask = { seed, events };
    this.worker.postMessage(task);
  }

  async settle(most: number): Promise<void> {
    this.worker.ref();
    while (this.failure === null && this.waiting > most) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    this.worker.unref();
    if (this.failure !== null) throw this.failure;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
