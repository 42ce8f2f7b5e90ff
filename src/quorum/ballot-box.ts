import type { OnError, RedisServer } from '../redis/server.js';
import type { Ballot, Rules } from './rules.js';

/** State of one server's vote. `failed`: it answered with an error, and may or may not have set the key. */
export const enum Vote {
  pending = 0,
  granted = 1,
  refused = 2,
  failed = 3,
}

/** Called for each server: 1 removed, 0 nothing there, -1 no answer. */
type OnUnlocked = (outcome: number, error: unknown) => void;

const ignore = (): void => {};

/**
 * One attempt's value and what each server said to it. Outlives the attempt: a vote may come in after the attempt was
 * given up or the lock released, and its key must still go.
 *
 * A value is never used for two attempts: late bytes of an old connection (SET or DEL) then can't touch the keys of a
 * later attempt.
 */
export class BallotBox implements Ballot {
  givenUp = false;
  private readonly votes: Vote[] = [];
  /** Servers whose key was not there when it was removed, while their vote was still out. */
  private removedTooEarly: boolean[] | undefined;

  constructor(
    readonly rules: Rules,
    readonly servers: readonly RedisServer[],
    readonly key: string,
    readonly value: string,
  ) {
    for (let index = 0; index < servers.length; index++) this.votes.push(Vote.pending);
  }

  vote(index: number): Vote {
    return this.votes[index]!;
  }

  /** Notes a vote. One that arrives after the clean-up overtook it is cleaned up again (pooled or new connections). */
  put(index: number, vote: Vote): void {
    this.votes[index] = vote;
    if (vote === Vote.granted && this.removedTooEarly?.[index] === true) {
      this.removedTooEarly[index] = false;
      this.unlockOne(index, ignore, ignore);
    }
  }

  /**
   * Cleans up after an attempt that failed, also where the vote was refused or never came: a reply may have been lost,
   * or a client may have sent the SET twice and heard only the second answer.
   */
  cleanUp(): void {
    this.givenUp = true;
    for (let index = 0; index < this.servers.length; index++) {
      if (this.votes[index] !== Vote.refused || this.rules.unlocksWhereRefused)
        this.unlockWithRetry(index, ignore);
    }
  }

  /** Removes the keys of a lock on every server. */
  unlockAll(onUnlocked: OnUnlocked): void {
    this.givenUp = true;
    for (let index = 0; index < this.servers.length; index++) this.unlockWithRetry(index, onUnlocked);
  }

  private unlockWithRetry(index: number, onUnlocked: OnUnlocked): void {
    const early = this.votes[index] === Vote.pending;
    const answered = (reply: unknown): void => {
      const removed = Number(reply) > 0;
      if (early && !removed) this.missedEarly(index);
      onUnlocked(removed ? 1 : 0, undefined);
    };
    this.unlockOne(index, answered, () => {
      // A broken connection loses what was in flight; the client has a new one by now, or says so again.
      this.unlockOne(index, answered, (error) => onUnlocked(-1, error));
    });
  }

  /** Nothing was there to remove although the vote was out: the removal may have overtaken the SET. */
  private missedEarly(index: number): void {
    if (this.votes[index] === Vote.granted) this.unlockOne(index, ignore, ignore);
    else if (this.votes[index] === Vote.pending) (this.removedTooEarly ??= [])[index] = true;
  }

  private unlockOne(index: number, onReply: (reply: unknown) => void, onError: OnError): void {
    try {
      this.rules.unlock(this.servers[index]!, this, onReply, onError);
    } catch (error) {
      later(onError, error);
    }
  }
}

/** For clients that throw instead of rejecting: reports the error as a rejection would, not from inside the call. */
export function later(onError: OnError, error: unknown): void {
  void Promise.resolve(error).then(onError);
}
