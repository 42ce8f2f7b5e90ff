/** How each module of the surface is made, for one realm; nothing is made before the program asks. */
import { builtin } from '../builtins.js';
import { MODULES } from '../surface.js';
import { makeCrypto } from './crypto.js';
import { makeFs } from './fs.js';
import { makeAsyncHooks, makeDiagnosticsChannel, makeOs, makeTty, makeUtil, makeZlib } from './modules.js';
import { makePerfHooks } from './performance.js';
import type { VirtualPerformance } from './performance.js';
import type { RealmOptions } from './realm.js';
import { refusedModule } from './refused.js';
import { makeModuleModule } from './require.js';
import type { AnyFunction, Seat } from './seat.js';
import type { makeTimersPromises } from './timers-promises.js';
import type { VirtualTimers } from './timers.js';

type Make = () => unknown;
type Members = Record<string, unknown>;

/** What a realm already has, and its modules share with its globals. */
export interface Parts {
  readonly seat: Seat;
  readonly options: RealmOptions;
  readonly require: AnyFunction;
  readonly process: unknown;
  readonly performance: VirtualPerformance;
  readonly console: unknown;
  readonly timers: VirtualTimers;
  readonly promises: ReturnType<typeof makeTimersPromises>;
  readonly webcrypto: () => Members;
}

const host = (name: string): Members => (builtin(name) ?? {}) as Members;

/** A shallow copy: what one process writes on a module's object, no other sees. */
function passedModule(name: string): unknown {
  const real = builtin(name);
  return typeof real === 'object' ? { ...real } : real;
}

function virtualMakers(parts: Parts): Record<string, Make> {
  const { seat, options, require, process, performance, console, timers, promises, webcrypto } = parts;
  let fs: Members | null = null;
  const madeFs = (): Members => (fs ??= makeFs(seat, options.readOwnFile));
  return {
    async_hooks: () => makeAsyncHooks(seat, host('async_hooks') as never),
    console: () => console,
    crypto: () => makeCrypto(seat, host('crypto'), webcrypto()),
    diagnostics_channel: makeDiagnosticsChannel,
    fs: madeFs,
    'fs/promises': () => madeFs()['promises'],
    module: () => makeModuleModule(require),
    os: () => makeOs(seat),
    perf_hooks: () => makePerfHooks(performance),
    process: () => process,
    timers: () => ({ ...timers, promises }),
    'timers/promises': () => promises,
    tty: () => makeTty(seat),
    util: () => makeUtil(seat, host('util')),
    zlib: () => makeZlib(seat, host('zlib')),
  };
}

const named = (how: string): string[] => Object.keys(MODULES).filter((name) => MODULES[name]?.how === how);
const PASSED = named('passed');
const REFUSED = named('refused');

/** Makers by module name without `node:`. A passed module that this host does not have is not there. */
export function moduleMakers(parts: Parts): Record<string, Make> {
  const makers: Record<string, Make> = virtualMakers(parts);
  for (const name of PASSED) if (builtin(name) !== undefined) makers[name] = () => passedModule(name);
  for (const name of REFUSED) makers[name] = () => refusedModule(parts.seat, name, builtin);
  for (const [name, module] of Object.entries(parts.options.modules ?? {})) makers[name] = () => module;
  return makers;
}
