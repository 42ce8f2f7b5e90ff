/** Where a process gets its instance of the lock module: a fresh one, or one that served the slot in an earlier run. */
import type { LockBundle } from './sealed/bundle.js';
import { instantiate, type SealedInstance } from './sealed/instance.js';
import type { ProcessServices } from './sealed/services.js';

export interface Instances {
  /** @param slot ordinal of the process in the scenario, from 0 */
  take(slot: number, services: ProcessServices): SealedInstance;
  /**
   * The slot's process ended in the middle of its work: what its module had put off for later (a queue that a library
   * drains by itself, say) is lost, and its state is not that of a program at rest.
   */
  spent(slot: number): void;
}

export class FreshInstances implements Instances {
  constructor(private readonly bundle: LockBundle) {}

  take(_slot: number, services: ProcessServices): SealedInstance {
    return instantiate(this.bundle, services);
  }

  spent(): void {}
}

/**
 * Keeps one instance for each slot; a process that restarts within a run gets a fresh one, and so does the next run
 * after a crash.
 */
export class ReusedInstances implements Instances {
  private readonly kept: (SealedInstance | undefined)[] = [];
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

  spent(slot: number): void {
    this.kept[slot] = undefined;
  }
}
