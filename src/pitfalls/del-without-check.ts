/**
 * Mistake: release deletes the key, whoever holds it by now.
 * Scenario S8: a release after the lease ended deletes the key of the next holder, and a third one gets in beside it.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/del-without-check', 1, {
  // Else every attempt that is refused would delete the holder's key: another mistake than this one.
  unlocksWhereRefused: false,
  unlock(server, ballot, onReply, onError) {
    server.del(ballot.key).then(onReply, onError);
  },
});
