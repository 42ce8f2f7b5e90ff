/**
 * node-redis-warlock@1.0.2 from npm, unmodified. It claims no end and signals no loss. It asks again by `optimistic`, which
 * does not tell the lock's id: only a lock asked for once (`retryCount: 0`) can be renewed.
 */
import Warlock from 'node-redis-warlock';
import {
  defineLock,
  LockLost,
  NotAcquired,
  type AcquireOptions,
  type Grant,
  type LockEnv,
} from '../contract.js';
import { attemptsOf } from './shared/attempts.js';
import { neverRenews, refusing } from './shared/refusing.js';
import { unlessWithdrawn } from './shared/withdrawal.js';

export default defineLock({
  name: 'node-redis-warlock@1.0.2',
  servers: 1,
  connect({ clients: [client], options: given }: LockEnv) {
    const {
      retryCount = 10,
      retryDelayMs = 200,
      watchdog,
    } = given as {
      retryCount?: number;
      retryDelayMs?: number;
      watchdog?: boolean;
    };
    if (watchdog === true) return refusing(neverRenews('node-redis-warlock@1.0.2'));
    const warlock = Warlock(client);
    const ask = (resource: string, { ttlMs }: AcquireOptions): Promise<Grant> =>
      retryCount === 0
        ? once(warlock, resource, ttlMs)
        : repeatedly(warlock, resource, ttlMs, attemptsOf(retryCount), retryDelayMs);
    return {
      async acquire(resource, options) {
        const { signal } = options;
        signal?.throwIfAborted();
        const grant = await ask(resource, options);
        return unlessWithdrawn(signal, grant);
      },
    };
  },
});

function once(warlock: Warlock, resource: string, ttlMs: number): Promise<Grant> {
  return new Promise((resolve, reject) => {
    warlock.lock(resource, ttlMs, (error, unlock, id) => {
      if (error) reject(error);
      else if (typeof unlock !== 'function') reject(new NotAcquired(`${resource} is locked`));
      else
        resolve({
          value: id,
          release: () => released(unlock),
          async extend(extendMs) {
            const answer = await warlock.touch(resource, id, extendMs);
            if (answer === 0) throw new LockLost(`${resource} is not locked by this id any more`);
          },
        });
    });
  });
}

function repeatedly(
  warlock: Warlock,
  resource: string,
  ttlMs: number,
  attempts: number,
  waitMs: number,
): Promise<Grant> {
  return new Promise((resolve, reject) => {
    warlock.optimistic(resource, ttlMs, attempts, waitMs, (error, unlock) => {
      if (typeof unlock === 'function') resolve({ release: () => released(unlock) });
      else if (error?.message === 'unable to obtain lock')
        reject(new NotAcquired(error.message, { cause: error }));
      else reject(error);
    });
  });
}

/** That the lock was no longer there is a result to the library, and no error. */
function released(unlock: Warlock.Unlock): Promise<void> {
  return new Promise((resolve, reject) => {
    void unlock((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
