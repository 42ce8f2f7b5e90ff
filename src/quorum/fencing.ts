/**
 * Votes that carry the server's counter of fencing tokens, and the raise of a counter to a token.
 *
 * On several servers the highest of independent counters is not monotone by itself. The token is therefore one more
 * than the highest counter of a quorum of votes, and counts only once a quorum **of those that voted** holds it: any
 * later quorum shares one of these servers, and that server's later vote carries at least this token.
 */
import { Script } from '../redis/script.js';
import type { Rules } from './rules.js';
import { REFUSED } from './rules.js';

/**
 * Where the counter of a resource's fencing tokens lives. It has no life of its own: tokens must never fall. In a Redis Cluster it shares
 * the slot of the lock's key, as the scripts that touch both need: by the resource's own hash tag, or with the whole resource as one.
 * (A resource with a brace but no tag can't be one; its tokens need a server of their own.)
 */
export function fenceKey(resource: string): string {
  return /[{}]/.test(resource) ? `${resource}:fence` : `{${resource}}:fence`;
}

const NOT_SET = `if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return -1 end`;

const SET_AND_COUNT = new Script(
  2,
  `${NOT_SET}
return redis.call('incr', KEYS[2])`,
);

const SET_AND_READ = new Script(
  2,
  `${NOT_SET}
return tonumber(redis.call('get', KEYS[2]) or '0')`,
);

/**
 * Writes the token where it is higher than what is there, but only while the key is still ours: a server that has
 * voted for the next holder already told it a counter without this token.
 */
export const RAISE = new Script(
  2,
  `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(redis.call('get', KEYS[2]) or '0') < tonumber(ARGV[2]) then redis.call('set', KEYS[2], ARGV[2]) end
return 1`,
);

function votesBy(script: Script, fencing: Rules['fencing']): Partial<Rules> {
  return {
    fencing,
    vote(server, ballot, ttlMs, onReply, onError) {
      const args = [ballot.key, fenceKey(ballot.key), ballot.value, ttlMs];
      server.run(script, args, onReply, onError, ballot);
    },
    readVote: (reply) => Math.max(REFUSED, Number(reply)),
  };
}

/** One server: the key and the token in one script. */
export const COUNTED: Partial<Rules> = votesBy(SET_AND_COUNT, 'counter');

/** Several servers: the key and the counter in one script, the token raised before the lock counts as held. */
export const RAISED: Partial<Rules> = votesBy(SET_AND_READ, 'raised');
