/**
 * The lock on one Redis server with a fencing token: one script sets the key and draws the token from a counter, so
 * that tokens come in the order of holds. The counter survives the lock and must survive the server's restarts.
 * Source: Kleppmann, "How to do distributed locking", 2016.
 */
import { COUNTED } from '../quorum/fencing.js';
import { quorumLock } from '../quorum/lock.js';

export default quorumLock('single-fenced', 1, COUNTED);
