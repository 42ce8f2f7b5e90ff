/**
 * The lock contract: what a lock module exports, whether it is one of ours, an adapter of an npm library or a
 * user's own file. A lock module calls {@link defineLock} and exports the result as `default`.
 *
 * A grant states what the lock itself claims and nothing else: a member is absent where the lock claims nothing.
 */

/** Which clock of the process a claim is read on: `Date.now()` or `performance.now()`. */
export type ClockName = 'wall' | 'monotonic';

/** A claimed end: the reading of `clock`, in milliseconds, from which the lock no longer claims to be held. */
export interface ClaimedEnd {
  readonly clock: ClockName;
  readonly ms: number;
}

export interface AcquireOptions {
  /** Life of the lock's keys, in milliseconds. */
  readonly ttlMs: number;
  /** Withdraws the asking; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Grant {
  /** Gives the lock up. Rejects where the library rejects (for instance when the lock was lost before). */
  release(): Promise<void>;
  /**
   * Of a lock that runs the work itself, as a `using` does: ends the work with its error instead of a release. Settles as the lock's call does
   * towards its own caller, who is owed that error.
   */
  fail?(error: Error): Promise<void>;
  /** Renews the lease; rejects when it could not be renewed. */
  extend?(ttlMs: number): Promise<void>;
  /** The end the lock claims now; it moves when a renewal succeeds. Must not read a clock. */
  validUntil?(): ClaimedEnd;
  /** Aborts when the lock learns, or must assume, that it is lost. */
  readonly lost?: AbortSignal;
  isHeld?(): boolean;
  /** The owner's random string, stored in the lock's keys. */
  readonly value?: string;
  /** Fencing token: an ordered number. */
  readonly fence?: number;
}

/** What a lock gets when a task connects: clients of its own, where they lead, and its options. */
export interface LockEnv<Client = unknown> {
  /** One client for each independent server, in order. */
  readonly clients: readonly Client[];
  /** `redis://host:port` of each server, in order. */
  readonly endpoints: readonly string[];
  /** Options as given; every lock reads `retryCount`, `retryDelayMs` and `retryJitterMs`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** How many may hold a resource at once; left out: one. A lock that is no semaphore is never asked for more. */
  readonly permits?: number;
}

export interface Lock {
  /** Resolves with a grant; rejects with an error named `NotAcquired` when others kept the lock. */
  acquire(resource: string, options: AcquireOptions): Promise<Grant>;
}

export interface LockDefinition<Client = unknown> {
  readonly name: string;
  /** How many independent servers it wants: `1`, or `'many'` for quorum locks. */
  readonly servers: 1 | 'many';
  /** True for a semaphore, which lets in as many as `permits` says. */
  readonly semaphore?: boolean;
  /** The shape of the clients it wants, where lockpick makes them itself (`transport: "direct"`); left out: `ioredis`. */
  readonly client?: 'ioredis' | 'node-redis';
  /** True when the lock renews its lease by itself under the options given. */
  readonly renews?: boolean | ((options: Readonly<Record<string, unknown>>) => boolean);
  /** Called once for each task, inside the process. */
  connect(env: LockEnv<Client>): Lock;
}

/** Others kept the lock for as long as it was asked for. */
export class NotAcquired extends Error {
  override readonly name = 'NotAcquired';
}

/** The lock was not ours any more when it was to be extended or released. */
export class LockLost extends Error {
  override readonly name = 'LockLost';
}

/** Declares a lock module; returns its argument unchanged, typed. */
export function defineLock<Client = unknown>(definition: LockDefinition<Client>): LockDefinition<Client> {
  return definition;
}
