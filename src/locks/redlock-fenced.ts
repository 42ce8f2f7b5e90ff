/**
 * Redlock with a fencing token: one more than the highest counter among a quorum of votes, written to a quorum of
 * the servers that voted before the last check of validity. See `quorum/fencing.ts` for why that is monotone.
 */
import { RAISED } from '../quorum/fencing.js';
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('redlock-fenced', 'many', RAISED);
