/**
 * Mistake: release reads the value, compares it in the client and then deletes: two commands, between which the key
 * may expire and be taken.
 * Scenario S9: the delete takes the key of the next holder, and a third one gets in beside it.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/get-then-del', 1, {
  unlock(server, ballot, onReply, onError) {
    server
      .get(ballot.key)
      .then((value) => (value === ballot.value ? server.del(ballot.key) : 0))
      .then(onReply, onError);
  },
});
