import type { AcquireOptions, Lock, LockDefinition, LockEnv } from '../contract.js';
import { readOptions, type LockOptions } from '../options.js';
import { redisServer, type RedisServer } from '../redis/server.js';
import { Acquisition } from './acquisition.js';
import type { DisposableGrant } from './grant.js';
import { replicatedVotes } from './replicated.js';
import { REFERENCE_RULES, type Rules } from './rules.js';

/** Time after which a silent server's vote counts as missing, where several servers vote. */
const QUORUM_SERVER_TIMEOUT_MS = 50;

/** A lock over independent servers that follows `rules`; one server is a quorum of one. */
export class QuorumLock implements Lock {
  readonly quorum: number;

  constructor(
    readonly rules: Rules,
    readonly servers: readonly RedisServer[],
    readonly options: LockOptions,
  ) {
    this.quorum = rules.quorum(servers.length);
  }

  /**
   * Rejects with `NotAcquired` when others kept the lock through all attempts, with `QuorumUnreachable` when the last
   * attempt failed for want of answers, with the signal's reason when withdrawn, and with a RangeError for a ttl that
   * leaves no validity.
   */
  acquire(resource: string, options: AcquireOptions): Promise<DisposableGrant> {
    return new Promise((resolve, reject) => {
      new Acquisition(this, resource, options.ttlMs, options.signal, resolve, reject).begin();
    });
  }

  /** How long to wait for a server: never longer than the lease could last. */
  serverTimeoutMs(ttlMs: number): number {
    const { serverTimeoutMs } = this.options;
    return serverTimeoutMs === undefined || serverTimeoutMs > ttlMs ? ttlMs : serverTimeoutMs;
  }

  /** The reading of the lock's clock at which a lease measured from `fromMs` must be taken to be over. */
  leaseEndMs(fromMs: number, ttlMs: number): number {
    return fromMs + ttlMs - this.rules.driftAllowanceMs(ttlMs, this.options.driftFactor);
  }
}

/** A lock of this family; its grants are given up by `await using`. */
export interface QuorumLockDefinition extends LockDefinition<unknown> {
  connect(env: LockEnv): QuorumLock;
}

/** A lock of this family as a lock module exports it. `changes` is what differs from the reference. */
export function quorumLock(
  name: string,
  servers: 1 | 'many',
  changes: Partial<Rules> = {},
): QuorumLockDefinition {
  const rules: Rules = { ...REFERENCE_RULES, ...changes };
  return {
    name,
    servers,
    renews: (options) => options.watchdog === true,
    connect(env: LockEnv): QuorumLock {
      if (env.clients.length === 0 || (servers === 1 && env.clients.length > 1)) {
        const wanted = servers === 1 ? 'one server' : 'at least one server';
        throw new RangeError(`${name} wants ${wanted}, not ${env.clients.length}`);
      }
      const options = readOptions(env.options, servers === 1 ? undefined : QUORUM_SERVER_TIMEOUT_MS);
      const { waitReplicas, waitMs } = options;
      const voting = waitReplicas > 0 ? replicatedVotes(rules, waitReplicas, waitMs) : rules;
      return new QuorumLock(voting, env.clients.map(redisServer), options);
    },
  };
}
