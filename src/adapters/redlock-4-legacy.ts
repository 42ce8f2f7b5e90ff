/**
 * redlock@4.2.0 from npm, unmodified, over the callbacks that redis@4 has in its "legacy mode". It claims a wall clock end and signals
 * no loss.
 */
import { defineLock, type LockEnv } from '../contract.js';
import { byLock } from './shared/redlock-4.js';
import { refusing } from './shared/refusing.js';

const name = 'redlock@4.2.0/legacy';

/** A client of redis@4. */
interface Client {
  duplicate(overrides: { readonly legacyMode: boolean }): LegacyClient;
}

interface LegacyClient {
  /** The client without callbacks; throws where the mode is off. */
  readonly v4?: object;
  on(event: 'error', listener: () => void): unknown;
  connect(): Promise<unknown>;
}

export default defineLock({
  name,
  servers: 'many',
  client: 'node-redis',
  connect(env: LockEnv<Client>) {
    const clients = env.clients.map((client) => client.duplicate({ legacyMode: true }));
    if (!clients.every(isLegacy))
      return refusing(
        `${name} wants clients of redis@4, the last with a legacy mode; under lockpick it gets them with --set processes.transport=wire --set processes.clientPackage=redis@4`,
      );
    for (const client of clients) {
      client.on('error', () => {});
      client.connect().catch(() => {});
    }
    return byLock(name, clients, env);
  },
});

function isLegacy(client: LegacyClient): boolean {
  try {
    return typeof client.v4 === 'object';
  } catch {
    return false;
  }
}
