/** Where a process gets its instance of the lock module: a fresh one, or one that served the slot in an earlier run. */
import type { LockBundle } from './sealed/bundle.js';
import { instantiate, type SealedInstance } from './sealed/instance.js';
import type { ProcessServices } from './sealed/services.js';

export interface Instances {
  /** @param slot ordinal of the process in the scenario, from 0 */
  take(slot: number, services: ProcessServices): SealedInstance;
}

export class FreshInstances implements Instances {
  constructor(private readonly bundle: LockBundle) {}

  take(_slot: number, services: ProcessServices): SealedInstance {
    return instantiate(this.bundle, services);
  }
}

/** Keeps one instance for each slot; a process that restarts within a run gets a fresh one. */
export class ReusedInstances implements Instances {
  private readonly kept: SealedInstance[] = [];
  private readonly taken = new Set<number>();

  constructor(private readonly bundle: LockBundle) {}

  /** A new run begins. */
  begin(): void {
    this.taken.clear();
  }

  take(slot: number, services: ProcessServices): SealedInstance {
    const kept = this.kept[slot];
    if (this.taken.has(slot)) return instantiate(this.bundle, services);
    this.taken.add(slot);
    if (kept === undefined) return (this.kept[slot] = instantiate(this.bundle, services));
    kept.bind(services);
    return kept;
  }
}
