/**
 * redislock@1.3.0 from npm, unmodified. It claims no end and signals no loss. It is for the callback clients of node_redis 2 and 3; ioredis has
 * their callbacks, too, and lacks `send_command` only, by which the library sends a script that a server does not know yet. Who uses it with
 * ioredis adds that one.
 */
import { createLock } from 'redislock';
import { defineLock, type LockEnv } from '../contract.js';
import { byLockObject, type Config } from './shared/ioredis-lock.js';

const name = 'redislock@1.3.0';

type Done = (error: Error | null, reply?: unknown) => void;

interface Client {
  eval(args: readonly unknown[], done: Done): unknown;
  send_command?: (command: 'eval', args: readonly unknown[], done: Done) => void;
}

export default defineLock({
  name,
  servers: 1,
  connect(env: LockEnv<Client>) {
    const client = env.clients[0]!;
    client.send_command ??= (_eval, args, done) => void client.eval(args, done);
    return byLockObject(name, env, (config) => createLock(client, spelled(config)));
  },
});

/** The library writes -1 for retries without end. */
function spelled(config: Config): Config {
  return config.retries === Infinity ? { ...config, retries: -1 } : config;
}
