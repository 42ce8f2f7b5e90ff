/** redis-semaphore@5.8.0 from npm, unmodified: its `Mutex`. It renews by itself, signals a loss and claims no end. */
import { Mutex } from 'redis-semaphore';
import { defineLock, type LockEnv } from '../contract.js';
import { bySemaphore, renews } from './shared/redis-semaphore.js';

export default defineLock({
  name: 'redis-semaphore@5.8.0',
  servers: 1,
  renews,
  connect: (env: LockEnv<never>) =>
    bySemaphore(env, (resource, settings) => new Mutex(env.clients[0]!, resource, settings)),
});
