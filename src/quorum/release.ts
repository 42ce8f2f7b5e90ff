import { LockLost } from '../contract.js';
import { QuorumUnreachable } from '../errors.js';
import type { BallotBox } from './ballot-box.js';
import type { QuorumLock } from './lock.js';

/**
 * Gives a lock up on every server. Resolves once a quorum confirms that it had been ours until then; rejects with
 * `LockLost` when it had not, and with `QuorumUnreachable` when too few servers answered to tell (keys that are left
 * go at the end of their life). Settles although servers stay silent.
 */
export function release(lock: QuorumLock, box: BallotBox, ttlMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    new Release(lock, box, ttlMs, resolve, reject).begin();
  });
}

class Release {
  private removed = 0;
  private absent = 0;
  private errors: unknown[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private settled = false;

  constructor(
    private readonly lock: QuorumLock,
    private readonly box: BallotBox,
    private readonly ttlMs: number,
    private readonly resolve: () => void,
    private readonly reject: (reason: Error) => void,
  ) {}

  begin(): void {
    this.box.unlockAll((outcome, error) => this.answered(outcome, error));
    if (!this.lock.rules.waitsForAll) {
      this.timer = setTimeout(timedOut, this.lock.serverTimeoutMs(this.ttlMs), this);
    }
  }

  private answered(outcome: number, error: unknown): void {
    if (this.settled) return;
    if (outcome === 1) this.removed++;
    else if (outcome === 0) this.absent++;
    else this.errors.push(error);
    const { quorum, rules, servers } = this.lock;
    const out = servers.length - this.removed - this.absent - this.errors.length;
    if (out > 0 && (rules.waitsForAll || (this.removed < quorum && this.removed + out >= quorum))) return;
    this.settle();
  }

  settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
    const { quorum, servers } = this.lock;
    if (this.removed >= quorum) {
      this.resolve();
    } else if (servers.length - this.absent < quorum) {
      this.reject(new LockLost(`the lock "${this.box.key}" was not ours any more when it was released`));
    } else {
      this.reject(
        new QuorumUnreachable(
          `the release of "${this.box.key}" was confirmed by ${this.removed} of ${servers.length} servers, ` +
            `${quorum} are needed; what is left goes at the end of its life`,
          this.errors,
        ),
      );
    }
  }
}

function timedOut(release: Release): void {
  release.settle();
}
