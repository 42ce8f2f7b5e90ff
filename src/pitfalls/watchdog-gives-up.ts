/**
 * Mistake: the lease is renewed in the background, and the first renewal that fails, for whatever reason, is the last: nobody is told, and
 * the holder goes on as if it were renewed for ever.
 * Scenario E6: a failover breaks the connection under a renewal. The key lives on with the new master until its ttl is over.
 * Source: redisson #775.
 */
import { randomUUID } from 'node:crypto';
import { defineLock, LockLost, NotAcquired, type AcquireOptions, type Grant } from '../contract.js';
import { readOptions, type LockOptions } from '../options.js';
import { redisServer, type RedisServer } from '../redis/server.js';
import type { Script } from '../redis/script.js';
import { RENEW, UNLOCK } from '../quorum/rules.js';

function run(server: RedisServer, script: Script, args: readonly (string | number)[]): Promise<unknown> {
  return new Promise((resolve, reject) => server.run(script, args, resolve, reject));
}

class WatchedGrant implements Grant {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly server: RedisServer,
    private readonly key: string,
    readonly value: string,
    ttlMs: number,
  ) {
    this.timer = setInterval(() => {
      run(server, RENEW, [key, value, ttlMs]).then(
        (renewed) => {
          if (Number(renewed) !== 1) this.lose();
        },
        () => clearInterval(this.timer),
      );
    }, ttlMs / 3);
  }

  get lost(): AbortSignal {
    return this.controller.signal;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    const removed = await run(this.server, UNLOCK, [this.key, this.value]);
    if (Number(removed) !== 1) throw new LockLost(`the lock "${this.key}" was lost before it was released`);
  }

  private lose(): void {
    clearInterval(this.timer);
    this.controller.abort(new LockLost(`the lock "${this.key}" is another's`));
  }
}

async function acquire(
  server: RedisServer,
  options: LockOptions,
  key: string,
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  for (let attempt = 0; attempt <= options.retryCount; attempt++) {
    signal?.throwIfAborted();
    const value = randomUUID();
    if ((await server.setIfAbsent(key, value, ttlMs)) !== null)
      return new WatchedGrant(server, key, value, ttlMs);
    const delayMs = options.retryDelayMs + (Math.random() * 2 - 1) * options.retryJitterMs;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
  throw new NotAcquired(`"${key}" is taken`);
}

export default defineLock({
  name: 'pitfall/watchdog-gives-up',
  servers: 1,
  renews: true,
  connect(env) {
    const server = redisServer(env.clients[0]);
    const options = readOptions(env.options, undefined);
    return { acquire: (resource, asked) => acquire(server, options, resource, asked) };
  },
});
