/** redlock-universal@0.8.5 from npm, unmodified: `createLock`. It claims no end and signals no loss. */
import { defineLock, type LockEnv } from '../contract.js';
import { byHandle, simple, type Client } from './shared/redlock-universal.js';

const name = 'redlock-universal@0.8.5/simple';

export default defineLock({
  name,
  servers: 1,
  connect: (env: LockEnv<Client>) => byHandle(name, env, simple(env)),
});
