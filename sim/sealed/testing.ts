/** For tests: a small deterministic kernel and a lock server, enough to run sealed locks by themselves. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drainMicrotasks } from '../kernel/drain.js';
import { bundleLock } from './bundle.js';
import type { LockBundle } from './bundle.js';
import { withGuard } from './guard.js';
import { instantiate } from './instance.js';
import type { ProcessServices, VirtualImmediate, VirtualTimer } from './services.js';

interface Timer extends VirtualTimer {
  active: boolean;
  dueMs: number;
  readonly everyMs: number | null;
  readonly callback: () => void;
  readonly order: number;
}

/** A whole process with its own clocks and streams; time moves only in {@link TestProcess.runUntil}. */
export class TestProcess implements ProcessServices {
  readonly host: string;
  nowMs = 0;
  wallOffsetMs = 1_700_000_000_000;
  readonly printedLines: string[] = [];
  readonly escapes: Error[] = [];
  readonly uncaught: unknown[] = [];
  readonly rejections: unknown[] = [];
  exitCode: number | null = null;
  #timers: Timer[] = [];
  #ticks: (() => void)[] = [];
  #immediates: (VirtualImmediate & { callback: () => void })[] = [];
  #order = 0;
  #state: number;

  constructor(host = 'p1', seed = 1) {
    this.host = host;
    this.#state = seed >>> 0;
  }

  wallMs(): number {
    return Math.floor(this.wallOffsetMs + this.nowMs);
  }

  monotonicMs(): number {
    return this.nowMs;
  }

  startTimer(callback: () => void, delayMs: number, repeat: boolean): VirtualTimer {
    const timer: Timer = {
      active: true,
      referenced: true,
      dueMs: this.nowMs + delayMs,
      everyMs: repeat ? delayMs : null,
      callback,
      order: this.#order++,
    };
    this.#timers.push(timer);
    return timer;
  }

  stopTimer(timer: VirtualTimer): void {
    (timer as Timer).active = false;
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  startImmediate(callback: () => void): VirtualImmediate {
    const immediate = { cancelled: false, callback };
    this.#immediates.push(immediate);
    return immediate;
  }

  nextTick(callback: () => void): void {
    this.#ticks.push(callback);
  }

  random(): number {
    return this.randomUint32() / 2 ** 32;
  }

  randomUint32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  escaped(error: Error): void {
    this.escapes.push(error);
  }

  printed(level: string, line: string): void {
    this.printedLines.push(`${level}: ${line}`);
  }

  rejected(reason: unknown): void {
    this.rejections.push(reason);
  }

  exit(code: number): void {
    this.exitCode = code;
  }

  /** One callback, then all ticks and microtasks, then immediates, until the process is at rest. */
  step(callback: () => void): void {
    this.#guarded(callback);
    for (;;) {
      this.#settle();
      const immediate = this.#immediates.shift();
      if (immediate === undefined) return;
      if (!immediate.cancelled) this.#guarded(immediate.callback);
    }
  }

  /** Moves time to the next timers until `done` holds or nothing is left to happen. */
  runUntil(done: () => boolean, limitMs = 1e6): void {
    this.#settle();
    while (!done()) {
      const [next] = this.#timers.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
      if (next === undefined || next.dueMs > limitMs) return;
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      if (next.everyMs === null) this.stopTimer(next);
      else next.dueMs += next.everyMs;
      this.step(next.callback);
    }
  }

  /** Runs an async function of the program to its end in virtual time. */
  finish<T>(start: () => Promise<T>): T {
    let outcome: { value: T } | { error: unknown } | null = null;
    this.step(() => {
      start().then(
        (value) => (outcome = { value }),
        (error: unknown) => (outcome = { error }),
      );
    });
    this.runUntil(() => outcome !== null);
    const settled = outcome as { value: T } | { error: unknown } | null;
    if (settled === null) throw new Error('the promise never settles: nothing is left to happen');
    if ('error' in settled) throw settled.error;
    return settled.value;
  }

  #settle(): void {
    for (;;) {
      const tick = this.#ticks.shift();
      if (tick !== undefined) {
        this.#guarded(tick);
        continue;
      }
      withGuard(drainMicrotasks, (error) => this.escaped(error));
      if (this.#ticks.length === 0) return;
    }
  }

  #guarded(callback: () => void): void {
    try {
      withGuard(callback, (error) => this.escaped(error));
    } catch (error) {
      this.uncaught.push(error);
    }
  }
}

/** Runs `body` in a macrotask: only there can microtasks be drained within a call. */
export function inMacrotask<T>(body: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(body());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

const scratch: string[] = [];

/** Writes files to a directory of their own and gives its path; {@link removeScratch} removes all of them. */
export async function writeProgram(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'sealed-'));
  scratch.push(directory);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return directory;
}

export async function removeScratch(): Promise<void> {
  for (const directory of scratch.splice(0)) await rm(directory, { recursive: true, force: true });
}

/** A bundle of one file; `name` decides the language. */
export async function bundleText(text: string, name = 'lock.ts'): Promise<LockBundle> {
  return bundleLock(path.join(await writeProgram({ [name]: text }), name));
}

/** A program whose lock offers one function of the test: `body` is a function body that sees `arg`. */
export async function bundleProbe(body: string, prelude = '', name = 'probe.cjs'): Promise<LockBundle> {
  return bundleText(
    `${prelude}
     module.exports = { name: 'probe', servers: 1, connect: () => ({ probe: function (arg) { ${body} } }) };`,
    name,
  );
}

/** The function of a {@link bundleProbe} in an instance of its own. */
export function probeOf(bundle: LockBundle, services: ProcessServices): (arg?: unknown) => any {
  const lock = instantiate(bundle, services).definition.connect({ clients: [], endpoints: [], options: {} });
  return (lock as unknown as { probe: (arg?: unknown) => unknown }).probe;
}

/** Runs a probe once in a fresh process, all of it guarded, and gives its result (awaited in virtual time). */
export async function probe(
  body: string,
  options: { process?: TestProcess; prelude?: string; arg?: unknown } = {},
) {
  const bundle = await bundleProbe(body, options.prelude);
  const process = options.process ?? new TestProcess();
  return inMacrotask(() => {
    const call = probeOf(bundle, process);
    return process.finish(async () => call(options.arg));
  });
}
