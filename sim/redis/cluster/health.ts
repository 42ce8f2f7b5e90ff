/** Whether a node holds the cluster to be in order: it answers CLUSTERDOWN while it does not. */
import type { View } from './view.js';

/** A master that starts waits so long before it serves, so that it hears first whether it was replaced. */
const WRITABLE_DELAY_MS = 2000;
const LEAST_REJOIN_DELAY_MS = 500;
const LONGEST_REJOIN_DELAY_MS = 5000;

export class Health {
  ok = true;
  private startedMs = -Infinity;
  private minorityMs = -Infinity;
  /** A master that was in the minority waits so long before it serves again. */
  private readonly rejoinDelayMs: number;

  constructor(
    private readonly view: View,
    nodeTimeoutMs: number,
    private readonly requireFullCoverage: boolean,
  ) {
    this.rejoinDelayMs = Math.min(Math.max(nodeTimeoutMs, LEAST_REJOIN_DELAY_MS), LONGEST_REJOIN_DELAY_MS);
  }

  restarted(nowMs: number): void {
    this.ok = false;
    this.startedMs = nowMs;
    this.minorityMs = -Infinity;
  }

  update(nowMs: number): void {
    const leads = this.view.self.master === null;
    if (leads && !this.ok && nowMs - this.startedMs < WRITABLE_DELAY_MS) return;
    const majority = this.reachable() >= this.view.quorum;
    if (!majority) this.minorityMs = nowMs;
    const ok = majority && this.covered();
    if (ok && !this.ok && leads && nowMs - this.minorityMs < this.rejoinDelayMs) return;
    this.ok = ok;
  }

  private reachable(): number {
    let reachable = 0;
    for (const member of this.view.members)
      if (this.view.counts(member) && member.standing === 'well') reachable++;
    return reachable;
  }

  private covered(): boolean {
    if (!this.requireFullCoverage) return true;
    return this.view.owners.every((owner) => owner !== null && owner.standing !== 'failed');
  }
}
