import { NotAcquired } from '../contract.js';
import { QuorumUnreachable } from '../errors.js';
import { BallotBox, Vote, later } from './ballot-box.js';
import { readClock } from './clock.js';
import { RAISE, fenceKey } from './fencing.js';
import { EndlessGrant, LeaseGrant, type DisposableGrant } from './grant.js';
import type { QuorumLock } from './lock.js';
import { REFUSED } from './rules.js';
import { assertTtl, wholeMs } from './ttl.js';

/** Between attempts, waiting for votes, writing the token, or over. */
const enum Phase {
  idle,
  voting,
  raising,
  minting,
  over,
}

/** One asking: attempts with pauses between them until one succeeds, none is left, or it is withdrawn. */
export class Acquisition {
  private phase = Phase.idle;
  private attempts = 0;
  private box!: BallotBox;
  private startMs = 0;
  private firstStartMs = 0;
  private granted = 0;
  private refused = 0;
  private failed = 0;
  private highest = 0;
  private raised = 0;
  private raiseLost = 0;
  private errors: unknown[] | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unminted: LeaseGrant | undefined;
  private onAbort: (() => void) | undefined;

  constructor(
    private readonly lock: QuorumLock,
    private readonly resource: string,
    private readonly ttlMs: number,
    private readonly signal: AbortSignal | undefined,
    private readonly resolve: (grant: DisposableGrant) => void,
    private readonly reject: (reason: unknown) => void,
  ) {}

  begin(): void {
    assertTtl(this.lock, this.ttlMs);
    const { signal } = this;
    if (signal !== undefined) {
      if (signal.aborted) {
        this.reject(signal.reason);
        return;
      }
      this.onAbort = () => this.withdraw();
      signal.addEventListener('abort', this.onAbort, { once: true });
    }
    this.attempt();
  }

  private attempt(): void {
    const { lock } = this;
    const { rules, servers } = lock;
    this.attempts++;
    this.granted = this.refused = this.failed = this.highest = this.raised = this.raiseLost = 0;
    this.errors = undefined;
    this.phase = Phase.voting;
    this.startMs = readClock(rules.clock);
    if (this.attempts === 1) this.firstStartMs = this.startMs;
    const value = rules.newValue(this.startMs, this.ttlMs);
    const box = (this.box = new BallotBox(rules, servers, this.resource, value));
    const ttlMs = wholeMs(this.ttlMs);
    for (let index = 0; index < servers.length; index++) {
      const onReply = (reply: unknown): void => this.voted(box, index, rules.readVote(reply));
      const onError = (error: unknown): void => this.unanswered(box, index, error);
      try {
        rules.vote(servers[index]!, box, ttlMs, onReply, onError);
      } catch (error) {
        later(onError, error);
      }
    }
    this.startTimer();
  }

  /** One timer for all servers. */
  private startTimer(): void {
    if (this.lock.rules.waitsForAll) return;
    this.timer = setTimeout(timedOut, this.lock.serverTimeoutMs(this.ttlMs), this);
  }

