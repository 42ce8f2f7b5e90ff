/**
 * Where a process gets its instance of the lock module, and a server its engine: a fresh one, or one that served in an
 * earlier run.
 */
import { freshEngine, keptEngines, type EngineName, type KeptEngines } from './redis/engines.js';
import type { KeyspaceFactory } from './redis/keyspace.js';
import type { LockBundle } from './sealed/bundle.js';
import { instantiate, type SealedInstance } from './sealed/instance.js';
import type { ProcessServices } from './sealed/services.js';

export interface Instances {
  readonly bundle: LockBundle;
  /** Builds the engines of a run's servers. The engine must be prepared. */
  engine(name: EngineName): KeyspaceFactory;
  /**
   * An instance that needs no loading, already bound to the process; null where there is none.
   * @param slot ordinal of the process in the scenario, from 0
   */
  keep(slot: number, services: ProcessServices): SealedInstance | null;
  /** A fresh instance: loads the module. */
  take(slot: number, services: ProcessServices): SealedInstance;
  /**
   * The slot's process ended in the middle of its work: what its module had put off for later (a queue that a library
   * drains by itself, say) is lost, and its state is not that of a program at rest.
   */
  spent(slot: number): void;
}

export class FreshInstances implements Instances {
  constructor(readonly bundle: LockBundle) {}

  engine(name: EngineName): KeyspaceFactory {
    return freshEngine(name);
  }

  keep(): null {
    return null;
  }

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
  /** The run in which each slot's instance was given out last. */
  private readonly taken: number[] = [];
  private run = 0;
  private readonly engines = new Map<EngineName, KeptEngines>();

  constructor(readonly bundle: LockBundle) {}

  /** A new run begins. */
  begin(): void {
    this.run++;
    for (const engines of this.engines.values()) engines.begin();
  }

  engine(name: EngineName): KeyspaceFactory {
    let engines = this.engines.get(name);
    if (engines === undefined) this.engines.set(name, (engines = keptEngines(name)));
    return engines.create;
  }

  keep(slot: number, services: ProcessServices): SealedInstance | null {
    const kept = this.kept[slot];
    if (kept === undefined || this.taken[slot] === this.run) return null;
    this.taken[slot] = this.run;
    kept.bind(services);
    return kept;
  }

  take(slot: number, services: ProcessServices): SealedInstance {
    if (this.taken[slot] === this.run) return instantiate(this.bundle, services);
    this.taken[slot] = this.run;
    return (this.kept[slot] = instantiate(this.bundle, services, { kept: true }));
  }

  spent(slot: number): void {
    this.kept[slot] = undefined;
  }
}
