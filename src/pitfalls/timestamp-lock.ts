/**
 * Mistake: the value says when the lock expires, and whoever finds it expired deletes it and sets it again, in two
 * commands. (A unique part is added to the value, so that release deletes nobody else's key: that would be another
 * mistake.)
 * Scenario S7: two clients find the same expired lock; the second one's DEL takes the key that the first one just set.
 * Source: the Redis SETNX page as it once was, which warns of it.
 */
import { randomUUID } from 'node:crypto';
import { later } from '../quorum/ballot-box.js';
import { quorumLock } from '../quorum/lock.js';
import type { Ballot } from '../quorum/rules.js';
import type { RedisServer } from '../redis/server.js';

async function take(server: RedisServer, ballot: Ballot): Promise<string | null> {
  if (Number(await server.setnx(ballot.key, ballot.value)) === 1) return 'OK';
  const found = await server.get(ballot.key);
  if (typeof found !== 'string' || Number.parseFloat(found) >= Date.now()) return null;
  // Given up meanwhile: the clean-up is on its way and would not see what comes after it.
  if (ballot.givenUp) return null;
  await server.del(ballot.key);
  if (ballot.givenUp) return null;
  return Number(await server.setnx(ballot.key, ballot.value)) === 1 ? 'OK' : null;
}

export default quorumLock('pitfall/timestamp-lock', 1, {
  clock: 'wall',
  newValue: (startMs, ttlMs) => `${startMs + ttlMs} ${randomUUID()}`,
  vote(server, ballot, _ttlMs, onReply, onError) {
    take(server, ballot).then(onReply, onError);
  },
  renew(_server, _ballot, _ttlMs, _onReply, onError) {
    later(onError, new Error('a lock whose value is its time of expiry is not extended'));
  },
});
