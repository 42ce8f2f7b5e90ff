/**
 * redlock-universal@0.8.5 from npm, unmodified: `using`, of `createLock` on one server and of `createRedlock` on several. It
 * renews by itself, signals a loss and claims no end.
 */
import { defineLock, type LockEnv } from '../contract.js';
import { distributed, explain, simple, type Client } from './shared/redlock-universal.js';
import { holdInside } from './shared/using.js';

export default defineLock({
  name: 'redlock-universal@0.8.5/using',
  servers: 'many',
  renews: true,
  connect(env: LockEnv<Client>) {
    const make = env.clients.length === 1 ? simple(env) : distributed(env);
    return {
      acquire: (resource, options) =>
        holdInside((routine) => make(resource, options.ttlMs).using(routine), options).catch(explain),
    };
  },
});
