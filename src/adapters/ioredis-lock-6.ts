/** @microfleet/ioredis-lock@6.0.1 from npm, unmodified. It claims no end and signals no loss. */
import {
  createLock,
  LockAcquisitionError,
  type Config,
  type Lock as NpmLock,
} from '@microfleet/ioredis-lock';
import { defineLock, NotAcquired, type AcquireOptions, type Grant, type LockEnv } from '../contract.js';
import { attemptsOf } from './shared/attempts.js';
import { neverRenews, refusing } from './shared/refusing.js';

export default defineLock({
  name: '@microfleet/ioredis-lock@6.0.1',
  servers: 1,
  connect({ clients: [client], options: given }: LockEnv) {
    if (given['watchdog'] === true) return refusing(neverRenews('@microfleet/ioredis-lock@6.0.1'));
    const config = configOf(given);
    return {
      async acquire(resource, options) {
        return await acquire(createLock(client, { ...config, timeout: options.ttlMs }), resource, options);
      },
    };
  },
});

/** An option that is left out stays the library's: an undefined member would replace its default. */
function configOf(given: LockEnv['options']): Partial<Config> {
  const { retryCount, retryDelayMs, retryJitterMs } = given as Record<string, number | undefined>;
  return {
    ...(retryCount === undefined ? {} : { retries: attemptsOf(retryCount) - 1 }),
    ...(retryDelayMs === undefined ? {} : { delay: retryDelayMs }),
    // The library takes the longest pause as a multiple of the shortest.
    ...(retryDelayMs && retryJitterMs !== undefined ? { jitter: 1 + retryJitterMs / retryDelayMs } : {}),
  };
}

async function acquire(lock: NpmLock, resource: string, { signal }: AcquireOptions): Promise<Grant> {
  signal?.throwIfAborted();
  await lock.acquire(resource).catch((error: unknown) => {
    throw isContention(error) ? new NotAcquired(error.message, { cause: error }) : error;
  });
  if (signal?.aborted === true) {
    // The library can't be told to stop asking: what it got meanwhile goes back.
    await lock.release().catch(() => {});
    throw signal.reason;
  }
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
  return error instanceof LockAcquisitionError && error.message.startsWith('Could not acquire lock');
}
