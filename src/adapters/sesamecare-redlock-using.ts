/** @sesamecare-oss/redlock@1.4.0 from npm, unmodified: `using`. It renews by itself and signals a loss. */
import { Redlock } from '@sesamecare-oss/redlock';
import { defineLock, type LockEnv } from '../contract.js';
import { byUsing } from './shared/redlock-5.js';

export default defineLock({
  name: '@sesamecare-oss/redlock@1.4.0/using',
  servers: 'many',
  renews: true,
  connect: (env: LockEnv) => byUsing(Redlock, env),
});
