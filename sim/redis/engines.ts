/**
 * The engines by name. `native` is part of the simulator; `ioredis-mock` is a package of the user's that must be bundled
 * first, which only Node can: so whoever can bundle offers to, and a run prepares what its scenario names.
 */
import type { LockBundle } from '../sealed/bundle.js';
import type { Scenario } from '../scenario/schema.js';
import type { KeyspaceFactory } from './keyspace.js';
import { freshMocks, KeptMocks } from './mock/engine.js';
import { createNativeKeyspace } from './native/keyspace.js';

export type EngineName = Scenario['servers']['engine'];

let bundler: (() => Promise<LockBundle>) | null = null;
let preparing: Promise<LockBundle> | null = null;
let bundle: LockBundle | null = null;

/** Lets {@link prepareEngine} bundle ioredis-mock. */
export function offerMock(bundleMock: () => Promise<LockBundle>): void {
  bundler = bundleMock;
}

/** Uses a bundle made elsewhere: in another process, say. */
export function provideMock(made: LockBundle): void {
  bundle = made;
}

/** The bundle that an engine runs from; null: it needs none, or is not prepared. */
export function engineBundle(engine: EngineName): LockBundle | null {
  return engine === 'native' ? null : bundle;
}

/**
 * Makes an engine ready for {@link freshEngine}. Idempotent.
 * Rejects with LockModuleError where ioredis-mock is not installed.
 */
export async function prepareEngine(engine: EngineName): Promise<void> {
  if (engine === 'native' || bundle !== null) return;
  if (bundler === null) throw new Error('the engine ioredis-mock is bundled by Node, and not here');
  preparing ??= bundler();
  try {
    bundle = await preparing;
  } catch (error) {
    preparing = null;
    throw error;
  }
}

/** @throws Error for an engine that was not prepared */
export function freshEngine(engine: EngineName): KeyspaceFactory {
  return engine === 'native' ? createNativeKeyspace : freshMocks(prepared());
}

/** Engines for many runs, one after another: what is expensive to load is kept. */
export interface KeptEngines {
  readonly create: KeyspaceFactory;
  /** A new run begins: the servers of the last are no more. */
  begin(): void;
}

/** @throws Error for an engine that was not prepared */
export function keptEngines(engine: EngineName): KeptEngines {
  return engine === 'native' ? { create: createNativeKeyspace, begin: () => {} } : new KeptMocks(prepared());
}

function prepared(): LockBundle {
  if (bundle === null)
    throw new Error('the engine ioredis-mock is not prepared: await prepareEngine() first');
  return bundle;
}
