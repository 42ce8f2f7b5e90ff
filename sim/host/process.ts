/**
 * A client process: a host that runs JavaScript in steps. One step is one event delivered to the process and then all
 * its ticks, microtasks and immediates, before anything else happens anywhere.
 *
 * A step has a local time. A pause may strike after any observable action inside it (a clock read, a send): local time
 * then runs ahead of true time, later reads and sends of the step see it, and the step's effects are released when true
 * time reaches them. A crash before that cancels them.
 */
import type { ErrorInfo, HistoryEvent } from '../history/events.js';
import type { Clocks } from '../kernel/clock.js';
import { drainThrough, type Thrower } from '../kernel/drain.js';
import type { UnsettledStep } from '../kernel/kernel.js';
import type { Streams } from '../kernel/random.js';
import type { Moments } from '../faults/moments.js';
import type { LockBundle } from '../sealed/bundle.js';
import { describePlace } from '../sealed/frames.js';
import type { ProcessServices, SocketServices, VirtualImmediate, VirtualTimer } from '../sealed/services.js';
import { Crowd } from './crowd.js';
import { Draws } from './draws.js';
import { errorInfo } from './error-info.js';
import { Host, type HostContext } from './host.js';
import { ProcessTimer } from './timer.js';
import { Votes } from './votes.js';

export interface ProcessContext extends HostContext {
  readonly streams: Streams;
  readonly moments: Moments;
  /** Events of one process within one virtual millisecond that make a hot loop. */
  readonly eventsPerMs: number;
  readonly trace: boolean;
  /** The program that the processes run: for the places of errors in its own files. */
  readonly bundle: LockBundle;
  /** The process whose step is being executed; rejections that surface are charged to it. */
  running: Process | null;
}

type TroubleKind = Extract<HistoryEvent, { kind: 'trouble' }>['what'];

/** Told when a step of the process is over. */
export interface ProcessObserver {
  observe(): void;
}

/** Sockets of a program, which know on whose behalf it runs. */
export interface ProgramSockets extends SocketServices {
  /** What is put off now goes on later on the same behalf. */
  carry(callback: () => void): () => void;
  /** The program started a timer. */
  started(timer: VirtualTimer): void;
}

interface Immediate extends VirtualImmediate {
  readonly callback: () => void;
}

const LONGEST_DELAY_MS = 2_147_483_647;

export class Process extends Host implements ProcessServices, UnsettledStep, Thrower {
  /** Local time of the step, µs of true time; meaningful inside a step only. */
  localUs = 0;
  /** Ordinal of the current step. */
  steps = 0;
  readonly votes = new Votes();
  /** The sockets of its program; null: it has none, and its clients are direct. */
  sockets: ProgramSockets | null = null;
  /** Looks at the lock's claims after each step. */
  observer: ProcessObserver | null = null;
  private observing = false;
  private ticks: (() => void)[] = [];
  private immediates: Immediate[] = [];
  readonly draws: Draws;
  private readonly crowd: Crowd;

  constructor(
    protected override readonly context: ProcessContext,
    name: string,
    clocks: Clocks,
  ) {
    super(context, name, clocks);
    this.draws = new Draws(context.streams, name);
    this.crowd = new Crowd(context.eventsPerMs);
  }

  get host(): string {
    return this.name;
  }

  /** True time as the running step sees it. */
  get nowUs(): number {
    return this.context.running === this ? this.localUs : this.context.kernel.nowUs;
  }

  // ---- steps

  step<A, B>(action: (a: A, b: B) => void, a: A, b: B): void {
    if (!this.up) return;
    const { kernel } = this.context;
    this.localUs = kernel.nowUs;
    this.steps++;
    this.context.running = this;
    if (this.crowded()) return;
    try {
      action(a, b);
    } catch (error) {
      this.uncaught(error);
    }
    if (this.ticks.length > 0) this.runTicks();
    if (!kernel.synchronous) {
      kernel.unsettled = this;
      return;
    }
    // A closure in place of the process, even one made once, costs campaigns half their speed.
    do drainThrough(this);
    while (this.continueStep());
  }

