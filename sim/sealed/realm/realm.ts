/** Puts a realm together: all global names of the surface, for one instance. */
import { builtin } from '../builtins.js';
import { GLOBALS } from '../surface.js';
import { makeAbort } from './abort.js';
import { makeCompilers } from './compile.js';
import { makeConsole, plainFormat } from './console.js';
import type { Format } from './console.js';
import { makeWebcrypto } from './crypto.js';
import { makeDate } from './date.js';
import { makeEvents } from './events.js';
import type { ReadOwnFile } from './fs.js';
import { makeGlobal } from './global.js';
import { makeIntl } from './intl.js';
import { lazily } from './lazy.js';
import { moduleMakers } from './module-table.js';
import { makeAtomics, makeClone, makeQueueMicrotask, makeWebAssembly } from './odds.js';
import { makePerformance } from './performance.js';
import { makeProcess } from './process.js';
import { makeMath } from './random.js';
import { refusal } from './refused.js';
import { makeRequire } from './require.js';
import type { AnyFunction, Seat } from './seat.js';
import { linkPromises, makeTimers } from './timers.js';
import { makeTimersPromises } from './timers-promises.js';
import { SilentRegistry, StrongRef } from './weak.js';

type Members = Record<string, unknown>;

export interface Realm {
  readonly seat: Seat;
  /** Values of all virtual and refused global names. */
  readonly values: Members;
  readonly require: AnyFunction;
  readonly AbortController: ReturnType<typeof makeAbort>['AbortController'];
  /** Emits an event on the virtual process; true when the program listens. */
  tell(event: string, args: readonly unknown[]): boolean;
  /** Remembers the state after load; every reset comes back to it. */
  settle(): void;
  /** Puts listeners, environment, counters and the like back to how they were after load. */
  reset(): void;
}

export interface RealmOptions {
  readonly readOwnFile: ReadOwnFile;
  /** Modules given by the run, by name without `node:`; they come before those of the surface. */
  readonly modules?: Readonly<Record<string, unknown>>;
}

const REFUSED = Object.keys(GLOBALS).filter((name) => GLOBALS[name]?.how === 'refused');

/** What programs seldom touch is made when they do. */
function addLazies(values: Members, seat: Seat): void {
  lazily(values, 'Math', () => makeMath(seat));
  lazily(values, 'Intl', () => makeIntl(seat));
  lazily(values, 'Atomics', () => makeAtomics(seat));
  lazily(values, 'WebAssembly', makeWebAssembly);
  lazily(values, 'structuredClone', () => makeClone(values['Date'] as DateConstructor));
  for (const name of REFUSED) lazily(values, name, () => refusal(seat, name));
  const compilers = makeCompilers(values);
  values['Function'] = compilers.Function;
  values['eval'] = compilers.eval;
  let made: object | null = null;
  for (const name of ['globalThis', 'global', 'self'])
    lazily(values, name, () => (made ??= makeGlobal(values)));
}

export function makeRealm(seat: Seat, options: RealmOptions): Realm {
  const makers: Record<string, () => unknown> = {};
  const require = makeRequire(makers);
  const { process, emitter, env } = makeProcess(seat, require);
  const events = makeEvents(seat);
  const abort = makeAbort(seat, events.Event);
  const timers = makeTimers(seat);
  const promises = makeTimersPromises(timers);
  linkPromises(timers, promises);
  const performance = makePerformance(seat);
  const console = makeConsole(
    seat,
    ((builtin('util') as Members | undefined)?.['format'] as Format) ?? plainFormat,
  );
  const nodeCrypto = (): Members => (builtin('crypto') ?? {}) as Members;

  const values: Members = {
    ...timers,
    ...events,
    ...abort,
    process,
    performance,
    console,
    Date: makeDate(seat),
    WeakRef: StrongRef,
    FinalizationRegistry: SilentRegistry,
    queueMicrotask: makeQueueMicrotask(seat),
  };
  lazily(values, 'crypto', () => makeWebcrypto(seat, nodeCrypto));
  addLazies(values, seat);
  const webcrypto = (): Members => values['crypto'] as Members;
  const parts = { seat, options, require, process, performance, console, timers, promises, webcrypto };
  Object.assign(makers, moduleMakers(parts));

  let listeners = emitter.snapshot();
  let environment = { ...env };
  return {
    seat,
    values,
    require,
    AbortController: abort.AbortController,
    tell: (event, args) => emitter.emit(process, event, args),
    settle() {
      listeners = emitter.snapshot();
      environment = { ...env };
    },
    reset() {
      emitter.restore(listeners);
      for (const name of Object.keys(env)) delete env[name];
      Object.assign(env, environment);
      for (const reset of seat.resets) reset();
    },
  };
}
