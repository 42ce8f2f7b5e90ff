/** A lock together with a real client package: bundled where there is a bundler, once for each pair. */
import type { LoadedLock } from '../../load.js';
import type { Scenario } from '../../scenario/schema.js';
import type { LockBundle } from '../../sealed/bundle.js';

/** Bundles a lock with the package that makes its clients. */
export type WireBundler = (lock: LoadedLock, clientPackage: string) => Promise<LockBundle>;

let bundler: WireBundler | null = null;

/** Lets {@link lockFor} bundle. */
export function offerWire(bundle: WireBundler): void {
  bundler = bundle;
}

/**
 * The lock as a scenario's transport wants it: on the wire, sealed together with the client package. Idempotent.
 * Rejects with LockModuleError where the package is not installed.
 */
export async function lockFor(scenario: Scenario, lock: LoadedLock): Promise<LoadedLock> {
  const { transport, clientPackage } = scenario.processes;
  const wanted = transport === 'wire' ? clientPackage : null;
  if (wanted === (lock.clientPackage ?? null)) return lock;
  if (wanted === null)
    throw new Error(`${lock.name} was bundled for the wire, and the scenario is not on it`);
  if (bundler === null) throw new Error('real clients are bundled by Node, and not here');
  return { ...lock, bundle: await bundler(lock, wanted), clientPackage: wanted };
}
