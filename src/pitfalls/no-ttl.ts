/**
 * Mistake: the key is set without a time to live. The lock can claim no end; a holder that crashes keeps it for ever.
 * Scenario S5: nobody else makes progress after the crash.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/no-ttl', 1, {
  expires: false,
  vote(server, ballot, _ttlMs, onReply, onError) {
    server.setIfAbsentForever(ballot.key, ballot.value).then(onReply, onError);
  },
});
