/**
 * redis-lock@1.0.0 from npm, unmodified. It asks for ever, claims no end and signals no loss; whether a release deletes the key it
 * decides by `Date.now()`.
 */
import redisLock from 'redis-lock';
import { defineLock, type AcquireOptions, type Grant, type LockEnv } from '../contract.js';
import { neverRenews, refusing } from './shared/refusing.js';

export default defineLock({
  name: 'redis-lock@1.0.0',
  servers: 1,
  client: 'node-redis',
  connect({ clients: [client], options }: LockEnv) {
    if (options['watchdog'] === true) return refusing(neverRenews('redis-lock@1.0.0'));
    const lock = redisLock(client, options['retryDelayMs'] as number | undefined);
    return {
      async acquire(resource, { ttlMs, signal }) {
        signal?.throwIfAborted();
        return await acquire(lock(resource, ttlMs), signal);
      },
    };
  },
});

/** The library can't be told to stop asking: what it gets after the asking was withdrawn goes back. */
async function acquire(
  asking: Promise<() => Promise<unknown>>,
  signal: AcquireOptions['signal'],
): Promise<Grant> {
  const unlock = signal === undefined ? await asking : await unlessWithdrawn(asking, signal);
  return {
    async release() {
      await unlock();
    },
  };
}

function unlessWithdrawn(
  asking: Promise<() => Promise<unknown>>,
  signal: AbortSignal,
): Promise<() => Promise<unknown>> {
  return new Promise((resolve, reject) => {
    const withdrawn = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', withdrawn, { once: true });
    void asking.then((unlock) => {
      signal.removeEventListener('abort', withdrawn);
      if (signal.aborted) unlock().catch(() => {});
      resolve(unlock);
    });
  });
}
