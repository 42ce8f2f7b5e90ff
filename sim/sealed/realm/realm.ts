/** Puts a realm together: all names of the surface, for one instance. */
import { builtin } from '../builtins.js';
import { GLOBALS, MODULES } from '../surface.js';
import { makeAbort } from './abort.js';
import { makeCompilers } from './compile.js';
import { makeConsole, plainFormat } from './console.js';
import type { Format } from './console.js';
import { makeCrypto } from './crypto.js';
import { makeDate } from './date.js';
import { makeEvents } from './events.js';
import { makeFs } from './fs.js';
import type { ReadOwnFile } from './fs.js';
import { makeGlobal } from './global.js';
import { makeIntl } from './intl.js';
import { makeAtomics, makeClone, makeQueueMicrotask, makeWebAssembly } from './odds.js';
import { makeAsyncHooks, makeDiagnosticsChannel, makeOs, makeTty, makeUtil, makeZlib } from './modules.js';
import { makePerfHooks, makePerformance } from './performance.js';
import { makeProcess } from './process.js';
import { makeMath } from './random.js';
import { refusal, refusedModule } from './refused.js';
import { makeModuleModule, makeRequire } from './require.js';
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

const host = (name: string): Members => (builtin(name) ?? {}) as Members;

/** Shallow copies: what one process writes on a module's object, no other sees. */
function passedModules(): Record<string, () => unknown> {
  const makers: Record<string, () => unknown> = {};
  for (const [name, entry] of Object.entries(MODULES)) {
    if (entry.how !== 'passed' || builtin(name) === undefined) continue;
    makers[name] = () => {
      const real = builtin(name);
      return typeof real === 'object' ? { ...real } : real;
    };
  }
  return makers;
}

export function makeRealm(seat: Seat, options: RealmOptions): Realm {
  const makers: Record<string, () => unknown> = passedModules();
  const require = makeRequire(makers);
  const { process, emitter, env } = makeProcess(seat, require);
  const events = makeEvents(seat);
  const abort = makeAbort(seat, events.Event);
  const timers = makeTimers(seat);
  const promises = makeTimersPromises(timers);
  linkPromises(timers, promises);
  const performance = makePerformance(seat);
  const crypto = makeCrypto(seat, host('crypto'));
  const console = makeConsole(seat, (host('util')['format'] as Format | undefined) ?? plainFormat);
  const VirtualDate = makeDate(seat);

  const values: Members = {
    ...timers,
    ...events,
    ...abort,
    process,
    performance,
    console,
    Date: VirtualDate,
    Math: makeMath(seat),
    crypto: crypto.webcrypto,
    Intl: makeIntl(seat),
    WeakRef: StrongRef,
    FinalizationRegistry: SilentRegistry,
    queueMicrotask: makeQueueMicrotask(seat),
    structuredClone: makeClone(VirtualDate),
    Atomics: makeAtomics(seat),
    WebAssembly: makeWebAssembly(),
  };
  for (const [name, entry] of Object.entries(GLOBALS)) {
    if (entry.how === 'refused') values[name] = refusal(seat, name);
  }
  Object.assign(values, makeCompilers(values));
  makeGlobal(values);

  const fs = makeFs(seat, options.readOwnFile);
  Object.assign(makers, {
    async_hooks: () => makeAsyncHooks(seat, host('async_hooks') as never),
    console: () => console,
    crypto: () => crypto.module,
    diagnostics_channel: makeDiagnosticsChannel,
    fs: () => fs,
    'fs/promises': () => fs['promises'],
    module: () => makeModuleModule(require),
    os: () => makeOs(seat),
    perf_hooks: () => makePerfHooks(performance),
    process: () => process,
    timers: () => ({ ...timers, promises }),
    'timers/promises': () => promises,
    tty: () => makeTty(seat),
    util: () => makeUtil(seat, host('util')),
    zlib: () => makeZlib(seat, host('zlib')),
  });
  for (const [name, entry] of Object.entries(MODULES)) {
    if (entry.how === 'refused') makers[name] = () => refusedModule(seat, name, builtin);
  }
  for (const [name, module] of Object.entries(options.modules ?? {})) makers[name] = () => module;

  let listeners = emitter.snapshot();
  let environment = { ...env };
  return {
    seat,
    values,
    require,
    AbortController: abort.AbortController,
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
