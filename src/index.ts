/**
 * lockpick's own locks, for use on a real Redis with `ioredis` 5 or `redis` 4 and 5 clients as they stand.
 *
 *     import { createLock, redlock } from 'lockpick';
 *     const lock = createLock(redlock, { clients: [redis1, redis2, redis3] });
 *     await using grant = await lock.acquire('invoice:17', { ttlMs: 5000 });
 */
import type { AcquireOptions, Grant, Lock, LockEnv } from './contract.js';
import type { LockOptions } from './options.js';
import type { RedisClient } from './redis/server.js';

export { defineLock, LockLost, NotAcquired } from './contract.js';
export type {
  AcquireOptions,
  ClaimedEnd,
  ClockName,
  Grant,
  Lock,
  LockDefinition,
  LockEnv,
} from './contract.js';
export { QuorumUnreachable } from './errors.js';
export type { LockOptions } from './options.js';
export type { DisposableGrant } from './quorum/grant.js';
export type { RedisClient } from './redis/server.js';
export { default as redlock } from './locks/redlock.js';
export { default as redlockFenced } from './locks/redlock-fenced.js';
export { default as semaphore } from './locks/semaphore.js';
export { default as single } from './locks/single.js';
export { default as singleFenced } from './locks/single-fenced.js';

export interface CreateLockOptions {
  /** One connected client for each independent server. */
  readonly clients: readonly RedisClient[];
  readonly options?: Partial<LockOptions>;
  /** How many may hold a resource of a semaphore at once; 1 by default. */
  readonly permits?: number;
}

/**
 * Connects a lock to its servers. Throws a RangeError for a wrong number of clients or a bad option, and a TypeError
 * for a client of another kind.
 */
export function createLock<L extends Lock>(
  definition: { connect(env: LockEnv): L },
  { clients, options = {}, permits = 1 }: CreateLockOptions,
): L {
  return definition.connect({ clients, endpoints: [], options, permits });
}

/**
 * Runs `work` while the lock is held, and releases it. Rejects with what `work` threw, whatever the release says; else
 * with the release's error: `LockLost` means that part of the work may have run unprotected.
 */
export async function withLock<G extends Grant, T>(
  lock: { acquire(resource: string, options: AcquireOptions): Promise<G> },
  resource: string,
  options: AcquireOptions,
  work: (grant: G) => T | Promise<T>,
): Promise<T> {
  const grant = await lock.acquire(resource, options);
  let result: T;
  try {
    result = await work(grant);
  } catch (error) {
    await grant.release().catch(() => {});
    throw error;
  }
  await grant.release();
  return result;
}
