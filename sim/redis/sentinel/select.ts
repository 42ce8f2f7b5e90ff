/** Which replica to promote. */
import type { Master, Replica } from './master.js';
import { INFO_PERIOD_MS, PING_PERIOD_MS } from './timing.js';

/** The one of the best priority, then of the most data, then of the least run id, among those that are fit. */
export function selectReplica(master: Master): Replica | null {
  let best: Replica | null = null;
  for (const replica of master.replicas.values())
    if (isFit(replica) && (best === null || isBetter(replica, best))) best = replica;
  return best;
}

function isFit(replica: Replica): boolean {
  const { master, link } = replica;
  const { nowMs } = replica.sentinel;
  if (replica.subjectivelyDown || link.disconnected || replica.priority === 0) return false;
  if (nowMs - link.availableMs > 5 * PING_PERIOD_MS) return false;
  const oldestInfoMs = master.subjectivelyDown ? 5 * PING_PERIOD_MS : 3 * INFO_PERIOD_MS;
  if (nowMs - replica.infoMs > oldestInfoMs) return false;
  // It may have lost its master when the master went down; long before that, its data are too old.
  const downMs = master.subjectivelyDown ? nowMs - master.downSinceMs : 0;
  return replica.masterLinkDownMs <= downMs + 10 * master.downAfterMs;
}

function isBetter(one: Replica, other: Replica): boolean {
  if (one.priority !== other.priority) return one.priority < other.priority;
  if (one.offset !== other.offset) return one.offset > other.offset;
  if (one.runId === null || other.runId === null) return one.runId !== null;
  return one.runId < other.runId;
}
