import { LockLost } from '../contract.js';
import { QuorumUnreachable } from '../errors.js';
import { later, type BallotBox } from './ballot-box.js';
import type { QuorumLock } from './lock.js';
import { wholeMs } from './ttl.js';

/**
 * Renews the keys of a lease on a quorum of servers. A key that is gone is not created again, so that nobody's place
 * is taken. Resolves once a quorum has renewed; rejects with `LockLost` when no quorum of keys is left, and with
 * `QuorumUnreachable` when too few servers answered.
 */
export function renewKeys(lock: QuorumLock, box: BallotBox, ttlMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    new Extension(lock, box, ttlMs, resolve, reject).begin();
  });
}

class Extension {
  private renewed = 0;
  private gone = 0;
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
    const { lock, box } = this;
    const onReply = (reply: unknown): void => this.answered(Number(reply) === 1, undefined);
    const onError = (error: unknown): void => this.answered(false, error);
    for (const server of lock.servers) {
      try {
        lock.rules.renew(server, box, wholeMs(this.ttlMs), onReply, onError);
      } catch (error) {
        later(onError, error);
      }
    }
    if (!lock.rules.waitsForAll) this.timer = setTimeout(timedOut, lock.serverTimeoutMs(this.ttlMs), this);
  }

  private answered(renewed: boolean, error: unknown): void {
    if (this.settled) return;
    if (renewed) this.renewed++;
    else if (error === undefined) this.gone++;
    else this.errors.push(error);
    const { quorum, rules, servers } = this.lock;
    const out = servers.length - this.renewed - this.gone - this.errors.length;
    if (out > 0 && (rules.waitsForAll || (this.renewed < quorum && this.renewed + out >= quorum))) return;
    this.settle();
  }

  settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
    const { quorum, servers } = this.lock;
    if (this.renewed >= quorum) {
      this.resolve();
    } else if (servers.length - this.gone < quorum) {
      this.reject(
        new LockLost(`the lock "${this.box.key}" was not ours any more when it was to be extended`),
      );
    } else {
      this.reject(
        new QuorumUnreachable(
          `the extension of "${this.box.key}" was confirmed by ${this.renewed} of ${servers.length} servers, ` +
            `${quorum} are needed`,
          this.errors,
        ),
      );
    }
  }
}

function timedOut(extension: Extension): void {
  extension.settle();
}
