/** From a lock module's path to something that can be run. Node only: it bundles. */
import type { LockDefinition } from '../src/contract.js';
import type { LockSource } from '../src/resolve.js';
import { inMacrotask } from './kernel/macrotask.js';
import { offerMock } from './redis/engines.js';
import { bundleLock, type LockBundle } from './sealed/bundle.js';
import { EscapeError, LockModuleError } from './sealed/errors.js';
import { describePlace } from './sealed/frames.js';
import { idleServices } from './sealed/idle.js';
import { instantiate } from './sealed/instance.js';
import { withRejections } from './sealed/rejections.js';
import { bundleOnWire } from './transport/wire/bundle.js';
import { offerWire } from './transport/wire/program.js';

/** A lock module that was bundled, before anything of it has run. */
export interface LockModule {
  readonly name: string;
  readonly bundle: LockBundle;
}

/** A lock module, bundled once; every process of every run instantiates the bundle. */
export interface LoadedLock extends LockModule {
  readonly servers: LockDefinition['servers'];
  readonly semaphore: boolean;
  /** The shape of the clients it wants. */
  readonly client: NonNullable<LockDefinition['client']>;
  /** Where it came from: it may be bundled again, with a client package. */
  readonly source: LockSource;
  /** The client package that is bundled with it; left out: none is. */
  readonly clientPackage?: string;
}

export interface LoadOptions {
  /** True: the compiler takes every script of the lock, and the interpreter, which takes its time to load, is left alone. */
  readonly compiles?: boolean;
  /** Makes what is called around the module's first load: a watchdog for a module that never gives way. */
  readonly watch?: (module: LockModule) => <T>(run: () => T) => T;
}

// Whoever has a lock to run got it here, so this is where the engine that has to be bundled as well is found.
offerMock(async () => (await import('./redis/mock/load.js')).bundleMock());

const wired = new Map<string, Promise<LockBundle>>();
offerWire(({ source }, clientPackage) => {
  const key = `${source.from}\n${source.entry}\n${source.name}\n${clientPackage}`;
  let bundle = wired.get(key);
  if (bundle === undefined) wired.set(key, (bundle = bundleOnWire(source, clientPackage)));
  return bundle;
});

const loaded = new Map<string, Promise<LoadedLock>>();

/**
 * Bundles a lock module and loads it once, so that what is wrong with it shows before anything runs; the same module is
 * bundled once. Rejects with LockModuleError.
 */
export function loadLock(source: LockSource, options: LoadOptions = {}): Promise<LoadedLock> {
  const key = `${source.from}\n${source.entry}\n${source.name}`;
  let lock = loaded.get(key);
  if (lock === undefined) loaded.set(key, (lock = load(source, options)));
  return lock;
}

async function load(source: LockSource, { watch, compiles }: LoadOptions): Promise<LoadedLock> {
  const { name, entry, from, npm } = source;
  // The interpreter takes its time to load: while esbuild works, nobody waits for it.
  const [bundle] = await Promise.all([
    bundleLock(entry, { from, npm }),
    compiles === true ? null : import('./redis/lua/fengari.js'),
  ]);
  const around = watch?.({ name, bundle }) ?? ((run) => run());
  const definition = await inMacrotask(() => around(() => tryOut(bundle)));
  const { servers, semaphore = false, client = 'ioredis' } = definition;
  return { name, bundle, servers, semaphore, client, source };
}

/** Loads the module for no run at all, to see what it exports. Rejections that it leaves are a matter of the runs. */
function tryOut(bundle: LockBundle): LockDefinition {
  const ignore = (): void => undefined;
  try {
    return withRejections(ignore, () => instantiate(bundle, idleServices()).definition);
  } catch (error) {
    if (!(error instanceof EscapeError)) throw error;
    const place = describePlace(bundle, error.stack);
    const where = place === null ? '' : ` (${place})`;
    throw new LockModuleError('escapes', `${bundle.entry} cannot be loaded: ${error.message}${where}`, {
      cause: error,
    });
  }
}
