/**
 * What one lock of the quorum family does where they differ. The reference locks and the pitfalls are sets of rules
 * over one engine, so that a pitfall shows its one mistake and nothing else.
 */
import { randomUUID } from 'node:crypto';
import type { ClockName } from '../contract.js';
import { Script } from '../redis/script.js';
import type { Abandonable, OnError, OnReply, RedisServer } from '../redis/server.js';

/** A vote that was refused: another holds the key. */
export const REFUSED = -1;

/** The key and the value of one attempt; `givenUp` once its keys are to go. */
export interface Ballot extends Abandonable {
  readonly key: string;
  readonly value: string;
}

/** How the fencing token comes about. */
export type Fencing =
  /** No token. */
  | 'none'
  /** The counter that came with the vote is the token (one server). */
  | 'counter'
  /** Highest counter of a quorum of votes + 1, then written to a quorum of those that voted. */
  | 'raised'
  /** By a command of its own after the lock was checked (a pitfall). */
  | 'minted-later';

export interface Rules {
  readonly clock: ClockName;
  readonly fencing: Fencing;
  /** The lease is measured from the start of the attempt, or (pitfalls) from the reply or from the first attempt of the asking. */
  readonly measuredFrom: 'start' | 'reply' | 'first-attempt';
  readonly checksValidity: boolean;
  readonly releasesOnFailure: boolean;
  /** Clean-up of a failed attempt goes to servers that refused, too: their refusal may be the echo of our own SET. */
  readonly unlocksWhereRefused: boolean;
  /** Waits for every server without a limit (a pitfall) instead of deciding as soon as it can. */
  readonly waitsForAll: boolean;
  /** False: keys have no life, so that the lock can claim no end and signal no loss (a pitfall). */
  readonly expires: boolean;
  /** Votes wanted of `count` servers. */
  quorum(count: number): number;
  /** Part of the ttl that is given up for clocks that run at different rates. */
  driftAllowanceMs(ttlMs: number, driftFactor: number): number;
  /** The value of an attempt that begins at `startMs` of the lock's clock. */
  newValue(startMs: number, ttlMs: number): string;
  /** Asks one server for its vote; `ttlMs` is whole. */
  vote(server: RedisServer, ballot: Ballot, ttlMs: number, onReply: OnReply, onError: OnError): void;
  /** Reads a reply to `vote`: {@link REFUSED}, or the server's counter (0 without fencing). */
  readVote(reply: unknown): number;
  /** Removes the key of the ballot; the reply is the number of keys removed. */
  unlock(server: RedisServer, ballot: Ballot, onReply: OnReply, onError: OnError): void;
  /** Gives the key of the ballot a new life; the reply is 1, or 0 where the key is not there any more. */
  renew(server: RedisServer, ballot: Ballot, ttlMs: number, onReply: OnReply, onError: OnError): void;
}

/** Deletes the key only where it still holds our value, in one atomic step. */
export const UNLOCK = new Script(
  1,
  `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0`,
);

/** Renews the key only where it still holds our value: a lost key is never created again. */
export const RENEW = new Script(
  1,
  `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end
return 0`,
);

/** The rules of the algorithm in the Redis documentation, "Distributed locks with Redis". */
export const REFERENCE_RULES: Rules = {
  clock: 'monotonic',
  fencing: 'none',
  measuredFrom: 'start',
  checksValidity: true,
  releasesOnFailure: true,
  unlocksWhereRefused: true,
  waitsForAll: false,
  expires: true,
  quorum: (count) => Math.floor(count / 2) + 1,
  driftAllowanceMs: (ttlMs, driftFactor) => ttlMs * driftFactor + 2,
  newValue: () => randomUUID(),
  vote(server, ballot, ttlMs, onReply, onError) {
    server.setIfAbsent(ballot.key, ballot.value, ttlMs).then(onReply, onError);
  },
  readVote: (reply) => (reply === null ? REFUSED : 0),
  unlock(server, ballot, onReply, onError) {
    server.run(UNLOCK, [ballot.key, ballot.value], onReply, onError);
  },
  renew(server, ballot, ttlMs, onReply, onError) {
    server.run(RENEW, [ballot.key, ballot.value, ttlMs], onReply, onError);
  },
};
