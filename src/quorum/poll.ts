import { LockLost } from '../contract.js';
import { QuorumUnreachable } from '../errors.js';
import type { QuorumLock } from './lock.js';

/** How one server answered: 1 done, 0 the key was not ours any more, else no answer that counts. */
export type Answered = (outcome: number, error: unknown) => void;

/** What a poll is about, in the words of its errors. */
export interface Wording {
  /** What the lock was not ours any more for, e.g. `it was released`. */
  readonly moment: string;
  /** What a quorum was to confirm, e.g. `release`. */
  readonly subject: string;
  /** What follows for the caller when too few answered; may be empty. */
  readonly consequence: string;
}

/**
 * Asks every server for the same. Resolves once a quorum has done it; rejects with `LockLost` when the key is gone on
 * so many that none can, and with `QuorumUnreachable` when too few servers answered to tell. Settles although servers
 * stay silent.
 *
 * @param ask puts the question to all servers and hands on each answer once
 */
export function poll(
  lock: QuorumLock,
  key: string,
  ttlMs: number,
  wording: Wording,
  ask: (answered: Answered) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    new Poll(lock, key, wording, resolve, reject).begin(ttlMs, ask);
  });
}

class Poll {
  private done = 0;
  private gone = 0;
  private errors: unknown[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private settled = false;

  constructor(
    private readonly lock: QuorumLock,
    private readonly key: string,
    private readonly wording: Wording,
    private readonly resolve: () => void,
    private readonly reject: (reason: Error) => void,
  ) {}

  begin(ttlMs: number, ask: (answered: Answered) => void): void {
    const { lock } = this;
    ask((outcome, error) => this.answered(outcome, error));
    if (!lock.rules.waitsForAll) this.timer = setTimeout(timedOut, lock.serverTimeoutMs(ttlMs), this);
  }

  private answered(outcome: number, error: unknown): void {
    if (this.settled) return;
    if (outcome === 1) this.done++;
    else if (outcome === 0) this.gone++;
    else this.errors.push(error);
    const { quorum, rules, servers } = this.lock;
    const out = servers.length - this.done - this.gone - this.errors.length;
    if (out > 0 && (rules.waitsForAll || (this.done < quorum && this.done + out >= quorum))) return;
    this.settle();
  }

  settle(): void {
    this.settled = true;
    clearTimeout(this.timer);
    const { key, wording } = this;
    const { quorum, servers } = this.lock;
    if (this.done >= quorum) this.resolve();
    else if (servers.length - this.gone < quorum) {
      this.reject(new LockLost(`the lock "${key}" was not ours any more when ${wording.moment}`));
    } else {
      const text = `the ${wording.subject} of "${key}" was confirmed by ${this.done} of ${servers.length} servers, ${quorum} are needed`;
      this.reject(new QuorumUnreachable(text + wording.consequence, this.errors));
    }
  }
}

function timedOut(poll: Poll): void {
  poll.settle();
}
