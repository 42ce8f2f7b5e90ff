/** What a process tells its client package. Runs inside the seal: types only. */
export interface ClientPlan {
  /** Names of the servers, in order. */
  readonly servers: readonly string[];
  /** Names of the Sentinels; none: servers are reached by their names. */
  readonly sentinels: readonly string[];
  /** The servers are nodes of one Redis Cluster. */
  readonly cluster: boolean;
  readonly commandTimeoutMs: number | null;
  readonly offlineQueue: boolean;
  readonly maxRetriesPerRequest: number | null;
}
