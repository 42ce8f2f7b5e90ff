/**
 * Mistake: SETNX, then the time to live by a second command (in whole seconds, as EXPIRE takes them).
 * Scenario S6: a crash between the two leaves a key that never goes; nobody makes progress any more.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/setnx-then-expire', 1, {
  vote(server, ballot, ttlMs, onReply, onError) {
    server
      .setnx(ballot.key, ballot.value)
      .then((set) => {
        if (Number(set) !== 1) return null;
        // Given up meanwhile: the key is on its way out, and may be another's by now.
        return ballot.givenUp ? 'OK' : server.expire(ballot.key, Math.ceil(ttlMs / 1000)).then(() => 'OK');
      })
      .then(onReply, onError);
  },
});
