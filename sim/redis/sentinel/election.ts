/** Agreement among the Sentinels of a master: is it down, and which of them leads the failover. */
import type { Reply } from '../keyspace.js';
import type { Master, OtherSentinel } from './master.js';
import type { SentinelServer } from './server.js';
import { ASK_PERIOD_MS } from './timing.js';

/**
 * Asks the others whether they find the master down, and for their votes while a failover of this Sentinel's own waits.
 * @param forced at once, however lately they were asked
 */
export function askOthers(master: Master, forced: boolean): void {
  const { sentinel } = master;
  const { nowMs } = sentinel;
  for (const other of master.sentinels.values()) {
    const ageMs = nowMs - other.answeredMs;
    if (ageMs > 5 * ASK_PERIOD_MS) {
      other.findsMasterDown = false;
      other.leader = null;
    }
    if (!master.subjectivelyDown || other.link.disconnected) continue;
    if (!forced && ageMs < ASK_PERIOD_MS) continue;
    const { host, port } = master.address;
    other.link.send(
      [
        'SENTINEL',
        'is-master-down-by-addr',
        host,
        String(port),
        String(sentinel.epoch),
        master.failingOver ? sentinel.runId : '*',
      ],
      (reply) => take(other, reply),
    );
  }
}

function take(other: OtherSentinel, reply: Reply): void {
  if (!Array.isArray(reply) || reply.length !== 3) return;
  const [down, leader, epoch] = reply as readonly Reply[];
  if (typeof down !== 'number' || typeof leader !== 'string' || typeof epoch !== 'number') return;
  other.answeredMs = other.sentinel.nowMs;
  other.findsMasterDown = down === 1;
  if (leader === '*') return;
  other.leader = leader;
  other.leaderEpoch = epoch;
}

/** One vote an epoch, for whoever asks first. Gives the vote that stands, and its epoch. */
export function vote(
  sentinel: SentinelServer,
  master: Master,
  epoch: number,
  candidate: string,
): readonly [string | null, number] {
  sentinel.adoptEpoch(epoch);
  if (master.leaderEpoch < epoch && sentinel.epoch <= epoch) {
    master.leader = candidate;
    master.leaderEpoch = sentinel.epoch;
    sentinel.event('+vote-for-leader', null, `${candidate} ${master.leaderEpoch}`);
    // Whoever has voted for another leaves it the time to do its work.
    if (candidate !== sentinel.runId) master.failoverStartMs = sentinel.nowMs + sentinel.desynchronisation();
  }
  return [master.leader, master.leaderEpoch];
}

/** Who leads the failover of this epoch: a majority of all that are known and at least the quorum voted for it. */
export function leaderOf(sentinel: SentinelServer, master: Master, epoch: number): string | null {
  const votes = new Map<string, number>();
  for (const { leader, leaderEpoch } of master.sentinels.values())
    if (leader !== null && leaderEpoch === sentinel.epoch) votes.set(leader, (votes.get(leader) ?? 0) + 1);
  const [own, ownEpoch] = vote(sentinel, master, epoch, most(votes) ?? sentinel.runId);
  if (own !== null && ownEpoch === epoch) votes.set(own, (votes.get(own) ?? 0) + 1);
  const winner = most(votes);
  if (winner === null) return null;
  const needed = Math.max(Math.floor((master.sentinels.size + 1) / 2) + 1, master.quorum);
  return votes.get(winner)! >= needed ? winner : null;
}

function most(votes: ReadonlyMap<string, number>): string | null {
  let winner: string | null = null;
  let count = 0;
  for (const [candidate, number] of votes) {
    if (number <= count) continue;
    winner = candidate;
    count = number;
  }
  return winner;
}
