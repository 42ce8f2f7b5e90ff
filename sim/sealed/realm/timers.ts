import type { ProcessServices, VirtualImmediate, VirtualTimer } from '../services.js';
import { hide, invalidArgument } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

const LONGEST_MS = 2 ** 31 - 1;

/** The delay Node waits for the argument given: at least 1 ms, whole, and 1 for what is no number or too long. */
export function delayOf(given: unknown): number {
  const ms = Number(given);
  return ms >= 1 && ms <= LONGEST_MS ? Math.trunc(ms) : 1;
}

/** Timers that the program turned into numbers, so that `clearTimeout(+timer)` finds them. */
interface Numbered {
  next: number;
  readonly known: Map<number, Timeout>;
}

/** What `setTimeout` and `setInterval` return. */
class Timeout {
  readonly #services: ProcessServices;
  readonly #numbered: Numbered;
  readonly #fire: () => void;
  readonly #delayMs: number;
  readonly #repeat: boolean;
  #timer: VirtualTimer;
  #id = 0;

  constructor(
    seat: Seat,
    numbered: Numbered,
    callback: AnyFunction,
    delayMs: number,
    repeat: boolean,
    args: unknown[],
  ) {
    this.#services = seat.services;
    this.#numbered = numbered;
    this.#fire = args.length === 0 ? () => callback.call(this) : () => callback.apply(this, args);
    this.#delayMs = delayMs;
    this.#repeat = repeat;
    this.#timer = this.#services.startTimer(this.#fire, delayMs, repeat);
  }

  ref(): this {
    this.#timer.referenced = true;
    return this;
  }

  unref(): this {
    this.#timer.referenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#timer.referenced;
  }

  /** Starts again from now, also after it fired. */
  refresh(): this {
    const { referenced } = this.#timer;
    this.#services.stopTimer(this.#timer);
    this.#timer = this.#services.startTimer(this.#fire, this.#delayMs, this.#repeat);
    this.#timer.referenced = referenced;
    return this;
  }

  close(): this {
    this.#services.stopTimer(this.#timer);
    if (this.#id !== 0) this.#numbered.known.delete(this.#id);
    return this;
  }

  [Symbol.toPrimitive](): number {
    if (this.#id === 0) {
      this.#id = this.#numbered.next++;
      this.#numbered.known.set(this.#id, this);
    }
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** What `setImmediate` returns. */
class Immediate {
  readonly #immediate: VirtualImmediate;
  #referenced = true;

  constructor(seat: Seat, callback: () => void) {
    this.#immediate = seat.services.startImmediate(callback);
  }

  ref(): this {
    this.#referenced = true;
    return this;
  }

  unref(): this {
    this.#referenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  clear(): void {
    this.#immediate.cancelled = true;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

function callable(callback: unknown): asserts callback is AnyFunction {
  if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
}

/** `setTimeout` and its family; `promises` gives `util.promisify(setTimeout)` its virtual twin. */
export function makeTimers(seat: Seat) {
  const numbered: Numbered = { next: 1, known: new Map() };
  seat.resets.push(() => {
    numbered.next = 1;
    numbered.known.clear();
  });
  const start = (callback: AnyFunction, delay: unknown, repeat: boolean, args: unknown[]): Timeout => {
    callable(callback);
    const kept = seat.keepContext === null ? callback : seat.keepContext(callback);
    return new Timeout(seat, numbered, kept, delayOf(delay), repeat, args);
  };
  const clear = (timer: unknown): void => {
    if (timer instanceof Timeout) timer.close();
    else if (typeof timer === 'number' || typeof timer === 'string')
      numbered.known.get(Number(timer))?.close();
  };
  return {
    setTimeout: (callback: AnyFunction, delay?: unknown, ...args: unknown[]) =>
      start(callback, delay, false, args),
    setInterval: (callback: AnyFunction, delay?: unknown, ...args: unknown[]) =>
      start(callback, delay, true, args),
    setImmediate: (callback: AnyFunction, ...args: unknown[]) => {
      callable(callback);
      const kept = seat.keepContext === null ? callback : seat.keepContext(callback);
      return new Immediate(seat, args.length === 0 ? () => kept() : () => kept(...args));
    },
    clearTimeout: (timer: unknown): void => clear(timer),
    clearInterval: (timer: unknown): void => clear(timer),
    clearImmediate: (immediate: unknown): void => {
      if (immediate instanceof Immediate) immediate.clear();
    },
  };
}

export type VirtualTimers = ReturnType<typeof makeTimers>;

const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom');

/** Lets `util.promisify` find the promise forms, as Node's own timers do. */
export function linkPromises(
  timers: VirtualTimers,
  promises: { setTimeout: AnyFunction; setImmediate: AnyFunction },
) {
  hide(timers.setTimeout, { [PROMISIFIED]: promises.setTimeout });
  hide(timers.setImmediate, { [PROMISIFIED]: promises.setImmediate });
}