  continueStep(): boolean {
    if (this.up) {
      if (this.ticks.length > 0) {
        this.runTicks();
        return true;
      }
      if (this.immediates.length > 0) {
        const immediate = this.immediates.shift()!;
        if (!immediate.cancelled) this.guarded(immediate.callback);
        if (this.ticks.length > 0) this.runTicks();
        if (this.crowded()) return false;
        return true;
      }
      if (this.observer !== null) {
        this.observing = true;
        this.observer.observe();
        this.observing = false;
      }
    }
    this.context.running = null;
    return false;
  }

  private runTicks(): void {
    for (let i = 0; i < this.ticks.length; i++) {
      this.guarded(this.ticks[i]!);
    }
    this.ticks.length = 0;
  }

  private guarded(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.uncaught(error);
    }
  }

  /** Ends the run when the process does nothing but spin. */
  private crowded(): boolean {
    const { kernel, eventsPerMs } = this.context;
    if (!this.crowd.exceeds(kernel.nowUs)) return false;
    this.trouble('hot-loop', new Error(`more than ${eventsPerMs} events within one millisecond`));
    kernel.stop('hot-loop');
    this.context.running = null;
    return true;
  }

  // ---- effects

  /** Records an event whose `tUs` is {@link nowUs}, when true time reaches it. Nothing after a crash. */
  record(event: HistoryEvent): void {
    if (!this.up) return;
    if (event.tUs === this.context.kernel.nowUs) this.context.recorder.add(event);
    else this.later(() => this.context.recorder.add(event));
  }

  protected override recordAt(event: HistoryEvent): void {
    this.record(event);
  }

  /** Runs an effect of the step at its local time, at once where that is now; void if the process crashes before. */
  effect(run: () => void): void {
    if (!this.up) return;
    if (this.nowUs === this.context.kernel.nowUs) run();
    else this.later(run);
  }

  get ahead(): boolean {
    return this.nowUs !== this.context.kernel.nowUs;
  }

  private later(run: () => void): void {
    this.context.kernel.at(this.localUs, null, Process.release, this as Process, { life: this.life, run });
  }

  private static release(process: Process, effect: { life: number; run: () => void }): void {
    if (process.life === effect.life) effect.run();
  }

  /** A pause from now, inside the step if one is running: what the step has not done yet happens after it. */
  override pause(forUs: number): void {
    if (this.context.running !== this) {
      super.pause(forUs);
      return;
    }
    this.pauseFrom(this.localUs, forUs, true);
    this.localUs += forUs;
  }

  override crash(): void {
    if (!this.up) return;
    super.crash();
    this.ticks.length = 0;
    this.immediates.length = 0;
    const { kernel } = this.context;
    for (const event of kernel.pending()) if (event.target === this) kernel.cancel(event);
  }

  /** @param by what was heard in the place of the error */
  trouble(what: TroubleKind, error: unknown, by?: unknown): void {
    const info: ErrorInfo = errorInfo(error);
    const hidden = by === undefined ? {} : { by: errorInfo(by) };
    this.record({ i: 0, tUs: this.nowUs, host: this.name, kind: 'trouble', what, error: info, ...hidden });
  }

  uncaught(error: unknown): void {
    this.trouble('uncaught', error);
  }

  // ---- services of the sealed realm

  wallMs(): number {
    const reading = Math.floor(this.clocks.wallUs(this.nowUs) / 1000);
    if (this.context.moments.watching['clock-read'] !== null) this.clockRead('WALL');
    return reading;
  }

  monotonicMs(): number {
    const reading = this.clocks.monoUs(this.nowUs) / 1000;
    if (this.context.moments.watching['clock-read'] !== null) this.clockRead('MONOTONIC');
    return reading;
  }

  private clockRead(clock: 'WALL' | 'MONOTONIC'): void {
    if (this.context.running !== this || this.observing || this.draws.loading) return;
    this.context.moments.pass('clock-read', this, undefined, clock);
  }

  startTimer(callback: () => void, delayMs: number, repeat: boolean): VirtualTimer {
    const ms = delayMs >= 1 && delayMs <= LONGEST_DELAY_MS ? Number(delayMs) : 1;
    const delayUs = Math.round(ms * 1000);
    const { sockets } = this;
    if (sockets === null) return this.startTimerUs(callback, delayUs, repeat ? delayUs : 0);
    const timer = this.startTimerUs(sockets.carry(callback), delayUs, repeat ? delayUs : 0);
    sockets.started(timer);
    return timer;
  }

  startTimerUs(callback: () => void, delayUs: number, repeatUs = 0): ProcessTimer {
    const timer = new ProcessTimer(this.context.kernel, callback, repeatUs);
    this.arm(timer, delayUs);
    return timer;
  }

  private arm(timer: ProcessTimer, delayUs: number): void {
    if (!this.up) return;
    const now = this.nowUs;
    timer.dueMonoUs = this.clocks.monoUs(now) + delayUs;
    this.schedule(timer, now);
  }

  private schedule(timer: ProcessTimer, fromUs: number): void {
    timer.event = this.context.kernel.at(
      this.clocks.whenMono(timer.dueMonoUs, fromUs),
      this,
      Process.fire,
      this as Process,
      timer,
      timer.referenced,
    );
  }

  private static fire(process: Process, timer: ProcessTimer): void {
    timer.event = null;
    if (!process.up) return;
    if (timer.repeatUs > 0) process.step(Process.fireInterval, process, timer);
    else process.step(Process.fireOnce, process, timer);
  }

  private static fireOnce(process: Process, timer: ProcessTimer): void {
    if (process.context.moments.watching.timer !== null) process.context.moments.pass('timer', process);
    timer.callback();
  }

  private static fireInterval(process: Process, timer: ProcessTimer): void {
    if (process.context.moments.watching.timer !== null) process.context.moments.pass('timer', process);
    process.arm(timer, timer.repeatUs);
    timer.callback();
  }

  protected override clockChanged(): void {
    const { kernel } = this.context;
    const moved: ProcessTimer[] = [];
    for (const event of kernel.pending()) {
      if (event.action === (Process.fire as unknown) && event.target === this)
        moved.push(event.b as ProcessTimer);
    }
    moved.sort((x, y) => x.event!.seq - y.event!.seq);
    for (const timer of moved) {
      kernel.cancel(timer.event!);
      this.schedule(timer, kernel.nowUs);
    }
  }

  stopTimer(timer: VirtualTimer): void {
    (timer as ProcessTimer).stop();
  }

  startImmediate(callback: () => void): VirtualImmediate {
    const { sockets } = this;
    const immediate: Immediate = {
      callback: sockets === null ? callback : sockets.carry(callback),
      cancelled: false,
    };
    if (this.up) this.immediates.push(immediate);
    return immediate;
  }

  nextTick(callback: () => void): void {
    if (this.up) this.ticks.push(this.sockets === null ? callback : this.sockets.carry(callback));
  }

  random(): number {
    return this.draws.unit();
  }

  randomUint32(): number {
    return this.draws.uint32();
  }

  escaped(error: Error): void {
    const place = describePlace(this.context.bundle, error.stack);
    const info = errorInfo(error);
    if (place !== null) info.message += ` (${place})`;
    this.trouble('escape', info);
    this.context.kernel.stop('escape');
  }

  printed(level: 'log' | 'warn' | 'error', line: string): void {
    if (!this.context.trace) return;
    this.record({ i: 0, tUs: this.nowUs, host: this.name, kind: 'print', level, line });
  }

  rejected(reason: unknown): void {
    this.trouble('unhandled-rejection', reason);
  }

  exit(): void {
    this.effect(() => this.crash());
  }
}
