/** redlock@4.2.0 from npm, unmodified, as a user would call it. It claims a wall clock end and signals no loss. */
import { defineLock, type LockEnv } from '../contract.js';
import { byLock } from './shared/redlock-4.js';

const name = 'redlock@4.2.0';

export default defineLock({
  name,
  servers: 'many',
  connect: (env: LockEnv) => byLock(name, env.clients, env),
});
