/**
 * A semaphore on one Redis server: as many holders at once as it has permits. Permits run out by the server's own clock, so
 * that it does not matter what the clients' clocks show.
 */
import { semaphoreLock } from '../quorum/semaphore.js';

export default semaphoreLock('semaphore', 'server');
