/** @sesamecare-oss/redlock@1.4.0 from npm, unmodified: `acquire`. It claims a wall clock end and signals no loss. */
import { Redlock } from '@sesamecare-oss/redlock';
import { defineLock, type LockEnv } from '../contract.js';
import { byAcquire } from './shared/redlock-5.js';

const name = '@sesamecare-oss/redlock@1.4.0';

export default defineLock({
  name,
  servers: 'many',
  connect: (env: LockEnv) => byAcquire(name, Redlock, env),
});
