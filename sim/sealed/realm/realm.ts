/** Puts a realm together: all global names of the surface, for one instance, each made when it is first asked for. */
import { builtin } from '../builtins.js';
import { GLOBALS } from '../surface.js';
import { makeAbort, sharedAbortController } from './abort.js';
import type { AbortControllerClass } from './abort.js';
import { makeCompilers } from './compile.js';
import type { Lookup } from './compile.js';
import { makeConsole, plainFormat } from './console.js';
import type { Format } from './console.js';
import { makeWebcrypto } from './crypto.js';
import { makeDate, makeNow } from './date.js';
import { makeEvents } from './events.js';
import type { VirtualEvents } from './events.js';
import type { ReadOwnFile } from './fs.js';
import { makeGlobal } from './global.js';
import { makeIntl } from './intl.js';
import { makeAtomics, makeClone, makeQueueMicrotask, makeWebAssembly } from './odds.js';
import { makePerformance } from './performance.js';
import type { VirtualPerformance } from './performance.js';
import { makeProcess } from './process.js';
import type { VirtualProcess } from './process.js';
import { makeMath } from './random.js';
import type { Reach } from './reach.js';
import { refusal } from './refused.js';
import { makeRequire } from './require.js';
import type { AnyFunction, Seat } from './seat.js';
import { linkPromises, makeTimers } from './timers.js';
import type { VirtualTimers } from './timers.js';
import { makeTimersPromises } from './timers-promises.js';
import { SilentRegistry, StrongRef } from './weak.js';

type Members = Record<string, unknown>;

export interface RealmOptions {
  readonly readOwnFile: ReadOwnFile;
  /** Modules given by the run, by name without `node:`; they come before those of the surface. */
  readonly modules?: Readonly<Record<string, unknown>>;
}

/** What one process has for globals and modules. A program asks for few of them, so each is made on demand. */
export class Realm {
  #require: AnyFunction | null = null;
  #process: VirtualProcess | null = null;
  #events: VirtualEvents | null = null;
  #abort: ReturnType<typeof makeAbort> | null = null;
  #controller: AbortControllerClass | null = null;
  #timers: VirtualTimers | null = null;
  #promises: ReturnType<typeof makeTimersPromises> | null = null;
  #performance: VirtualPerformance | null = null;
  #console: ReturnType<typeof makeConsole> | null = null;
  #compilers: ReturnType<typeof makeCompilers> | null = null;
  /** Values of global names that are not part of a larger whole. */
  readonly #made = new Map<string, unknown>();

  constructor(
    readonly seat: Seat,
    readonly options: RealmOptions,
    /** What the program's text can reach. */
    readonly reach: Reach,
  ) {}

  /** The value of a virtual or refused global name. */
  readonly lookup: Lookup = (name) => {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const value = VALUES.get(name)?.(this);
    this.#made.set(name, value);
    return value;
  };

  get require(): AnyFunction {
    return (this.#require ??= makeRequire(this));
  }

  get process(): object {
    return (this.#process ??= makeProcess(this.seat, (name) => this.require(name) as unknown)).process;
  }

  get events(): VirtualEvents {
    return (this.#events ??= makeEvents(this.seat));
  }

  get abort(): ReturnType<typeof makeAbort> {
    return (this.#abort ??= makeAbort(this.seat, this.events.Event));
  }

  /** The class behind the program's own signals. */
  get AbortController(): AbortControllerClass {
    return (this.#controller ??= this.reach.sharesClasses
      ? sharedAbortController(this.seat)
      : this.abort.AbortController);
  }

  get timers(): VirtualTimers {
    if (this.#timers !== null) return this.#timers;
    this.#timers = makeTimers(this.seat);
    if (this.reach.promisifies) linkPromises(this.#timers, this.promises);
    return this.#timers;
  }

  get promises(): ReturnType<typeof makeTimersPromises> {
    return (this.#promises ??= makeTimersPromises(this.timers));
  }

  get performance(): VirtualPerformance {
    return (this.#performance ??= makePerformance(this.seat));
  }

  get console(): ReturnType<typeof makeConsole> {
    const util = builtin('util') as { format?: Format } | undefined;
    return (this.#console ??= makeConsole(this.seat, util?.format ?? plainFormat));
  }

  get compilers(): ReturnType<typeof makeCompilers> {
    return (this.#compilers ??= makeCompilers(this.lookup));
  }

  get webcrypto(): Members {
    return this.lookup('crypto') as Members;
  }

  /** Emits an event on the virtual process; true when the program listens. */
  tell(event: string, args: readonly unknown[]): boolean {
    return this.#process?.tell(event, args) ?? false;
  }

  /** Remembers the state after load; every reset comes back to it. */
  settle(): void {
    this.#process?.settle();
  }

  /** Puts listeners, environment, counters and the like back to how they were after load. */
  reset(): void {
    this.#process?.reset();
    const { resets } = this.seat;
    for (let index = 0; index < resets.length; index += 1) (resets[index] as () => void)();
  }
}

const VALUES = new Map<string, (realm: Realm) => unknown>(
  Object.entries({
    process: (realm) => realm.process,
    performance: (realm) => realm.performance,
    console: (realm) => realm.console,
    Date: ({ seat, reach }) => (reach.onlyReadsDate ? makeNow(seat) : makeDate(seat)),
    AbortController: (realm) => realm.AbortController,
    AbortSignal: (realm) => realm.abort.AbortSignal,
    WeakRef: () => StrongRef,
    FinalizationRegistry: () => SilentRegistry,
    queueMicrotask: ({ seat }) => makeQueueMicrotask(seat),
    structuredClone: (realm) => makeClone(realm.lookup('Date') as DateConstructor),
    crypto: ({ seat }) => makeWebcrypto(seat, () => (builtin('crypto') ?? {}) as Members),
    Math: ({ seat }) => makeMath(seat),
    Intl: ({ seat }) => makeIntl(seat),
    Atomics: ({ seat }) => makeAtomics(seat),
    WebAssembly: makeWebAssembly,
    Function: (realm) => realm.compilers.Function,
    eval: (realm) => realm.compilers.eval,
    globalThis: (realm) => makeGlobal(realm.lookup),
    global: (realm) => realm.lookup('globalThis'),
    self: (realm) => realm.lookup('globalThis'),
  } satisfies Record<string, (realm: Realm) => unknown>),
);
for (const name of [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
] as const)
  VALUES.set(name, (realm) => realm.timers[name]);
for (const name of ['Event', 'CustomEvent', 'EventTarget'] as const)
  VALUES.set(name, (realm) => realm.events[name]);
for (const [name, { how }] of Object.entries(GLOBALS))
  if (how === 'refused') VALUES.set(name, ({ seat }) => refusal(seat, name));
