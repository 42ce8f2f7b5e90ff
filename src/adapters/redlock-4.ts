/** redlock@4.2.0 from npm, unmodified, as a user would call it. It claims a wall clock end and signals no loss. */
import Redlock from 'redlock';
import { defineLock, NotAcquired, type AcquireOptions, type Grant, type LockEnv } from '../contract.js';
import { neverRenews, refusing } from './shared/refusing.js';

export default defineLock({
  name: 'redlock@4.2.0',
  servers: 'many',
  connect(env: LockEnv) {
    const { driftFactor, retryCount, retryDelayMs, retryJitterMs, watchdog } = env.options;
    if (watchdog === true) return refusing(neverRenews('redlock@4.2.0'));
    const redlock = new Redlock(env.clients, {
      driftFactor: driftFactor as number | undefined,
      retryCount: retryCount as number | undefined,
      retryDelay: retryDelayMs as number | undefined,
      retryJitter: retryJitterMs as number | undefined,
    });
    return { acquire: (resource, options) => acquire(redlock, resource, options) };
  },
});

async function acquire(
  redlock: Redlock,
  resource: string,
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  signal?.throwIfAborted();
  const lock = await redlock.lock(resource, ttlMs).then(undefined, (error: unknown) => {
    throw isContention(error) ? new NotAcquired(error.message, { cause: error }) : error;
  });
  if (signal?.aborted === true) {
    // The library can't be told to stop asking: what it got meanwhile goes back.
    await lock.unlock().then(undefined, () => {});
    throw signal.reason;
  }
  return {
    value: lock.value,
    async release() {
      await lock.unlock();
    },
    async extend(extendMs) {
      await lock.extend(extendMs);
    },
    validUntil: () => ({ clock: 'wall', ms: lock.expiration }),
  };
}

/** The library words an outage in the same way; only what it says can be passed on. */
function isContention(error: unknown): error is Error {
  return error instanceof Error && error.name === 'LockError' && error.message.startsWith('Exceeded ');
}
