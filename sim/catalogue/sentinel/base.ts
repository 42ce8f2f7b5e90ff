/** What the rows share in which nobody promotes a replica but the Sentinels. */
import type { ScenarioInput } from '../../scenario/schema.js';

/** Long enough for a failover: the Sentinels agree within two seconds or so, and a lease of ten is still running then. */
export const TTL_MS = 10_000;

/** Three Sentinels that lose patience after half a second. */
export const SENTINELS = {
  count: 3,
  quorum: 2,
  downAfterMs: 500,
  failoverTimeoutMs: 5000,
} as const satisfies NonNullable<NonNullable<ScenarioInput['servers']>['sentinels']>;
