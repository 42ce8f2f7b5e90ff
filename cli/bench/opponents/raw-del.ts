/** What the model checker's -DDELRAW is: Redlock whose release deletes the keys, whoever holds them by now. */
import { quorumLock } from '../../../src/quorum/lock.js';

export default quorumLock('raw-del', 'many', {
  // As in the pitfall of one server: only the release is wrong.
  unlocksWhereRefused: false,
  unlock(server, ballot, onReply, onError) {
    server.del(ballot.key).then(onReply, onError);
  },
});
