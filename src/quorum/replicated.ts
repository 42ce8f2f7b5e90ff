import type { Rules } from './rules.js';

/** A vote that counts only when enough replicas have it as well. The key is there, and goes with the failed attempt. */
export class UnreplicatedVote extends Error {
  override readonly name = 'UnreplicatedVote';
}

/**
 * The same rules with votes that wait for `replicas` replicas, `timeoutMs` at most. Not a guarantee: a replica that is not
 * among them can still be promoted. Source: the Redis WAIT page; redisson #2669.
 */
export function replicatedVotes(rules: Rules, replicas: number, timeoutMs: number): Rules {
  return {
    ...rules,
    vote(server, ballot, ttlMs, onReply, onError) {
      const voted = (reply: unknown): void => {
        if (reply === null) onReply(reply);
        else server.wait(replicas, timeoutMs).then((count) => acknowledged(reply, Number(count)), onError);
      };
      const acknowledged = (reply: unknown, count: number): void => {
        if (count >= replicas) onReply(reply);
        else onError(new UnreplicatedVote(`${count} of ${replicas} replicas have the key "${ballot.key}"`));
      };
      rules.vote(server, ballot, ttlMs, voted, onError);
    },
  };
}
