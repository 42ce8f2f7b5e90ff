/**
 * Mistake: a quorum of votes is success, however long it took to come in.
 * Scenario R1: a lock is returned whose keys have expired already; another holder may be at work.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/no-validity-check', 'many', { checksValidity: false });
