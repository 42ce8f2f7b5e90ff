/** @microfleet/ioredis-lock@6.0.1 from npm, unmodified. It claims no end and signals no loss. */
import { createLock } from '@microfleet/ioredis-lock';
import { defineLock, type LockEnv } from '../contract.js';
import { byLockObject } from './shared/ioredis-lock.js';

const name = '@microfleet/ioredis-lock@6.0.1';

export default defineLock({
  name,
  servers: 1,
  connect(env: LockEnv) {
    const jitter = jitterOf(env.options);
    return byLockObject(name, env, (config) => createLock(env.clients[0], { ...config, ...jitter }));
  },
});

/** The library takes the longest pause as a multiple of the shortest. */
function jitterOf(options: LockEnv['options']): { jitter?: number } {
  const { retryDelayMs, retryJitterMs } = options as Record<string, number | undefined>;
  return retryDelayMs && retryJitterMs !== undefined ? { jitter: 1 + retryJitterMs / retryDelayMs } : {};
}
