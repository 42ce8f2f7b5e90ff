import { LockLost, type ClaimedEnd, type Grant } from '../contract.js';
import type { BallotBox } from './ballot-box.js';
import { readClock } from './clock.js';
import { QuorumUnreachable } from '../errors.js';
import { renewKeys } from './extension.js';
import type { QuorumLock } from './lock.js';
import { release } from './release.js';
import { assertTtl } from './ttl.js';

/** A grant that `await using` gives up. */
export type DisposableGrant = Grant & AsyncDisposable;

/**
 * A lease that is held. It claims to be until `validUntil()`, and says so by `lost` no later than that.
 *
 * The claimed end lies a whole number of milliseconds after the instant it was fixed, since timers count whole
 * milliseconds: the signal comes neither before the end nor after it.
 */
export class LeaseGrant implements DisposableGrant {
  fence: number | undefined;
  private ttlMs: number;
  private endMs = 0;
  private lossTimer: ReturnType<typeof setTimeout> | undefined;
  private renewalTimer: ReturnType<typeof setTimeout> | undefined;
  private controller: AbortController | undefined;
  private loss: LockLost | undefined;
  private releasing: Promise<void> | undefined;
  private extending: Promise<void> | undefined;

  constructor(
    private readonly lock: QuorumLock,
    private readonly box: BallotBox,
    ttlMs: number,
    fence: number | undefined,
  ) {
    this.ttlMs = ttlMs;
    this.fence = fence;
  }

  get resource(): string {
    return this.box.key;
  }

  get value(): string {
    return this.box.value;
  }

  validUntil(): ClaimedEnd {
    return { clock: this.lock.rules.clock, ms: this.endMs };
  }

  isHeld(): boolean {
    return this.isLive() && readClock(this.lock.rules.clock) < this.endMs;
  }

