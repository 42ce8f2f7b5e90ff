/**
 * redlock-universal@0.8.5 from npm, unmodified: `LockManager`, on one server its simple locks, on several its Redlock. It claims no end, signals
 * no loss and does not renew.
 */
import { IoredisAdapter, LockManager } from 'redlock-universal';
import { defineLock, type LockEnv } from '../contract.js';
import { neverRenews, refusing } from './shared/refusing.js';
import { explain, retries, type Client } from './shared/redlock-universal.js';
import { unlessWithdrawn } from './shared/withdrawal.js';

const name = 'redlock-universal@0.8.5/lock-manager';

export default defineLock({
  name,
  servers: 'many',
  connect({ clients, options }: LockEnv<Client>) {
    if (options['watchdog'] === true) return refusing(neverRenews(name));
    const manager = new LockManager({ nodes: clients.map((client) => new IoredisAdapter(client)) });
    const useRedLock = clients.length > 1;
    return {
      async acquire(resource, { ttlMs, signal }) {
        signal?.throwIfAborted();
        const handle = await manager
          .acquireLock(resource, { useRedLock, ttl: ttlMs, ...retries({ options }) })
          .catch(explain);
        const release = async (): Promise<void> => void (await manager.releaseLock(handle));
        return unlessWithdrawn(signal, { value: handle.value, release });
      },
    };
  },
});
