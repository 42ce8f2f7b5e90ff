import { BaseEvent, BaseEventTarget, SEAT } from './events.js';
import type { Seat } from './seat.js';
import { delayOf } from './timers.js';

const KEY = Symbol('only AbortController, abort, timeout and any make signals');
const ABORT = Symbol('abort');
const FOLLOW = Symbol('follow');
const EVENT = Symbol('new event');

/** An event needs its realm's class only where the program can see it: when somebody listens. */
type EventClass = new (type: string) => BaseEvent;

class BaseAbortSignal extends BaseEventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  #onabort: ((event: BaseEvent) => unknown) | null = null;
  #hearing = false;
  #followers: BaseAbortSignal[] | null = null;

  constructor(key: symbol, seat: Seat) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super(seat);
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get onabort(): ((event: BaseEvent) => unknown) | null {
    return this.#onabort;
  }

  /** As in the DOM, the handler keeps the place among the listeners that it got when it was first set. */
  set onabort(handler: ((event: BaseEvent) => unknown) | null) {
    this.#onabort = typeof handler === 'function' ? handler : null;
    if (this.#hearing || this.#onabort === null) return;
    this.#hearing = true;
    this.addEventListener('abort', (event) => this.#onabort?.call(this, event));
  }

  [ABORT](reason: unknown): void {
    if (this.#aborted) return;
    const followers = this.#settle(reason);
    this.#announce();
    for (const follower of followers) follower.#announce();
  }

  /** Marks this signal and all that follow it aborted, before any listener runs. */
  #settle(reason: unknown): BaseAbortSignal[] {
    this.#aborted = true;
    this.#reason = reason;
    const all: BaseAbortSignal[] = [];
    for (const follower of this.#followers ?? []) {
      if (!follower.#aborted) all.push(follower, ...follower.#settle(reason));
    }
    this.#followers = null;
    return all;
  }

  #announce(): void {
    if (this.hears('abort')) this.dispatchEvent(this[EVENT]());
  }

  [EVENT](): BaseEvent {
    return new BaseEvent(this[SEAT], 'abort');
  }

  [FOLLOW](source: BaseAbortSignal): void {
    (source.#followers ??= []).push(this);
  }

  override get [Symbol.toStringTag](): string {
    return 'AbortSignal';
  }
}

function abortReason(): unknown {
  return new DOMException('This operation was aborted', 'AbortError');
}

/** What the program and its workload see of a controller, whichever class makes it. */
export type AbortControllerClass = new () => {
  readonly signal: BaseAbortSignal;
  abort(reason?: unknown): void;
};

class BaseAbortController {
  readonly #signal: BaseAbortSignal;

  constructor(seat: Seat) {
    this.#signal = new BaseAbortSignal(KEY, seat);
  }

  get signal(): BaseAbortSignal {
    return this.#signal;
  }

  abort(reason: unknown = abortReason()): void {
    this.#signal[ABORT](reason);
  }

  get [Symbol.toStringTag](): string {
    return 'AbortController';
  }
}

Object.defineProperty(BaseEvent, 'name', { value: 'Event' });
Object.defineProperty(BaseAbortSignal, 'name', { value: 'AbortSignal' });
Object.defineProperty(BaseAbortController, 'name', { value: 'AbortController' });

/**
 * Controllers of one seat whose classes all seats share: for programs that cannot touch the classes. Nothing is made
 * for an instance, and what V8 learned of the signals of one holds for those of all.
 */
export function sharedAbortController(seat: Seat): AbortControllerClass {
  return BaseAbortController.bind(null, seat) as unknown as AbortControllerClass;
}

/**
 * The realm's own `AbortController` and `AbortSignal`, written out because Node's cost microseconds each, read the real
 * clock, and lead to the real `AbortSignal.timeout` by `signal.constructor`.
 */
export function makeAbort(seat: Seat, Event: EventClass) {
  class AbortSignal extends BaseAbortSignal {
    constructor(key: symbol) {
      super(key, seat);
    }

    override [EVENT](): BaseEvent {
      return new Event('abort');
    }

    static abort(reason: unknown = abortReason()): AbortSignal {
      const signal = new AbortSignal(KEY);
      signal[ABORT](reason);
      return signal;
    }

    /** Aborts when the process's monotonic clock has advanced this far; the timer keeps no run alive. */
    static timeout(delayMs: number): AbortSignal {
      const signal = new AbortSignal(KEY);
      const expire = (): void =>
        signal[ABORT](new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      seat.services.startTimer(expire, delayOf(delayMs), false).referenced = false;
      return signal;
    }

    static any(sources: Iterable<AbortSignal>): AbortSignal {
      const signal = new AbortSignal(KEY);
      const all = [...sources];
      const aborted = all.find((source) => source.aborted);
      if (aborted !== undefined) signal[ABORT](aborted.reason);
      else for (const source of all) signal[FOLLOW](source);
      return signal;
    }
  }

  class AbortController {
    readonly #signal = new AbortSignal(KEY);

    get signal(): AbortSignal {
      return this.#signal;
    }

    abort(reason: unknown = abortReason()): void {
      this.#signal[ABORT](reason);
    }

    get [Symbol.toStringTag](): string {
      return 'AbortController';
    }
  }
  return { AbortController, AbortSignal };
}
