/** simple-redis-mutex@3.0.0 from npm, unmodified. It gives a fencing token, claims no end and signals no loss. */
import { lock, tryLock, type ReleaseFunc } from 'simple-redis-mutex';
import { defineLock, NotAcquired, type AcquireOptions, type Grant, type LockEnv } from '../contract.js';
import { neverRenews, refusing } from './shared/refusing.js';
import { unlessWithdrawn } from './shared/withdrawal.js';

interface Asking {
  /** Null: it is asked once. Undefined: without end. */
  readonly failAfterMs: number | null | undefined;
  readonly pollingMs: number | undefined;
}

export default defineLock({
  name: 'simple-redis-mutex@3.0.0',
  servers: 1,
  client: 'node-redis',
  connect({ clients: [client], options }: LockEnv) {
    if (options['watchdog'] === true) return refusing(neverRenews('simple-redis-mutex@3.0.0'));
    const asking = askingOf(options);
    return {
      acquire: (resource, given) => acquire(client, resource, asking, given),
    };
  },
});

/** The library knows no attempts, but for how long to ask and how often to look; it hears of most releases at once. */
function askingOf(options: LockEnv['options']): Asking {
  const { retryCount = 10, retryDelayMs } = options as Record<string, number | undefined>;
  return {
    failAfterMs: retryCount === 0 ? null : endOf(retryCount, retryDelayMs ?? 200),
    pollingMs: retryDelayMs,
  };
}

function endOf(retryCount: number, retryDelayMs: number): number | undefined {
  return retryCount === -1 ? undefined : retryCount * retryDelayMs;
}

async function acquire(
  client: unknown,
  resource: string,
  { failAfterMs, pollingMs }: Asking,
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  signal?.throwIfAborted();
  const release =
    failAfterMs === null
      ? await once(client, resource, ttlMs)
      : await lock(client, resource, {
          timeout: ttlMs,
          ...(Number.isFinite(failAfterMs) ? { failAfter: failAfterMs } : {}),
          ...(pollingMs === undefined ? {} : { pollingInterval: pollingMs }),
        }).catch((error: unknown) => {
          throw isContention(error) ? new NotAcquired(error.message, { cause: error }) : error;
        });
  return unlessWithdrawn(signal, {
    fence: release.fencingToken,
    release,
    // It renews for the time that was asked for at first, and says nothing where the lock was lost.
    extend: () => release.refreshTimeout(),
  });
}

async function once(client: unknown, resource: string, timeout: number): Promise<ReleaseFunc> {
  const [has, release] = await tryLock(client, resource, { timeout });
  if (!has) throw new NotAcquired(`${resource} is locked`);
  return release;
}

function isContention(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('could not be acquired after');
}
