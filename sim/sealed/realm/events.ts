/**
 * `Event` and `EventTarget` without the host behind them: an event's time is virtual, and making a target costs no more
 * than an object. The semantics are those of the DOM for a target without parents.
 */
import type { Seat } from './seat.js';

/** Leads the family to an object's seat. */
export const SEAT = Symbol('seat');
const BARE = {};
const STOPPED = Symbol('stopped');
const DISPATCH = Symbol('dispatch');

interface EventInit {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}

export class BaseEvent {
  readonly #seat: Seat;
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  #prevented = false;
  #target: BaseEventTarget | null = null;
  #current: BaseEventTarget | null = null;
  #timeStamp: number | null = null;
  [STOPPED] = false;

  constructor(seat: Seat, type: string, init: EventInit = BARE) {
    this.#seat = seat;
    this.type = String(type);
    this.bubbles = init.bubbles ?? false;
    this.cancelable = init.cancelable ?? false;
    this.composed = init.composed ?? false;
  }

  /** Read from the clock when first asked: an event nobody asks must not count as a clock read. */
  get timeStamp(): number {
    this.#timeStamp ??= this.#seat.services.monotonicMs();
    return this.#timeStamp;
  }

  get target(): BaseEventTarget | null {
    return this.#target;
  }

  get srcElement(): BaseEventTarget | null {
    return this.#target;
  }

  get currentTarget(): BaseEventTarget | null {
    return this.#current;
  }

  get defaultPrevented(): boolean {
    return this.#prevented;
  }

  get isTrusted(): boolean {
    return false;
  }

  get eventPhase(): number {
    return this.#current === null ? 0 : 2;
  }

  preventDefault(): void {
    if (this.cancelable) this.#prevented = true;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this[STOPPED] = true;
  }

  composedPath(): BaseEventTarget[] {
    return this.#current === null ? [] : [this.#current];
  }

  [DISPATCH](target: BaseEventTarget | null): void {
    if (target !== null) this.#target = target;
    this.#current = target;
  }

  get [Symbol.toStringTag](): string {
    return 'Event';
  }
}

type Handler = ((event: BaseEvent) => unknown) | { handleEvent(event: BaseEvent): unknown };

interface Listener {
  readonly handler: Handler;
  readonly capture: boolean;
  readonly once: boolean;
  removed: boolean;
}

interface ListenerOptions {
  readonly once?: boolean;
  readonly capture?: boolean;
  readonly passive?: boolean;
  readonly signal?: {
    readonly aborted: boolean;
    addEventListener(type: string, listener: () => void, options?: ListenerOptions): void;
  };
}

export class BaseEventTarget {
  readonly #seat: Seat;
  #listeners: Map<string, Listener[]> | null = null;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  get [SEAT](): Seat {
    return this.#seat;
  }

  addEventListener(type: string, handler: Handler | null, options?: ListenerOptions | boolean): void {
    if (handler === null || handler === undefined) return;
    const {
      once = false,
      capture = false,
      signal,
    } = typeof options === 'object' && options ? options : (BARE as ListenerOptions);
    const captures = typeof options === 'boolean' ? options : capture;
    if (signal?.aborted) return;
    this.#listeners ??= new Map();
    const listeners = this.#listeners.get(type);
    const listener: Listener = { handler, capture: captures, once, removed: false };
    if (listeners === undefined) this.#listeners.set(type, [listener]);
    else if (listeners.some((other) => other.handler === handler && other.capture === captures)) return;
    else listeners.push(listener);
    signal?.addEventListener('abort', () => this.removeEventListener(type, handler, captures), {
      once: true,
    });
  }

  removeEventListener(type: string, handler: Handler | null, options?: ListenerOptions | boolean): void {
    const capture = typeof options === 'boolean' ? options : (options?.capture ?? false);
    const listeners = this.#listeners?.get(type);
    const index =
      listeners?.findIndex((other) => other.handler === handler && other.capture === capture) ?? -1;
    if (index < 0 || listeners === undefined) return;
    (listeners[index] as Listener).removed = true;
    listeners.splice(index, 1);
  }

  dispatchEvent(event: BaseEvent): boolean {
    const listeners = this.#listeners?.get(event.type);
    event[DISPATCH](this);
    if (listeners !== undefined && listeners.length > 0) {
      for (const listener of [...listeners]) {
        if (listener.removed) continue;
        if (listener.once) this.removeEventListener(event.type, listener.handler, listener.capture);
        this.#call(listener.handler, event);
        if (event[STOPPED]) break;
      }
    }
    event[DISPATCH](null);
    return !event.defaultPrevented;
  }

  /** True when someone listens: spares making an event for nobody. */
  protected hears(type: string): boolean {
    return (this.#listeners?.get(type)?.length ?? 0) > 0;
  }

  /** What a listener throws is uncaught, as in Node, and stops no other listener. */
  #call(handler: Handler, event: BaseEvent): void {
    try {
      if (typeof handler === 'function') handler.call(this, event);
      else handler.handleEvent(event);
    } catch (error) {
      this.#seat.services.nextTick(() => {
        throw error;
      });
    }
  }

  get [Symbol.toStringTag](): string {
    return 'EventTarget';
  }
}

const hasInstance = Function.prototype[Symbol.hasInstance];

/** The realm's own `Event`, `CustomEvent` and `EventTarget`. */
export function makeEvents(seat: Seat) {
  class Event extends BaseEvent {
    constructor(type: string, init: EventInit = BARE) {
      super(seat, type, init);
    }
  }
  class CustomEvent extends Event {
    readonly detail: unknown;
    constructor(type: string, init: EventInit & { detail?: unknown } = {}) {
      super(type, init);
      this.detail = init.detail ?? null;
    }
  }
  class EventTarget extends BaseEventTarget {
    constructor() {
      super(seat);
    }

    /** Signals are targets too, though they come from another branch of the family. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return this === EventTarget ? value instanceof BaseEventTarget : hasInstance.call(this, value);
    }
  }
  return { Event, CustomEvent, EventTarget };
}

export type VirtualEvents = ReturnType<typeof makeEvents>;
