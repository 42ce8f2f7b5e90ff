/** redis-semaphore@5.8.0 from npm, unmodified: its `Semaphore`. It renews by itself, signals a loss and claims no end. */
import { Semaphore } from 'redis-semaphore';
import { defineLock, type LockEnv } from '../contract.js';
import { bySemaphore, renews } from './shared/redis-semaphore.js';

export default defineLock({
  name: 'redis-semaphore@5.8.0/semaphore',
  servers: 1,
  semaphore: true,
  renews,
  connect: (env: LockEnv<never>) =>
    bySemaphore(
      env,
      (resource, settings) => new Semaphore(env.clients[0]!, resource, env.permits ?? 1, settings),
    ),
});
