/** One round of a Sentinel's timer for one master and all that belongs to it. */
import { askOthers } from './election.js';
import { advance, startIfNeeded } from './failover.js';
import type { Instance } from './instance.js';
import type { Master } from './master.js';

export function handle(master: Master): void {
  const { sentinel } = master;
  if (look(master)) {
    master.checkObjectivelyDown();
    startIfNeeded(master);
    advance(master);
    askOthers(master, false);
  }
  for (const replica of master.replicas.values()) look(replica);
  for (const other of master.sentinels.values()) look(other);
  const { promoted } = master;
  if (master.state === 'update-config' && promoted !== null) sentinel.switchMaster(master, promoted.address);
}

/** Keeps the instance in sight; false where this Sentinel may not judge at present. */
function look(instance: Instance): boolean {
  instance.keepInSight();
  if (!instance.sentinel.mayAct()) return false;
  instance.checkSubjectivelyDown();
  return true;
}
