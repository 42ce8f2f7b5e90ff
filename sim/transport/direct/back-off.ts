/** How long clients wait before they connect again. */
import type { Process } from '../../host/process.js';

/** Milliseconds from a loss, or an attempt that failed, to the next attempt; counted from 1. */
export type BackOff = (attempt: number, host: Process) => number;

export const ioredisBackOff: BackOff = (attempt) => Math.min(50 * attempt, 2000);

/** At once, then 50 ms doubled each time up to 2 s, with up to 200 ms of jitter. */
export const nodeRedisBackOff: BackOff = (attempt, { draws }) =>
  attempt === 1 ? 0 : Math.min(50 * 2 ** (attempt - 2), 2000) + Math.floor(draws.unit() * 200);
