/**
 * Mistake: acquire, extend and release wait until every server has answered, without a limit.
 * Scenario R11: one silent server, and no call ever settles although a majority is well.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/waits-for-all', 'many', { waitsForAll: true });
