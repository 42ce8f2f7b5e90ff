/** Failure detection: a node suspects by itself, masters tell each other, and a majority of them makes it a failure. */
import type { Member } from './member.js';
import type { View } from './view.js';

/** What a master told of another node counts for so many node timeouts. */
const REPORT_VALIDITY = 2;
/** A failed master whose slots nobody took is a member again after so many node timeouts. */
const UNDO_TIME = 2;

export class Failures {
  constructor(
    private readonly view: View,
    private readonly nodeTimeoutMs: number,
  ) {}

  /** True when the node has been silent for too long and was not suspected before. */
  suspect(member: Member, nowMs: number): boolean {
    if (member.pingSentMs === 0) return false;
    const silentMs = Math.min(nowMs - member.pingSentMs, nowMs - member.heardMs);
    if (silentMs <= this.nodeTimeoutMs || member.standing !== 'well') return false;
    member.standing = 'suspected';
    return true;
  }

  /** A master says how it finds another node. True when that makes a failure of it, which all should hear of. */
  reported(member: Member, reporter: Member, failing: boolean, nowMs: number): boolean {
    if (!failing) {
      this.discardOld(member, nowMs);
      member.reports.delete(reporter);
      return false;
    }
    member.reports.set(reporter, nowMs);
    return this.judge(member, nowMs);
  }

  private judge(member: Member, nowMs: number): boolean {
    if (member.standing !== 'suspected') return false;
    this.discardOld(member, nowMs);
    const own = this.view.self.master === null ? 1 : 0;
    if (member.reports.size + own < this.view.quorum) return false;
    this.failed(member, nowMs);
    return true;
  }

  hasReports(member: Member, nowMs: number): boolean {
    this.discardOld(member, nowMs);
    return member.reports.size > 0;
  }

  private discardOld(member: Member, nowMs: number): void {
    const oldestMs = nowMs - this.nodeTimeoutMs * REPORT_VALIDITY;
    for (const [reporter, atMs] of member.reports) if (atMs < oldestMs) member.reports.delete(reporter);
  }

  failed(member: Member, nowMs: number): void {
    member.standing = 'failed';
    member.failedMs = nowMs;
  }

  /** It answered. True when its standing is better now. */
  answered(member: Member, nowMs: number): boolean {
    if (member.standing === 'well') return false;
    if (member.standing === 'failed' && this.view.counts(member)) {
      // A master that failed with its slots: time enough for a replica to take its place.
      if (nowMs - member.failedMs <= this.nodeTimeoutMs * UNDO_TIME) return false;
    }
    member.standing = 'well';
    return true;
  }
}
