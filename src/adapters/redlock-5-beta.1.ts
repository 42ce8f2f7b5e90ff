/** redlock@5.0.0-beta.1 from npm, unmodified: `acquire`. It claims a wall clock end and signals no loss. */
import Redlock from 'redlock';
import { defineLock, type LockEnv } from '../contract.js';
import { byAcquire, type RedlockClass } from './shared/redlock-5.js';

const name = 'redlock@5.0.0-beta.1';

export default defineLock({
  name,
  servers: 'many',
  // The types known here are those of version 4.
  connect: (env: LockEnv) => byAcquire(name, Redlock as unknown as RedlockClass, env),
});
