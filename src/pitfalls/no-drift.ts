/**
 * Mistake: no allowance for clocks that run at different rates: the claimed end is the whole ttl after the start.
 * Scenarios S16 and R7: where the server's clock runs faster than the client's, the holder believes too long.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/no-drift', 'many', { driftAllowanceMs: () => 0 });
