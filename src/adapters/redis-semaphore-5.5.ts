/**
 * redis-semaphore@5.5.1 from npm, unmodified: its `Mutex`. It renews by itself, signals a loss and claims no end. It takes clients of
 * ioredis' own class only.
 */
import { oldMutex } from './shared/redis-semaphore.js';

export default oldMutex('5.5.1');
