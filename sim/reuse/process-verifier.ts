/**
 * Repeats runs in a process of its own: what V8 learns of fresh instances, and what they leave behind, stays out of the
 * process that keeps instances. Node only.
 */
import { fork, type ChildProcess } from 'node:child_process';
import type { LoadedLock } from '../load.js';
import { engineBundle } from '../redis/engines.js';
import type { Scenario } from '../scenario/schema.js';
import type { LockBundle } from '../sealed/bundle.js';
import { ReuseMismatch, type Verifier } from './verifier.js';

/** What the process gets first. */
export interface VerifierSetup {
  readonly scenario: Scenario;
  readonly lock: LoadedLock;
  /** What the scenario's engine runs from, if it needs that. */
  readonly engine: LockBundle | null;
}

/** A run to repeat. */
export interface VerifierTask {
  readonly seed: number;
  readonly events: string;
}

/** To the process: runs to repeat. */
export type VerifierTasks = readonly VerifierTask[];

/** From the process: those runs are done. */
export interface VerifierAnswer {
  readonly done: number;
  /** The first of them that came out otherwise; null: none. */
  readonly differs: number | null;
}

/** Runs in one message: a message costs the campaign more than what it says. */
const TASKS_IN_MESSAGE = 8;

export class ProcessVerifier implements Verifier {
  private readonly child: ChildProcess;
  private waiting = 0;
  /** Noted and not sent. */
  private unsent: VerifierTask[] = [];
  private closing = false;
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  /** Sent with the first task: until then the engine may not be ready. */
  private setup: Omit<VerifierSetup, 'engine'> | null;

  /** @param file the built module `verify-process` */
  constructor(file: URL, scenario: Scenario, lock: LoadedLock) {
    this.child = fork(file, { serialization: 'advanced', execArgv: [] });
    this.setup = { scenario, lock };
    this.child.on('message', ({ done, differs }: VerifierAnswer) => {
      this.waiting -= done;
      if (differs !== null) this.failure ??= new ReuseMismatch(differs);
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
    this.unsent.push({ seed, events });
    if (this.unsent.length >= TASKS_IN_MESSAGE) this.sendTasks();
  }

  private sendTasks(): void {
    if (this.unsent.length === 0) return;
    this.sendSetup();
    const tasks: VerifierTasks = this.unsent;
    this.child.send(tasks);
    this.unsent = [];
  }

  private sendSetup(): void {
    if (this.setup === null) return;
    const setup: VerifierSetup = { ...this.setup, engine: engineBundle(this.setup.scenario.servers.engine) };
    this.child.send(setup);
    this.setup = null;
  }

  async settle(most: number): Promise<void> {
    if (this.waiting > most) this.sendTasks();
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
