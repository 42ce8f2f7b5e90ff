/** One node's picture of the cluster: who is there, who serves which slots, and by which epochs. */
import type { Member } from './member.js';
import { rangeOf, type SlotRange } from './slots.js';

export class View {
  /** The greatest epoch that this node has heard of. */
  currentEpoch: number;
  /** The epoch of the last election in which it voted. */
  lastVoteEpoch = 0;

  constructor(
    readonly ranges: readonly SlotRange[],
    readonly members: readonly Member[],
    readonly self: Member,
    /** Who serves each range; null: nobody that is known of. */
    readonly owners: (Member | null)[],
  ) {
    this.currentEpoch = members.length;
  }

  ownerOf(slot: number): Member | null {
    return this.owners[rangeOf(this.ranges, slot)]!;
  }

  rangesOf(member: Member): number[] {
    const found: number[] = [];
    for (const [index, owner] of this.owners.entries()) if (owner === member) found.push(index);
    return found;
  }

  replicasOf(member: Member): Member[] {
    return this.members.filter(({ master }) => master === member);
  }

  /** A master that serves slots: it votes, and it counts. */
  counts(member: Member): boolean {
    return member.master === null && this.owners.includes(member);
  }

  /** How many masters the cluster has. */
  get size(): number {
    let size = 0;
    for (const member of this.members) if (this.counts(member)) size++;
    return size;
  }

  get quorum(): number {
    return Math.floor(this.size / 2) + 1;
  }

  /** Whose slots this node is there for: its own or its master's. */
  get lead(): Member {
    return this.self.master ?? this.self;
  }

  /** `member` says that it replicates `master`: what it served is nobody's until somebody claims it. */
  demote(member: Member, master: Member): void {
    if (member.master === null) this.release(member);
    member.master = master;
  }

  private release(member: Member): void {
    for (const range of this.rangesOf(member)) this.owners[range] = null;
  }

  /**
   * `claimant` serves these ranges by its config epoch: the greater epoch has them. True when this node's master (or the node
   * itself) is left with nothing by it: it must follow the claimant.
   */
  claim(claimant: Member, epoch: number, ranges: readonly number[]): boolean {
    const { owners, lead } = this;
    let ours = false;
    for (const range of ranges) {
      const owner = owners[range]!;
      if (owner === claimant || (owner !== null && owner.configEpoch >= epoch)) continue;
      if (owner === lead) ours = true;
      owners[range] = claimant;
    }
    return ours && !owners.includes(lead);
  }

  /** Somebody who serves one of these ranges by a greater epoch than this. */
  better(sender: Member, epoch: number, ranges: readonly number[]): Member | null {
    for (const range of ranges) {
      const owner = this.owners[range]!;
      if (owner !== null && owner !== sender && owner.configEpoch > epoch) return owner;
    }
    return null;
  }

  /** This node takes its master's place and slots. */
  takeOver(): void {
    const { self } = this;
    const { master } = self;
    self.master = null;
    if (master === null) return;
    for (const range of this.rangesOf(master)) this.owners[range] = self;
  }
}
