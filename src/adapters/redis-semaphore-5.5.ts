/**
 * redis-semaphore@5.5.1 from npm, unmodified: its `Mutex`. It renews by itself, signals a loss and claims no end. It takes clients of
 * ioredis' own class only.
 */
import { Mutex, type LockOptions } from 'redis-semaphore';
import { defineLock, type LockEnv } from '../contract.js';
import { bySemaphore, renews } from './shared/redis-semaphore.js';

export default defineLock({
  name: 'redis-semaphore@5.5.1',
  servers: 1,
  renews,
  connect: (env: LockEnv<never>) =>
    bySemaphore(env, (resource, settings) => mutex(env.clients[0]!, resource, settings)),
});

function mutex(client: never, resource: string, settings: LockOptions): Mutex {
  try {
    return new Mutex(client, resource, settings);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('must be instance of ioredis')) throw error;
    const how = 'under lockpick it gets one with --set processes.transport=wire';
    throw new TypeError(`redis-semaphore@5.5.1: ${error.message}; ${how}`, { cause: error });
  }
}
