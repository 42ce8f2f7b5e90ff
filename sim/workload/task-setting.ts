import type { TaskOwner } from '../host/owner.js';
import type { Process, ProcessContext } from '../host/process.js';
import type { SealedInstance } from '../sealed/instance.js';
import type { StorageClient } from '../storage/storage.js';
import type { ProcessPlan } from './plan.js';

/** What a task works with. */
export interface TaskSetting {
  readonly process: Process;
  readonly context: ProcessContext;
  readonly plan: ProcessPlan;
  readonly owner: TaskOwner;
  readonly storage: StorageClient;
  /** The sealed realm's own, so that a signal looks native to the lock. */
  readonly AbortController: SealedInstance['AbortController'];
  readonly renews: boolean;
  readonly counter: { nextUse: number };
}
