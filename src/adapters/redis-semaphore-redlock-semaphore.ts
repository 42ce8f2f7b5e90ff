/** redis-semaphore@5.8.0 from npm, unmodified: its `RedlockSemaphore`. It renews by itself, signals a loss and claims no end. */
import { RedlockSemaphore } from 'redis-semaphore';
import { defineLock, type LockEnv } from '../contract.js';
import { bySemaphore, renews } from './shared/redis-semaphore.js';

export default defineLock({
  name: 'redis-semaphore@5.8.0/redlock-semaphore',
  servers: 'many',
  semaphore: true,
  renews,
  connect: (env: LockEnv<never>) =>
    bySemaphore(
      env,
      (resource, settings) => new RedlockSemaphore([...env.clients], resource, env.permits ?? 1, settings),
    ),
});
