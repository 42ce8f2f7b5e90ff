/** redislock and what descends from it: a lock object for each acquisition. It claims no end and signals no loss. */
import { NotAcquired, type Grant, type Lock, type LockEnv } from '../../contract.js';
import { attemptsOf } from './attempts.js';
import { neverRenews, refusing } from './refusing.js';
import { unlessWithdrawn } from './withdrawal.js';

interface Held {
  acquire(key: string): PromiseLike<unknown>;
  extend(timeMs: number): PromiseLike<unknown>;
  release(): PromiseLike<unknown>;
}

export interface Config {
  readonly timeout: number;
  readonly retries?: number;
  readonly delay?: number;
}

/**
 * An option that is left out stays the library's: an undefined member would replace its default.
 * @param make one of the library's objects
 */
export function byLockObject(
  name: string,
  { options: given }: LockEnv,
  make: (config: Config) => Held,
): Lock {
  if (given['watchdog'] === true) return refusing(neverRenews(name));
  const { retryCount, retryDelayMs } = given as Record<string, number | undefined>;
  const config = {
    ...(retryCount === undefined ? {} : { retries: attemptsOf(retryCount) - 1 }),
    ...(retryDelayMs === undefined ? {} : { delay: retryDelayMs }),
  };
  return {
    async acquire(resource, { ttlMs, signal }) {
      signal?.throwIfAborted();
      const lock = make({ ...config, timeout: ttlMs });
      await lock.acquire(resource).then(undefined, (error: unknown) => {
        throw isContention(error) ? new NotAcquired(error.message, { cause: error }) : error;
      });
      return unlessWithdrawn(signal, grantOf(lock));
    },
  };
}

function grantOf(lock: Held): Grant {
  return {
    async release() {
      await lock.release();
    },
    async extend(ttlMs) {
      await lock.extend(ttlMs);
    },
  };
}

/** An error of the client comes under the same name, with the client's words. */
function isContention(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === 'LockAcquisitionError' &&
    error.message.startsWith('Could not acquire lock')
  );
}
