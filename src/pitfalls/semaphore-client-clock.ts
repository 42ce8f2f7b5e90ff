/**
 * Mistake: permits are scored with the wall clock of the client that takes or renews them, and taken away by that of the next.
 * Scenario Q1: a client whose clock is ahead takes away permits that are still running.
 * Source: the npm package redis-semaphore, whose Semaphore scores its permits so.
 */
import { semaphoreLock } from '../quorum/semaphore.js';

export default semaphoreLock('pitfall/semaphore-client-clock', 'client');
