/** redlock-universal's locks are made for one key and one life; each is kept, as one would. */
import {
  createLock,
  createRedlock,
  IoredisAdapter,
  LockAcquisitionError,
  type Lock as UniversalLock,
} from 'redlock-universal';
import {
  LockLost,
  NotAcquired,
  type AcquireOptions,
  type Grant,
  type Lock,
  type LockEnv,
} from '../../contract.js';
import { refusing } from './refusing.js';
import { unlessWithdrawn } from './withdrawal.js';

export type Client = ConstructorParameters<typeof IoredisAdapter>[0];
export type Make = (key: string, ttl: number) => UniversalLock;

interface Retries {
  readonly retryAttempts?: number;
  readonly retryDelay?: number;
}

/** @throws RangeError the library knows no retries without end */
export function retries({ options }: Pick<LockEnv, 'options'>): Retries {
  if (options['retryCount'] === -1)
    throw new RangeError('redlock-universal@0.8.5 does not ask without end: no "retryCount" -1');
  return {
    retryAttempts: options['retryCount'] as number | undefined,
    retryDelay: options['retryDelayMs'] as number | undefined,
  };
}

/** A lock on one server. */
export function simple(env: LockEnv<Client>): Make {
  const adapter = new IoredisAdapter(env.clients[0]!);
  return kept((key, ttl) => createLock({ adapter, key, ttl, ...retries(env) }));
}

/** A lock on a majority of servers. */
export function distributed(env: LockEnv<Client>): Make {
  const adapters = env.clients.map((client) => new IoredisAdapter(client));
  const clockDriftFactor = env.options['driftFactor'] as number | undefined;
  return kept((key, ttl) => createRedlock({ adapters, key, ttl, clockDriftFactor, ...retries(env) }));
}

function kept(make: Make): Make {
  const locks = new Map<string, UniversalLock>();
  return (key, ttl) => {
    const id = `${ttl} ${key}`;
    let lock = locks.get(id);
    if (lock === undefined) locks.set(id, (lock = make(key, ttl)));
    return lock;
  };
}

/**
 * `acquire`, and `extend` and `release` of its handle. The handle tells when it was made and for how long, never until when it is
 * good, and a renewal leaves it as it is: no end is claimed. Rejects with a RangeError under the option "watchdog".
 */
export function byHandle(name: string, { options }: LockEnv<Client>, make: Make): Lock {
  if (options['watchdog'] === true)
    return refusing(`${name} renews by itself in "using" only: redlock-universal@0.8.5/using`);
  return { acquire: (resource, asked) => acquire(make(resource, asked.ttlMs), asked) };
}

async function acquire(lock: UniversalLock, { signal }: AcquireOptions): Promise<Grant> {
  signal?.throwIfAborted();
  const handle = await lock.acquire().catch(explain);
  return unlessWithdrawn(signal, {
    value: handle.value,
    async release() {
      await lock.release(handle);
    },
    async extend(extendMs) {
      if (!(await lock.extend(handle, extendMs))) throw new LockLost('extend() answered false');
    },
  });
}

/** The library words contention in the cause only, and a quorum that was not reached as contention. */
export function explain(error: unknown): never {
  const cause = error instanceof LockAcquisitionError && error.cause instanceof Error ? error.cause : null;
  if (cause !== null && /is already held|quorum not achieved/.test(cause.message))
    throw new NotAcquired(cause.message, { cause: error });
  throw error;
}
