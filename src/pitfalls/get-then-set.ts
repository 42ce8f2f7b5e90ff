/**
 * Mistake: reads whether the key is free and then sets it, in two commands. Between the two another client takes the lock; where the
 * read goes to a replica, the key may have been set long before and not have got there yet.
 * Scenario S26: the replica does not know of the lock, and the SET takes it from its holder.
 */
import { quorumLock } from '../quorum/lock.js';
import type { Ballot } from '../quorum/rules.js';
import type { RedisServer } from '../redis/server.js';

async function take(server: RedisServer, ballot: Ballot, ttlMs: number): Promise<unknown> {
  if ((await server.get(ballot.key)) !== null || ballot.givenUp) return null;
  return server.set(ballot.key, ballot.value, ttlMs);
}

export default quorumLock('pitfall/get-then-set', 1, {
  vote(server, ballot, ttlMs, onReply, onError) {
    take(server, ballot, ttlMs).then(onReply, onError);
  },
});
