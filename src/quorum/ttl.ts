import type { QuorumLock } from './lock.js';

export function assertTtl(lock: QuorumLock, ttlMs: number): void {
  if (!(ttlMs > 0 && ttlMs <= 2 ** 31 - 1) || lock.leaseEndMs(0, ttlMs) < 1) {
    throw new RangeError(`ttlMs must leave at least 1 ms after the drift allowance, not ${ttlMs}`);
  }
}

/** Redis takes whole milliseconds; a longer life than claimed does no harm. */
export function wholeMs(ttlMs: number): number {
  return Math.ceil(ttlMs);
}
