/** redlock-universal@0.8.5 from npm, unmodified: `createRedlock`. It claims no end and signals no loss. */
import { defineLock, type LockEnv } from '../contract.js';
import { byHandle, distributed, type Client } from './shared/redlock-universal.js';

const name = 'redlock-universal@0.8.5/redlock';

export default defineLock({
  name,
  servers: 'many',
  connect: (env: LockEnv<Client>) => byHandle(name, env, distributed(env)),
});
