/**
 * Mistake: an attempt that failed, or was withdrawn, does not remove the keys it set.
 * Scenarios S11 and R12: the keys block everybody, also their setter, until their time to live is over.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/no-release-on-failure', 'many', { releasesOnFailure: false });
