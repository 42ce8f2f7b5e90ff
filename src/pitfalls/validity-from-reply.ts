/**
 * Mistake: the lease is measured from the arrival of the reply, but the key lives from the arrival of the request.
 * Scenario S4: with a reply slower than the drift allowance the holder believes longer than its key lives.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/validity-from-reply', 1, { measuredFrom: 'reply' });