  /** Aborts with a {@link LockLost} as soon as the loss is known, at the latest at `validUntil()`; never after release. */
  get lost(): AbortSignal {
    // Most holders of short sections never ask; a controller costs as much as the rest of the grant.
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.loss !== undefined) this.controller.abort(this.loss);
    }
    return this.controller.signal;
  }

  /** Starts the lease, measured from `fromMs`; false when it is over already. */
  start(fromMs: number, nowMs: number): boolean {
    if (!this.fixEnd(fromMs, nowMs, this.ttlMs)) {
      this.stopTimers();
      return false;
    }
    if (this.lock.options.watchdog) this.renewIn(fromMs + this.ttlMs / 3 - nowMs);
    return true;
  }

  /** Ends a lease that is not handed out after all. */
  discard(): void {
    this.stopTimers();
  }

  release(): Promise<void> {
    if (this.releasing === undefined) {
      this.stopTimers();
      this.releasing = release(this.lock, this.box, this.ttlMs);
    }
    return this.releasing;
  }

  /**
   * Gives the lock up, and keeps quiet about it: an error here would hide the one that ended the block. `lost` tells of
   * a loss; `release()` or `withLock` reject with it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release().catch(ignore);
  }

  /**
   * Renews the lease for `ttlMs` from now. Rejects with `LockLost` when the lock is not ours any more, and with
   * `QuorumUnreachable` when too few servers answered in time: the lease then goes on to its earlier end.
   */
  async extend(ttlMs: number): Promise<void> {
    assertTtl(this.lock, ttlMs);
    while (this.extending !== undefined) await this.extending.catch(ignore);
    await this.renew(ttlMs, readClock(this.lock.rules.clock));
  }

  private isLive(): boolean {
    return this.loss === undefined && this.releasing === undefined;
  }

  private renew(ttlMs: number, startMs: number): Promise<void> {
    const { lock } = this;
    if (!this.isLive()) {
      return Promise.reject(this.loss ?? new LockLost(`the lock "${this.resource}" was released`));
    }
    // A shorter life may take effect on the servers even if this is never confirmed.
    if (lock.leaseEndMs(startMs, ttlMs) < this.endMs && !this.fixEnd(startMs, startMs, ttlMs))
      this.endReached();
    if (this.loss !== undefined) return Promise.reject(this.loss);
    const renewal = renewKeys(lock, this.box, ttlMs).then(
      () => this.renewed(ttlMs, startMs),
      (error: unknown) => {
        if (error instanceof LockLost && this.isLive()) this.lose(error);
        throw error;
      },
    );
    this.extending = renewal;
    const over = (): void => {
      this.extending = undefined;
    };
    renewal.then(over, over);
    return renewal;
  }

  private renewed(ttlMs: number, startMs: number): void {
    if (!this.isLive()) {
      throw this.loss ?? new LockLost(`the lock "${this.resource}" was released while it was extended`);
    }
    const nowMs = readClock(this.lock.rules.clock);
    if (!this.fixEnd(startMs, nowMs, ttlMs)) {
      this.endReached();
      throw (
        this.loss ??
        new QuorumUnreachable(`the extension of "${this.resource}" took longer than it would have lasted`)
      );
    }
    this.ttlMs = ttlMs;
    if (this.lock.options.watchdog) this.renewIn(startMs + ttlMs / 3 - nowMs);
  }

  /**
   * Fixes the claimed end for a lease measured from `fromMs`, and the timer that tells of it. False when less than a
   * millisecond is left. The clock is read again once the timer runs, and the end counted from there: a pause between the
   * first reading and the timer, however short, makes the timer late by as much.
   */
  private fixEnd(fromMs: number, nowMs: number, ttlMs: number): boolean {
    const { lock } = this;
    const limitMs = lock.leaseEndMs(fromMs, ttlMs);
    for (;;) {
      const leftMs = Math.floor(limitMs - nowMs);
      if (leftMs < 1 && lock.rules.checksValidity) return false;
      clearTimeout(this.lossTimer);
      this.lossTimer = setTimeout(endReached, Math.max(0, leftMs), this);
      if (leftMs < 1) {
        this.endMs = nowMs + leftMs;
        return true;
      }
      const readMs = readClock(lock.rules.clock);
      this.endMs = readMs + leftMs;
      if (readMs === nowMs || this.endMs <= limitMs) return true;
      nowMs = readMs;
    }
  }

  /** The timer of the end fired. The clock decides: a wall clock may have been set back. */
  endReached(): void {
    const leftMs = this.endMs - readClock(this.lock.rules.clock);
    clearTimeout(this.lossTimer);
    if (leftMs >= 1) {
      this.lossTimer = setTimeout(endReached, Math.floor(leftMs), this);
    } else {
      this.lose(new LockLost(`the lease of "${this.resource}" has run out`));
    }
  }

  private lose(loss: LockLost): void {
    this.loss = loss;
    this.stopTimers();
    this.controller?.abort(loss);
  }

  private stopTimers(): void {
    clearTimeout(this.lossTimer);
    if (this.renewalTimer !== undefined) clearTimeout(this.renewalTimer);
  }

  private renewIn(delayMs: number): void {
    if (this.renewalTimer !== undefined) clearTimeout(this.renewalTimer);
    this.renewalTimer = setTimeout(renewalDue, Math.max(1, Math.floor(delayMs)), this);
  }

  /** Renews by itself; after a failure that leaves hope, again after a tenth of the ttl, until the lease ends. */
  renewalDue(): void {
    const { ttlMs } = this;
    const startMs = readClock(this.lock.rules.clock);
    if (startMs >= this.endMs) {
      this.endReached();
      return;
    }
    if (this.extending !== undefined) {
      this.renewIn(ttlMs / 10);
      return;
    }
    this.renew(ttlMs, startMs).catch(() => {
      if (this.isLive()) this.renewIn(ttlMs / 10);
    });
  }
}

/** A lock without a life: it claims no end, can't be extended and never learns of a loss. */
export class EndlessGrant implements DisposableGrant {
  private releasing: Promise<void> | undefined;

  constructor(
    private readonly lock: QuorumLock,
    private readonly box: BallotBox,
    private readonly ttlMs: number,
  ) {}

  get value(): string {
    return this.box.value;
  }

  release(): Promise<void> {
    return (this.releasing ??= release(this.lock, this.box, this.ttlMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release().catch(ignore);
  }
}

function endReached(grant: LeaseGrant): void {
  grant.endReached();
}

function renewalDue(grant: LeaseGrant): void {
  grant.renewalDue();
}

function ignore(): void {}
