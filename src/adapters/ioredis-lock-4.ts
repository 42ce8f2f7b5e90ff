/**
 * ioredis-lock@4.0.0 from npm, unmodified. It claims no end and signals no loss. It names ioredis 4 as its peer and is given ioredis 5, as
 * an `overrides` entry lets a user do: it calls nothing that the two do differently.
 */
import { createLock } from 'ioredis-lock';
import { defineLock, type LockEnv } from '../contract.js';
import { byLockObject } from './shared/ioredis-lock.js';

const name = 'ioredis-lock@4.0.0';

export default defineLock({
  name,
  servers: 1,
  connect: (env: LockEnv) => byLockObject(name, env, (config) => createLock(env.clients[0], config)),
});
