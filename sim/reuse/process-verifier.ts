/**
 * Repeats runs in a process of its own: what V8 learns of fresh instances, and what they leave behind, stays out of the
 * process that keeps instances. Node only.
 */
import { fork, type ChildProcess } from 'node:child_process';
import type { LoadedLock } from '../load.js';
import type { Scenario } from '../scenario/schema.js';
import { ReuseMismatch, type Verifier } from './verifier.js';

/** What the process gets first. */
export interface VerifierSetup {
  readonly scenario: Scenario;
  readonly lock: LoadedLock;
}

/** To the process: a run to repeat. */
export interface VerifierTask {
  readonly seed: number;
  readonly events: string;
}

/** From the process. */
export interface VerifierAnswer {
  readonly seed: number;
  readonly same: boolean;
}

export class ProcessVerifier implements Verifier {
  private readonly child: ChildProcess;
  private waiting = 0;
  private closing = false;
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  /** @param file the built module `verify-process` */
  constructor(file: URL, scenario: Scenario, lock: LoadedLock) {
    this.child = fork(file, { serialization: 'advanced', execArgv: [] });
    const setup: VerifierSetup = { scenario, lock };
    this.child.send(setup);
    this.child.on('message', ({ seed, same }: VerifierAnswer) => {
      this.waiting--;
      if (!same) this.failure ??= new ReuseMismatch(seed);
      this.wake?.();
    });
    this.child.on('error', (error) => this.fail(error));
    this.child.on('exit', (code, signal) => {
      if (!this.closing) this.fail(new Error(`the process that repeats runs ended (${signal ?? code})`));
    });
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }

  expect(seed: number, events: string): void {
    this.waiting++;
    const task: VerifierTask = { seed, events };
    this.child.send(task);
  }

  async settle(most: number): Promise<void> {
    while (this.failure === null && this.waiting > most) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.failure !== null) throw this.failure;
  }

  close(): void {
    this.closing = true;
    this.child.disconnect();
  }
}
