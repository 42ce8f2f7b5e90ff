/** What redlock@5.0.0-beta.1, redlock@5.0.0-beta.2 and its fork @sesamecare-oss/redlock have in common: everything but how they are imported. */
import { NotAcquired, type AcquireOptions, type Grant, type Lock, type LockEnv } from '../../contract.js';
import { refusing } from './refusing.js';
import { holdInside } from './using.js';
import { unlessWithdrawn } from './withdrawal.js';

/** A lock that was taken; a renewal replaces it. */
interface Taken {
  readonly value: string;
  /** `Date.now()` from which the library takes the lock to be over; 0 once it was released or replaced. */
  readonly expiration: number;
  release(): Promise<unknown>;
  extend(duration: number): Promise<Taken>;
}

interface Redlock {
  acquire(resources: string[], duration: number, settings?: Settings): Promise<Taken>;
  using(
    resources: string[],
    duration: number,
    routine: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
}

interface Settings {
  readonly driftFactor?: number;
  readonly retryCount?: number;
  readonly retryDelay?: number;
  readonly retryJitter?: number;
  readonly automaticExtensionThreshold?: number;
}

export type RedlockClass = new (clients: Iterable<never>, settings?: Settings) => Redlock;

/** Those of the settings that are given: a member that is undefined would replace the library's own when it comes with a call. */
function retries(options: LockEnv['options']): Settings {
  const { retryCount, retryDelayMs, retryJitterMs } = options as Record<string, number | undefined>;
  return {
    ...(retryCount === undefined ? {} : { retryCount }),
    ...(retryDelayMs === undefined ? {} : { retryDelay: retryDelayMs }),
    ...(retryJitterMs === undefined ? {} : { retryJitter: retryJitterMs }),
  };
}

function open(Library: RedlockClass, { clients, options }: LockEnv): Redlock {
  return new Library(clients as readonly never[], {
    driftFactor: options['driftFactor'] as number | undefined,
    automaticExtensionThreshold: options['automaticExtensionThresholdMs'] as number | undefined,
    ...(options['retriesPerCall'] === true ? {} : retries(options)),
  });
}

/**
 * `acquire`, and `extend` and `release` of what it gives. Under the option `retriesPerCall` the retries are given with each acquire instead of
 * once for all. Rejects with a RangeError under the option "watchdog".
 */
export function byAcquire(name: string, Library: RedlockClass, env: LockEnv): Lock {
  if (env.options['watchdog'] === true)
    return refusing(`${name} renews by itself in "using" only: ${name}/using`);
  const redlock = open(Library, env);
  const settings = env.options['retriesPerCall'] === true ? retries(env.options) : undefined;
  const take = (resource: string, ttlMs: number): Promise<Taken> =>
    redlock.acquire([resource], ttlMs, settings);
  return { acquire: (resource, options) => acquire(take, resource, options) };
}

/** `using`, which renews by itself and tells of a loss, and shows its routine no end. */
export function byUsing(Library: RedlockClass, env: LockEnv): Lock {
  const redlock = open(Library, env);
  return {
    acquire: (resource, options) =>
      holdInside((routine) => redlock.using([resource], options.ttlMs, routine), options).catch(explain),
  };
}

async function acquire(
  take: (resource: string, ttlMs: number) => Promise<Taken>,
  resource: string,
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  signal?.throwIfAborted();
  let lock = await take(resource, ttlMs).catch(explain);
  return unlessWithdrawn(signal, {
    value: lock.value,
    async release() {
      await lock.release();
    },
    async extend(extendMs) {
      lock = await lock.extend(extendMs);
    },
    validUntil: () => ({ clock: 'wall', ms: lock.expiration }),
  });
}

/** The library words an outage in the same way as contention; only what it says can be passed on. */
function explain(error: unknown): never {
  if (error instanceof Error && error.name === 'ExecutionError')
    throw new NotAcquired(error.message, { cause: error });
  throw error;
}
