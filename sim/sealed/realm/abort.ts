import { BaseEventTarget, SEAT } from './events.js';
import type { BaseEvent } from './events.js';
import type { Seat } from './seat.js';
import { delayOf } from './timers.js';

const KEY = Symbol('only AbortController, abort, timeout and any make signals');
const ABORT = Symbol('abort');
const FOLLOW = Symbol('follow');
const EVENT = Symbol('event class');

/** An event needs its realm's class only where the program can see it: when somebody listens. */
type EventClass = new (type: string) => BaseEvent;

class BaseAbortSignal extends BaseEventTarget {
  declare readonly [EVENT]: EventClass;
  #aborted = false;
  #reason: unknown = undefined;
  #onabort: ((event: BaseEvent) => unknown) | null = null;
  #hearing = false;
  #followers: BaseAbortSignal[] | null = null;

  constructor(key: symbol) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super();
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
    if (this.hears('abort')) this.dispatchEvent(new this[EVENT]('abort'));
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

/**
 * The realm's own `AbortController` and `AbortSignal`, written out because Node's cost microseconds each, read the real
 * clock, and lead to the real `AbortSignal.timeout` by `signal.constructor`.
 */
export function makeAbort(seat: Seat, Event: EventClass) {
  class AbortSignal extends BaseAbortSignal {
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
  Object.defineProperty(AbortSignal.prototype, SEAT, { value: seat });
  Object.defineProperty(AbortSignal.prototype, EVENT, { value: Event });

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
