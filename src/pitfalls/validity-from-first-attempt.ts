/**
 * Mistake: the lease is measured from the first attempt of the asking, not from the one that succeeded. (A check of that
 * end would refuse every lock that had to be waited for: like the libraries that made the mistake, it makes none.)
 * Scenario E4: a lock that had to wait for its turn is over, as it says itself, when it is granted.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/validity-from-first-attempt', 'many', {
  measuredFrom: 'first-attempt',
  checksValidity: false,
});
