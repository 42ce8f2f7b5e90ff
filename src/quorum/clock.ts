import type { ClockName } from '../contract.js';

/** Reads a clock of this process, in milliseconds. */
export function readClock(clock: ClockName): number {
  return clock === 'monotonic' ? performance.now() : Date.now();
}
