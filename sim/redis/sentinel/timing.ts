/** Periods and limits of a Sentinel that Redis 7.0 fixes, in milliseconds of its wall clock. */
export const PING_PERIOD_MS = 1000;
export const INFO_PERIOD_MS = 10_000;
/** While a failover is under way, or a replica has lost its master. */
export const INFO_PERIOD_FAILOVER_MS = 1000;
export const ASK_PERIOD_MS = 1000;
export const HELLO_PERIOD_MS = 2000;
/** A role that does not fit is put right after so long. */
export const WRONG_ROLE_MS = 4 * HELLO_PERIOD_MS;
/** Votes and failovers wait for a random time up to this: two Sentinels seldom try at once. */
export const MOST_DESYNC_MS = 1000;
/** A candidate that is not elected by then gives up. */
export const ELECTION_TIMEOUT_MS = 10_000;
/** A connection is not given up sooner after it was opened. */
export const LEAST_RECONNECT_MS = 15_000;
/** A replica that is told of its new master and says nothing of it for so long counts as done. */
export const RECONF_TIMEOUT_MS = 10_000;
/** Between two rounds of the timer more time than this, or less than none, means that the clock or the host can't be trusted. */
export const TILT_TRIGGER_MS = 2000;
export const TILT_PERIOD_MS = 30 * PING_PERIOD_MS;
/** Replicas that are led to their new master at the same time. */
export const PARALLEL_SYNCS = 1;
/** Rounds of the timer in a second: from this up to less than twice as many, drawn anew each round. */
export const LEAST_ROUNDS_PER_SECOND = 10;
export const MOST_PENDING = 100;

export const REDIS_PORT = 6379;
export const SENTINEL_PORT = 26_379;
export const HELLO_CHANNEL = '__sentinel__:hello';
