/**
 * Mistake: half of the servers is taken for a majority, which an even number of servers has twice.
 * Scenario R10: on two or four servers both sides of a tie get the lock.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/half-quorum', 'many', { quorum: (count) => Math.ceil(count / 2) });
