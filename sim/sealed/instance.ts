/** Makes a sealed instance of a lock module for one process. Runs wherever JavaScript runs. */
import type { LockDefinition } from '../../src/contract.js';
import { drainMicrotasks } from '../kernel/drain.js';
import type { LockBundle } from './bundle.js';
import { EscapeError, LockModuleError } from './errors.js';
import { describePlace } from './frames.js';
import { withGuard } from './guard.js';
import { ownFileReader } from './own-files.js';
import { checkBuiltIns, rememberBuiltIns } from './built-ins.js';
import { compileModule } from './realm/compile.js';
import type { Factory } from './realm/compile.js';
import type { ReadOwnFile } from './realm/fs.js';
import { reachOf } from './realm/reach.js';
import type { Reach } from './realm/reach.js';
import { Realm } from './realm/realm.js';
import type { AnyFunction, Seat } from './realm/seat.js';
import type { ProcessServices } from './services.js';

/** What the companion of a lock module exports: makes the clients of one task. */
export type OpenClients = (plan: unknown) => readonly unknown[];

export interface SealedInstance {
  readonly definition: LockDefinition;
  readonly bundle: LockBundle;
  /** Makes the lock's clients from a package that was bundled with it; null: there is none. */
  readonly openClients: OpenClients | null;
  /** The realm's own class: signals handed to the lock must come from it. */
  readonly AbortController: Realm['AbortController'];
  /**
   * Emits an event on the program's `process` (`unhandledRejection`, `exit`, a signal's name); true when it listens.
   */
  tell(event: string, ...args: readonly unknown[]): boolean;
  /**
   * Moves the instance to another run of its process slot: clocks, timers, random streams and output are the new
   * services' from here on; listeners, environment and counters of the realm are as after load. What the program itself
   * keeps in its modules stays.
   */
  bind(services: ProcessServices): void;
}

export interface InstanceOptions {
  /** Modules given by the run by name without `node:` (simulated sockets, for instance). */
  readonly modules?: Readonly<Record<string, unknown>>;
  /** How a module that awaits at its top level is brought to rest; by default the synchronous drain. */
  readonly drain?: () => void;
  /**
   * The instance is kept for many runs: its code is compiled apart from that of instances used once. Every instance
   * brings classes of its own, and V8 gives up on code that has met objects of too many.
   */
  readonly kept?: boolean;
}

interface Compiled {
  /** A first load left all built-ins alone: the next ones will too. */
  leavesBuiltIns: boolean;
  /** For instances used once; see {@link ONE_COMPILATION_SERVES}. */
  factory: Factory;
  /** How many instances came from {@link factory}, and how often the program was compiled for them. */
  served: number;
  compilations: number;
  /** The same program, compiled again for instances that are kept. */
  keptFactory: Factory | null;
  readonly readOwnFile: ReadOwnFile;
  readonly reach: Reach;
}

const cache = new Map<string, Compiled>();
const ofBundle = new WeakMap<LockBundle, Compiled>();

function compiledOf(bundle: LockBundle): Compiled {
  let compiled = ofBundle.get(bundle);
  if (compiled === undefined) ofBundle.set(bundle, (compiled = compiledOfContent(bundle)));
  return compiled;
}

/** Compiles once for each content and thread. */
function compiledOfContent(bundle: LockBundle): Compiled {
  const key = `${bundle.hash} ${JSON.stringify(bundle.roots)}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made: Compiled = {
    leavesBuiltIns: false,
    served: 0,
    compilations: 1,
    factory: compileModule(bundle.source, `sealed/${bundle.entry}`, bundle.isAsync),
    keptFactory: null,
    readOwnFile: ownFileReader(bundle.roots),
    reach: reachOf(bundle.source),
  };
  cache.set(key, made);
  return made;
}

/**
 * Instances of one compilation share what V8 has learned of its code, and each brings classes of its own: after some
 * hundreds the optimising compiler spends seconds on what it has learned.
 */
const ONE_COMPILATION_SERVES = 96;

function factoryOf(compiled: Compiled, { source, entry, isAsync }: LockBundle): Factory {
  if (compiled.served++ === ONE_COMPILATION_SERVES) {
    const text = `${source}\n// ${compiled.compilations++}`;
    compiled.factory = compileModule(text, `sealed/${entry}`, isAsync);
    compiled.served = 1;
  }
  return compiled.factory;
}

/** A text that differs: V8 remembers what it learned of code by its text. */
function keptFactoryOf(compiled: Compiled, { source, entry, isAsync }: LockBundle): Factory {
  return (compiled.keptFactory ??= compileModule(`${source}\n// kept`, `sealed/${entry}`, isAsync));
}