  private stopTimer(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private voted(box: BallotBox, index: number, counter: number): void {
    box.put(index, counter === REFUSED ? Vote.refused : Vote.granted);
    if (box !== this.box) return;
    if (counter === REFUSED) this.refused++;
    else {
      this.granted++;
      if (this.phase === Phase.voting && counter > this.highest) this.highest = counter;
      else if (this.phase === Phase.raising) this.raiseOn(index);
    }
    if (this.phase === Phase.voting) this.count();
  }

  private unanswered(box: BallotBox, index: number, error: unknown): void {
    box.put(index, Vote.failed);
    if (box !== this.box) return;
    this.failed++;
    (this.errors ??= []).push(error);
    if (this.phase === Phase.voting) this.count();
  }

  /** Decides as soon as the votes still out can't change the outcome. */
  private count(): void {
    const { quorum, rules, servers } = this.lock;
    const out = servers.length - this.granted - this.refused - this.failed;
    if (rules.waitsForAll && out > 0) return;
    if (this.granted >= quorum) {
      if (rules.fencing === 'raised') this.raise();
      else this.conclude();
    } else if (this.granted + out < quorum) this.failAttempt();
  }

  private raise(): void {
    this.stopTimer();
    this.phase = Phase.raising;
    this.highest++;
    const { servers } = this.lock;
    for (let index = 0; index < servers.length; index++) {
      if (this.box.vote(index) === Vote.granted) this.raiseOn(index);
    }
    this.startTimer();
  }

  private raiseOn(index: number): void {
    const { box } = this;
    const onReply = (reply: unknown): void => this.raiseAnswered(box, Number(reply) === 1, undefined);
    const onError = (error: unknown): void => this.raiseAnswered(box, false, error);
    const args = [box.key, fenceKey(box.key), box.value, this.highest];
    try {
      this.lock.servers[index]!.run(RAISE, args, onReply, onError, box);
    } catch (error) {
      later(onError, error);
    }
  }

  private raiseAnswered(box: BallotBox, done: boolean, error: unknown): void {
    if (box !== this.box || this.phase !== Phase.raising) return;
    if (error !== undefined) (this.errors ??= []).push(error);
    if (done) this.raised++;
    else this.raiseLost++;
    const { quorum, servers } = this.lock;
    // Votes that were still out may yet come in and be written to.
    const possible = servers.length - this.refused - this.failed - this.raiseLost;
    if (this.raised >= quorum) this.conclude();
    else if (possible < quorum) this.failAttempt();
  }

  /** A quorum is in: it is worth nothing if the lease has run out meanwhile. */
  private conclude(): void {
    this.stopTimer();
    const { lock, ttlMs } = this;
    const { rules } = lock;
    if (!rules.expires) {
      this.succeed(new EndlessGrant(lock, this.box, ttlMs));
      return;
    }
    const nowMs = readClock(rules.clock);
    const fromMs = this.measuredFrom(nowMs);
    const fence = rules.fencing === 'none' ? undefined : this.highest;
    const grant = new LeaseGrant(lock, this.box, ttlMs, fence);
    if (!grant.start(fromMs, nowMs)) {
      this.failAttempt();
      return;
    }
    if (rules.fencing === 'minted-later') this.mint(grant);
    else this.succeed(grant);
  }

  private measuredFrom(nowMs: number): number {
    switch (this.lock.rules.measuredFrom) {
      case 'start':
        return this.startMs;
      case 'reply':
        return nowMs;
      case 'first-attempt':
        return this.firstStartMs;
    }
  }

  /** The pitfall: nothing limits the wait for the token, and nothing is checked after it. */
  private mint(grant: LeaseGrant): void {
    this.phase = Phase.minting;
    this.unminted = grant;
    this.lock.servers[0]!.incr(fenceKey(this.resource)).then(
      (token) => {
        if (this.unminted !== grant) return;
        grant.fence = Number(token);
        this.succeed(grant);
      },
      (error: unknown) => {
        if (this.unminted !== grant) return;
        (this.errors ??= []).push(error);
        this.failAttempt();
      },
    );
  }

  private succeed(grant: DisposableGrant): void {
    this.finish();
    this.resolve(grant);
  }

  timerFired(): void {
    this.timer = undefined;
    if (this.phase === Phase.idle) this.attempt();
    else this.failAttempt();
  }

  private failAttempt(): void {
    this.giveUp();
    const { retryCount, retryDelayMs, retryJitterMs } = this.lock.options;
    if (this.attempts > retryCount) {
      this.finish();
      this.reject(this.failure());
      return;
    }
    this.phase = Phase.idle;
    const delayMs = retryDelayMs + (Math.random() * 2 - 1) * retryJitterMs;
    this.timer = setTimeout(timedOut, Math.max(0, Math.floor(delayMs)), this);
  }

  private giveUp(): void {
    this.stopTimer();
    this.unminted?.discard();
    this.unminted = undefined;
    if (this.lock.rules.releasesOnFailure) this.box.cleanUp();
    else this.box.givenUp = true;
  }

  private withdraw(): void {
    if (this.phase === Phase.idle) this.stopTimer();
    else this.giveUp();
    this.finish();
    this.reject(this.signal!.reason);
  }

  private finish(): void {
    this.phase = Phase.over;
    if (this.onAbort !== undefined) this.signal!.removeEventListener('abort', this.onAbort);
  }

  /** Contention and outage are told apart: others hold the lock only if enough servers answered to say so. */
  private failure(): Error {
    const { quorum, servers } = this.lock;
    const asked = `"${this.resource}" in ${this.attempts} ${this.attempts === 1 ? 'attempt' : 'attempts'}`;
    if (this.granted >= quorum) {
      return new QuorumUnreachable(`could not lock ${asked}: the servers answered too late`, this.errors);
    }
    const out = servers.length - this.granted - this.refused - this.failed;
    if (this.refused > 0 && servers.length - this.failed - out >= quorum) {
      return new NotAcquired(`could not lock ${asked}: others hold it`);
    }
    return new QuorumUnreachable(
      `could not lock ${asked}: ${servers.length - this.failed - out} of ${servers.length} servers answered, ` +
        `${quorum} are needed`,
      this.errors,
    );
  }
}

function timedOut(acquisition: Acquisition): void {
  acquisition.timerFired();
}
