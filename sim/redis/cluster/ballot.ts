/** A master's vote in the election of a replica. */
import type { Member } from './member.js';
import type { Header } from './messages.js';
import type { View } from './view.js';

/** No second vote for replicas of one master within so many node timeouts. */
const VOTE_GAP = 2;

export class Ballot {
  constructor(
    private readonly view: View,
    private readonly nodeTimeoutMs: number,
  ) {}

  /** Whether `candidate` gets the vote of this node, which then is cast. */
  cast(candidate: Member, header: Header, manual: boolean, nowMs: number): boolean {
    const { view } = this;
    if (!view.counts(view.self)) return false;
    if (header.currentEpoch < view.currentEpoch || view.lastVoteEpoch === view.currentEpoch) return false;
    const { master } = candidate;
    if (master === null || (master.standing !== 'failed' && !manual)) return false;
    if (nowMs - master.votedMs < this.nodeTimeoutMs * VOTE_GAP) return false;
    for (const range of header.ranges) {
      const owner = view.owners[range]!;
      if (owner !== null && owner.configEpoch > header.configEpoch) return false;
    }
    master.votedMs = nowMs;
    view.lastVoteEpoch = view.currentEpoch;
    return true;
  }
}