/**
 * Loads the module in a realm of its own. A module that awaits at its top level is drained within the call, so then
 * the call must come from a macrotask.
 * @throws LockModuleError when the module throws while loading, exports no lock, or changes a built-in.
 * @throws EscapeError when it tries to leave the simulation while loading.
 */
export function instantiate(
  bundle: LockBundle,
  services: ProcessServices,
  options: InstanceOptions = {},
): SealedInstance {
  const compiled = compiledOf(bundle);
  const seat: Seat = { services, keepContext: null, resets: [] };
  const realm = new Realm(
    seat,
    { readOwnFile: compiled.readOwnFile, modules: options.modules },
    compiled.reach,
  );
  if (!compiled.leavesBuiltIns) rememberBuiltIns();
  const factory = options.kept === true ? keptFactoryOf(compiled, bundle) : factoryOf(compiled, bundle);
  const exports = withGuard(
    () => load(bundle, factory, realm, options.drain ?? drainMicrotasks),
    (error) => services.escaped(error),
  );
  if (!compiled.leavesBuiltIns) compiled.leavesBuiltIns = leftBuiltIns(bundle, services);
  realm.settle();
  const openClients = member(exports, 'openClients');
  return {
    definition: definitionOf(bundle, openClients === undefined ? exports : member(exports, 'lock')),
    bundle,
    openClients: typeof openClients === 'function' ? (openClients as OpenClients) : null,
    AbortController: realm.AbortController,
    tell: (event, ...args) => realm.tell(event, args),
    bind(next) {
      seat.services = next;
      realm.reset();
    },
  };
}

/** True when the load touched no built-in at all. */
function leftBuiltIns(bundle: LockBundle, services: ProcessServices): boolean {
  const { changed, untouched } = checkBuiltIns();
  if (changed === null) return untouched;
  const error = new LockModuleError(
    'changes-built-ins',
    `${bundle.entry} changes a built-in while loading: ${changed}`,
  );
  services.escaped(error);
  throw error;
}

interface CommonModule {
  exports: unknown;
}

function load(bundle: LockBundle, factory: Factory, realm: Realm, drain: () => void): unknown {
  const module: CommonModule = { exports: {} };
  try {
    const run = factory(realm.lookup) as AnyFunction;
    const result: unknown = run.call(module.exports, module, module.exports, realm.require, realm.require);
    return bundle.isAsync ? awaited(bundle, result as Promise<unknown>, drain) : module.exports;
  } catch (error) {
    if (error instanceof EscapeError || error instanceof LockModuleError) throw error;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const place = error instanceof Error ? describePlace(bundle, error.stack) : null;
    const where = place === null ? '' : ` (${place})`;
    throw new LockModuleError('throws', `${bundle.entry} throws while loading: ${text}${where}`, {
      cause: error,
    });
  }
}

function awaited(bundle: LockBundle, promise: Promise<unknown>, drain: () => void): unknown {
  let outcome: { value: unknown } | { error: unknown } | null = null;
  promise.then(
    (value) => (outcome = { value }),
    (error: unknown) => (outcome = { error }),
  );
  drain();
  const settled = outcome as { value: unknown } | { error: unknown } | null;
  if (settled === null) {
    throw new LockModuleError(
      'never-loads',
      `${bundle.entry} awaits at its top level something that takes time: a lock module must load without waiting`,
    );
  }
  if ('error' in settled) throw settled.error;
  return settled.value;
}

/** The definition among a module's exports: `default`, or the exports themselves. */
function definitionOf(bundle: LockBundle, exports: unknown): LockDefinition {
  const candidates = [exports, member(exports, 'default'), member(member(exports, 'default'), 'default')];
  const found = candidates.find((candidate) => typeof member(candidate, 'connect') === 'function');
  if (found === undefined) {
    const names = exports !== null && typeof exports === 'object' ? Object.keys(exports) : [];
    const seen = names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`;
    throw new LockModuleError(
      'no-lock',
      `${bundle.entry} exports no lock: its default export must be defineLock({ name, servers, connect }); ${seen}`,
    );
  }
  const { name, servers } = found as Partial<LockDefinition>;
  if (typeof name !== 'string' || name === '') {
    throw new LockModuleError(
      'no-lock',
      `${bundle.entry}: the lock's name must be a string that is not empty`,
    );
  }
  if (servers !== 1 && servers !== 'many') {
    throw new LockModuleError('no-lock', `${bundle.entry}: the lock's servers must be 1 or 'many'`);
  }
  return found as LockDefinition;
}

function member(value: unknown, name: string): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
