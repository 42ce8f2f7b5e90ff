/** redis-semaphore: a lock object for each acquisition, which renews by itself until it is released. It claims no end. */
import { Mutex, TimeoutError, type LockOptions } from 'redis-semaphore';
import {
  defineLock,
  NotAcquired,
  type Grant,
  type Lock,
  type LockDefinition,
  type LockEnv,
} from '../../contract.js';
import { attemptsOf } from './attempts.js';
import { unlessWithdrawn } from './withdrawal.js';

/** What its four classes have in common; versions before 5.6 can't be told to stop asking. */
interface Held {
  readonly identifier: string;
  readonly isAcquired: boolean;
  acquire(signal?: AbortSignal): Promise<void>;
  release(): Promise<void>;
}

type Options = Readonly<Record<string, unknown>>;

/** Off by `watchdog: false` only: the library renews unless it is told not to. */
export const renews = (options: Options): boolean => options['watchdog'] !== false;

function settings(given: Options, lockTimeout: number): LockOptions {
  const retryCount = given['retryCount'] as number | undefined;
  return {
    lockTimeout,
    acquireTimeout: given['acquireTimeoutMs'] as number | undefined,
    acquireAttemptsLimit: retryCount === undefined ? undefined : attemptsOf(retryCount),
    retryInterval: given['retryDelayMs'] as number | undefined,
    refreshInterval: renews(given) ? (given['refreshIntervalMs'] as number | undefined) : 0,
  };
}

/** @param make one of the library's objects for a resource */
export function bySemaphore(
  { options }: LockEnv,
  make: (resource: string, settings: LockOptions) => Held,
): Lock {
  return {
    async acquire(resource, { ttlMs, signal }): Promise<Grant> {
      signal?.throwIfAborted();
      const loss = new AbortController();
      const onLockLost = (error: Error): void => loss.abort(error);
      const held = make(resource, { ...settings(options, ttlMs), onLockLost });
      await held.acquire(signal).catch((error: unknown) => {
        throw error instanceof TimeoutError ? new NotAcquired(error.message, { cause: error }) : error;
      });
      return unlessWithdrawn(signal, {
        value: held.identifier,
        lost: loss.signal,
        isHeld: () => held.isAcquired,
        release: () => held.release(),
      });
    },
  };
}

/** `Mutex` of the versions up to 5.5.1, which take clients of ioredis' own class only. */
export function oldMutex(version: string): LockDefinition<never> {
  const name = `redis-semaphore@${version}`;
  return defineLock({
    name,
    servers: 1,
    renews,
    connect: (env: LockEnv<never>) =>
      bySemaphore(env, (resource, given) =>
        refusingOthers(name, () => new Mutex(env.clients[0]!, resource, given)),
      ),
  });
}

function refusingOthers(name: string, make: () => Mutex): Mutex {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('must be instance of ioredis')) throw error;
    const how = 'under lockpick it gets one with --set processes.transport=wire';
    throw new TypeError(`${name}: ${error.message}; ${how}`, { cause: error });
  }
}
