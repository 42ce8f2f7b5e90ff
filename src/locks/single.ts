/**
 * The lock on one Redis server: SET NX PX with a random value, removed by a script that compares the value.
 * Source: Redis documentation, "Distributed locks with Redis", the part on a single instance.
 */
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('single', 1);
