/** The contender for which the preconditions of the catalogue are exact. */
import type { ScenarioInput } from '../scenario/schema.js';

type Override = NonNullable<ScenarioInput['overrides']>[string];

/** Asks every millisecond, so that it has the lock as soon as it can be had; for twenty seconds. */
export const EAGER = {
  options: { retryCount: 20_000, retryDelayMs: 1, retryJitterMs: 0 },
} as const satisfies NonNullable<Override['lock']>;

/**
 * The eager rival: its links take no time and it asks every millisecond, so that its SET is applied the instant the
 * key is gone. It starts late, because asking in vain only makes the run longer.
 */
export function eagerRival(startMs: number, workload: NonNullable<Override['workload']> = {}): Override {
  return {
    network: { latencyMs: 0 },
    workload: { startMs, workMs: 0, ...workload },
    lock: { options: { retryCount: 5000, retryDelayMs: 1, retryJitterMs: 0 } },
  };
}
