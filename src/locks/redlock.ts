/**
 * Redlock: the same key on several independent servers, held where a majority agrees in time.
 * Source: Redis documentation, "Distributed locks with Redis", the Redlock algorithm.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('redlock', 'many');
