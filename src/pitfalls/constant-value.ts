/**
 * Mistake: every holder writes the same value, so that comparing it before the delete tells nothing.
 * Scenario S10: a release after the lease ended deletes the key of the next holder, and a third one gets in beside it.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/constant-value', 1, {
  newValue: () => 'locked',
  // Else every attempt that is refused would delete the holder's key: another mistake than this one.
  unlocksWhereRefused: false,
});
