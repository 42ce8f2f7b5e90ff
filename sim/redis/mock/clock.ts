/** The clock, timers and queues of a library that plays a server: nothing moves but when the server is asked something. */
import { drainMicrotasks } from '../../kernel/drain.js';
import type { ProcessServices, VirtualImmediate, VirtualTimer } from '../../sealed/services.js';

interface Timer extends VirtualTimer {
  active: boolean;
  readonly callback: () => void;
  dueMs: number;
  /** 0: once. */
  readonly everyMs: number;
}

interface Immediate extends VirtualImmediate {
  readonly callback: () => void;
}

/**
 * Timers run on the server's wall clock, as Redis's own timeouts do. Random numbers are the same for every server and every
 * run: what a command draws follows from the commands before it.
 */
export class ServerClock implements ProcessServices {
  readonly host = 'redis';
  private wallUs = 0;
  private seed = 0;
  private ticks: (() => void)[] = [];
  private immediates: Immediate[] = [];
  /** In the order in which they were started. */
  private timers: Timer[] = [];
  private escape: Error | null = null;

  /** Whole milliseconds. */
  get nowMs(): number {
    return Math.floor(this.wallUs / 1000);
  }

  set(wallUs: number): void {
    this.wallUs = wallUs;
  }

  /** When the next timer is due, in milliseconds; Infinity: none is running. */
  nextDueMs(): number {
    let next = Infinity;
    for (const { dueMs } of this.timers) if (dueMs < next) next = dueMs;
    return next;
  }

  /** Lets everything that is due happen, each timer with all its consequences, in order. */
  fireDue(): void {
    for (;;) {
      const dueMs = this.nextDueMs();
      if (dueMs > this.nowMs) return;
      const at = this.timers.findIndex((timer) => timer.dueMs === dueMs);
      const timer = this.timers[at]!;
      this.timers.splice(at, 1);
      if (timer.everyMs > 0) this.timers.push(Object.assign(timer, { dueMs: dueMs + timer.everyMs }));
      else timer.active = false;
      timer.callback();
      this.settle();
    }
  }

  /**
   * Runs all ticks, microtasks and immediates to their end. Macrotasks only.
   * @throws EscapeError where the library tried to leave the simulation
   */
  settle(): void {
    for (;;) {
      for (let i = 0; i < this.ticks.length; i++) this.ticks[i]!();
      this.ticks.length = 0;
      drainMicrotasks();
      if (this.ticks.length > 0) continue;
      const immediate = this.immediates.shift();
      if (immediate === undefined) break;
      if (!immediate.cancelled) immediate.callback();
    }
    if (this.escape !== null) throw this.escape;
  }

  /** Nothing is ahead any more. */
  reset(): void {
    this.seed = 0;
    this.ticks.length = 0;
    this.immediates.length = 0;
    for (const timer of this.timers) timer.active = false;
    this.timers.length = 0;
  }

  // ---- services of the sealed realm

  wallMs(): number {
    return this.nowMs;
  }

  monotonicMs(): number {
    return this.wallUs / 1000;
  }

  startTimer(callback: () => void, delayMs: number, repeat: boolean): VirtualTimer {
    const everyMs = repeat ? delayMs : 0;
    const timer: Timer = { callback, dueMs: this.nowMs + delayMs, everyMs, active: true, referenced: true };
    this.timers.push(timer);
    return timer;
  }

  stopTimer(timer: VirtualTimer): void {
    const at = this.timers.indexOf(timer as Timer);
    if (at >= 0) this.timers.splice(at, 1);
    (timer as Timer).active = false;
  }

  startImmediate(callback: () => void): VirtualImmediate {
    const immediate: Immediate = { callback, cancelled: false };
    this.immediates.push(immediate);
    return immediate;
  }

  nextTick(callback: () => void): void {
    this.ticks.push(callback);
  }

  random(): number {
    return this.randomUint32() / 2 ** 32;
  }

  randomUint32(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed;
  }

  escaped(error: Error): void {
    this.escape ??= error;
  }

  printed(): void {}

  exit(): void {}
}
