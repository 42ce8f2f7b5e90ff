/** From a lock module's path to something that can be run. Node only: it bundles. */
import type { LockDefinition } from '../src/contract.js';
import type { LockSource } from '../src/resolve.js';
import { bundleLock, type LockBundle } from './sealed/bundle.js';

/** A lock module, bundled once; every process of every run instantiates the bundle. */
export interface LoadedLock {
  readonly name: string;
  readonly bundle: LockBundle;
  readonly servers: LockDefinition['servers'];
}

const loaded = new Map<string, Promise<LoadedLock>>();

/** Bundles a lock module; the same module is bundled once. Rejects with what is wrong with it. */
export function loadLock(source: LockSource): Promise<LoadedLock> {
  const key = `${source.from}\n${source.entry}\n${source.name}`;
  let lock = loaded.get(key);
  if (lock === undefined) loaded.set(key, (lock = load(source)));
  return lock;
}

async function load({ name, entry, from, npm }: LockSource): Promise<LoadedLock> {
  // The interpreter takes its time to load: while esbuild works, nobody waits for it.
  const [bundle] = await Promise.all([bundleLock(entry, { from, npm }), import('./redis/lua/fengari.js')]);
  return { name, bundle, servers: 'many' };
}
