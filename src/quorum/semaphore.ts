/**
 * A semaphore on one Redis server: a sorted set with a member for each permit that is given out, scored with the time at which it
 * runs out. Whoever asks takes away what has run out, and gets a permit if there is one left, all in one script.
 */
import type { LockEnv } from '../contract.js';
import { Script } from '../redis/script.js';
import { quorumLock, type QuorumLock, type QuorumLockDefinition } from './lock.js';
import { REFUSED, type Rules } from './rules.js';

/** Whose clock the scores are: the server's, or (a pitfall) that of whoever asks. */
export type ScoreClock = 'server' | 'client';

interface Scripts {
  readonly take: Script;
  readonly renew: Script;
}

/**
 * `now` and `ttl` are milliseconds. A member that runs out this very millisecond is still there, as a key would be. `live` gives
 * the key a life.
 */
function scripts(now: string, live: string): Scripts {
  return {
    take: new Script(
      1,
      `${now}
local ttl = tonumber(ARGV[2])
redis.call('zremrangebyscore', KEYS[1], '-inf', '(' .. now)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) and not redis.call('zscore', KEYS[1], ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], now + ttl, ARGV[1])
${live}
return 1`,
    ),
    renew: new Script(
      1,
      `${now}
local ttl = tonumber(ARGV[2])
local runsOut = redis.call('zscore', KEYS[1], ARGV[1])
if not runsOut or tonumber(runsOut) < now then return 0 end
redis.call('zadd', KEYS[1], now + ttl, ARGV[1])
${live}
return 1`,
    ),
  };
}

const SCRIPTS: Readonly<Record<ScoreClock, Scripts>> = {
  server: scripts(
    `local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`,
    // The key goes with the last of its members.
    `redis.call('pexpireat', KEYS[1], redis.call('zrange', KEYS[1], -1, -1, 'withscores')[2])`,
  ),
  client: scripts(
    `local now = tonumber(ARGV[3])`,
    `if redis.call('pttl', KEYS[1]) < ttl then redis.call('pexpire', KEYS[1], ttl) end`,
  ),
};

const GIVE_BACK = new Script(1, `return redis.call('zrem', KEYS[1], ARGV[1])`);

function semaphoreRules(permits: number, clock: ScoreClock): Partial<Rules> {
  const { take, renew } = SCRIPTS[clock];
  return {
    vote(server, ballot, ttlMs, onReply, onError) {
      const args = [ballot.key, ballot.value, ttlMs, Date.now(), permits];
      server.run(take, args, onReply, onError, ballot);
    },
    readVote: (reply) => (reply === 1 ? 0 : REFUSED),
    unlock(server, ballot, onReply, onError) {
      server.run(GIVE_BACK, [ballot.key, ballot.value], onReply, onError);
    },
    renew(server, ballot, ttlMs, onReply, onError) {
      server.run(renew, [ballot.key, ballot.value, ttlMs, Date.now()], onReply, onError);
    },
  };
}

/** A semaphore as a lock module exports it; `env.permits` says how many may hold it at once. */
export function semaphoreLock(name: string, clock: ScoreClock): QuorumLockDefinition {
  return {
    ...quorumLock(name, 1),
    semaphore: true,
    connect(env: LockEnv): QuorumLock {
      const permits = env.permits ?? 1;
      if (!Number.isInteger(permits) || permits < 1)
        throw new RangeError(`${name} wants a whole number of permits, at least 1, not ${permits}`);
      return quorumLock(name, 1, semaphoreRules(permits, clock)).connect(env);
    },
  };
}
