/**
 * Mistake: elapsed time and the end of the lease are read on the wall clock, which can be set back.
 * Scenario S15: after a step back the holder believes longer than its keys live.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('pitfall/wall-clock-validity', 'many', { clock: 'wall' });
