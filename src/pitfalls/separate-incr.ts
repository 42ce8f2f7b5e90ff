/**
 * Mistake: the fencing token is drawn by an INCR of its own, after the lock was set and checked.
 * Scenario F3: a holder whose INCR is late gets a higher token than the holder after it.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/separate-incr', 1, { fencing: 'minted-later' });
