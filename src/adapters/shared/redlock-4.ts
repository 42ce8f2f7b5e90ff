/** redlock@4.2.0 over callback clients, whoever makes them. */
import Redlock from 'redlock';
import { NotAcquired, type AcquireOptions, type Grant, type Lock, type LockEnv } from '../../contract.js';
import { neverRenews, refusing } from './refusing.js';
import { unlessWithdrawn } from './withdrawal.js';

type Asked = ReturnType<Redlock['lock']>;

/** Under the option `retriesPerCall` the retries are given with each call instead of once for all. */
export function byLock(name: string, clients: readonly unknown[], { options: given }: LockEnv): Lock {
  const { driftFactor, retryCount, retryDelayMs, retryJitterMs, watchdog, retriesPerCall } = given as {
    readonly [option: string]: number | undefined;
    readonly watchdog?: never;
    readonly retriesPerCall?: never;
  };
  if (watchdog === true) return refusing(neverRenews(name));
  const retries = { retryCount, retryDelay: retryDelayMs };
  const perCall = retriesPerCall === true;
  const redlock = new Redlock(clients, {
    driftFactor,
    retryJitter: retryJitterMs,
    ...(perCall ? {} : retries),
  });
  const lock = (resource: string, ttlMs: number): Asked =>
    perCall ? redlock.lockWithOptions(resource, ttlMs, retries) : redlock.lock(resource, ttlMs);
  return { acquire: (resource, options) => acquire(lock, resource, options) };
}

async function acquire(
  ask: (resource: string, ttlMs: number) => Asked,
  resource: string,
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  signal?.throwIfAborted();
  const lock = await ask(resource, ttlMs).then(undefined, (error: unknown) => {
    throw isContention(error) ? new NotAcquired(error.message, { cause: error }) : error;
  });
  return unlessWithdrawn(signal, {
    value: lock.value,
    async release() {
      await lock.unlock();
    },
    async extend(extendMs) {
      await lock.extend(extendMs);
    },
    validUntil: () => ({ clock: 'wall', ms: lock.expiration }),
  });
}

/** The library words an outage in the same way; only what it says can be passed on. */
function isContention(error: unknown): error is Error {
  return error instanceof Error && error.name === 'LockError' && error.message.startsWith('Exceeded ');
}
