/** What the guard swaps, and for what. Every swap reads what is there when it is applied: a test runner may have its own. */

/** Reports that a tripwire was touched and throws; frames from `below` up are left out of the stack. */
export type Trip = (route: string, below: (...args: never[]) => unknown) => never;

export interface Swap {
  /** What is touched, as a message names it. */
  readonly route: string;
  apply(): void;
  restore(): void;
}

type Holder = Record<string, unknown>;

/** For writable data properties: an assignment costs nanoseconds. */
class ValueSwap implements Swap {
  #original: unknown;

  constructor(
    readonly route: string,
    readonly holder: Holder,
    readonly key: string,
    readonly replacement: unknown,
  ) {}

  apply(): void {
    this.#original = this.holder[this.key];
    this.holder[this.key] = this.replacement;
  }

  restore(): void {
    this.holder[this.key] = this.#original;
  }
}

/** For accessors and objects: reading is already an attempt. */
class AccessorSwap implements Swap {
  readonly #tripwire: PropertyDescriptor;
  #original: PropertyDescriptor | undefined;

  constructor(
    readonly route: string,
    readonly holder: object,
    readonly key: string,
    get: () => unknown,
  ) {
    this.#tripwire = { get, set: () => undefined, configurable: true, enumerable: false };
  }

  apply(): void {
    this.#original = Object.getOwnPropertyDescriptor(this.holder, this.key);
    Object.defineProperty(this.holder, this.key, this.#tripwire);
  }

  restore(): void {
    if (this.#original !== undefined) Object.defineProperty(this.holder, this.key, this.#original);
  }
}

const host = globalThis as unknown as Holder;

/** Functions and classes: calling or constructing trips; `instanceof` and a look at them do not. */
const CALLED =
  `setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback WeakRef FinalizationRegistry
  SharedArrayBuffer`.split(/\s+/);
/** Objects and lazily loaded names: reading trips. */
const READ = `process crypto performance fetch MessageChannel BroadcastChannel WebSocket EventSource Worker
  XMLHttpRequest MutationObserver navigator Intl`.split(/\s+/);
/** Members of built-ins that read a clock, draw a random number, or block. */
const MEMBERS: readonly (readonly [string, unknown, string])[] = [
  ['Math.random', Math, 'random'],
  ['Atomics.wait', Atomics, 'wait'],
  ['Atomics.waitAsync', Atomics, 'waitAsync'],
  ['AbortSignal.timeout', host['AbortSignal'], 'timeout'],
];

function tripwire(route: string, real: unknown, trip: Trip): unknown {
  function wire(): never {
    return trip(route, wire);
  }
  if (typeof real === 'function' && typeof real.prototype === 'object')
    wire.prototype = real.prototype as object;
  return wire;
}

/** With arguments a date depends on them alone; without, and by `now`, it reads the clock. */
function dateTripwire(trip: Trip): unknown {
  const RealDate = Date;
  function WiredDate(...args: unknown[]): unknown {
    if (new.target === undefined || args.length === 0) return trip('Date', WiredDate);
    const target = (new.target as unknown) === WiredDate ? RealDate : new.target;
    return Reflect.construct(RealDate, args, target as never);
  }
  const now = (): never => trip('Date.now', now);
  Object.defineProperty(WiredDate, 'prototype', { value: RealDate.prototype });
  return Object.assign(WiredDate, { now, parse: RealDate.parse, UTC: RealDate.UTC });
}

/** Memory that was used before is not deterministic: it is given out cleared. */
function bufferSwaps(): Swap[] {
  const real = host['Buffer'] as (Holder & { alloc(size: number): unknown }) | undefined;
  if (real === undefined) return [];
  const cleared = (size: number): unknown => real.alloc(size);
  return ['allocUnsafe', 'allocUnsafeSlow'].map((key) => new ValueSwap(`Buffer.${key}`, real, key, cleared));
}

/** What the host's libraries warn of (too many listeners) must not be printed by the host, at another time. */
function warningSwaps(): Swap[] {
  const real = host['process'] as Holder | undefined;
  return typeof real?.['emitWarning'] === 'function'
    ? [new ValueSwap('process.emitWarning', real, 'emitWarning', () => undefined)]
    : [];
}

/** All swaps of this host. Call it while nothing is swapped. */
export function swaps(trip: Trip): Swap[] {
  const made: Swap[] = [];
  const date = dateTripwire(trip);
  made.push(new ValueSwap('Date', host, 'Date', date));
  made.push(new ValueSwap('Date', Date.prototype as unknown as Holder, 'constructor', date));
  for (const name of CALLED) {
    if (name in host) made.push(new ValueSwap(name, host, name, tripwire(name, host[name], trip)));
  }
  for (const [route, holder, key] of MEMBERS) {
    const real = (holder as Holder | undefined)?.[key];
    if (real !== undefined)
      made.push(new ValueSwap(route, holder as Holder, key, tripwire(route, real, trip)));
  }
  for (const name of READ) {
    const get = (): never => trip(name, get);
    if (Object.hasOwn(host, name)) made.push(new AccessorSwap(name, host, name, get));
  }
  const events = host['Event'] as { prototype: object } | undefined;
  if (events !== undefined) {
    const get = (): never => trip('Event.timeStamp', get);
    made.push(new AccessorSwap('Event.timeStamp', events.prototype, 'timeStamp', get));
  }
  // The warnings come first: behind the swap of `process` they could not be reached.
  return [...warningSwaps(), ...bufferSwaps(), ...made];
}
