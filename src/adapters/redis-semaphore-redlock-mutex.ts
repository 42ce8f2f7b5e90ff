/** redis-semaphore@5.8.0 from npm, unmodified: its `RedlockMutex`. It renews by itself, signals a loss and claims no end. */
import { RedlockMutex } from 'redis-semaphore';
import { defineLock, type LockEnv } from '../contract.js';
import { bySemaphore, renews } from './shared/redis-semaphore.js';

export default defineLock({
  name: 'redis-semaphore@5.8.0/redlock-mutex',
  servers: 'many',
  renews,
  connect: (env: LockEnv<never>) =>
    bySemaphore(env, (resource, settings) => new RedlockMutex([...env.clients], resource, settings)),
});
