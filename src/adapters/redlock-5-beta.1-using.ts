/** redlock@5.0.0-beta.1 from npm, unmodified: `using`. It renews by itself, signals a loss and claims no end. */
import Redlock from 'redlock';
import { defineLock, type LockEnv } from '../contract.js';
import { byUsing, type RedlockClass } from './shared/redlock-5.js';

export default defineLock({
  name: 'redlock@5.0.0-beta.1/using',
  servers: 'many',
  renews: true,
  // The types known here are those of version 4.
  connect: (env: LockEnv) => byUsing(Redlock as unknown as RedlockClass, env),
});
