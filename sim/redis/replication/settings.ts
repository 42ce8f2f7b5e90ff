import type { Bytes } from '../keyspace.js';

/** What a scenario decides of a server's replication. */
export interface ReplicationPlan {
  /** Writes are refused with fewer good replicas; 0: never. */
  readonly minReplicas: number;
  /** A replica is good if its last acknowledgement is at most so many whole seconds old. */
  readonly maxLagS: number;
  /** How long a replica takes to load a full copy; it answers LOADING meanwhile. */
  readonly loadUs: number;
}

export const NO_REPLICATION: ReplicationPlan = { minReplicas: 0, maxLagS: 10, loadUs: 0 };

/** The parameters of replication, with the defaults of Redis 7.0. */
export class ReplicationSettings {
  minReplicas: number;
  maxLagS: number;
  readonly loadUs: number;
  /** `repl-timeout`: a master or replica that is silent for longer is given up. */
  timeoutS = 60;
  /** `repl-ping-replica-period`. */
  pingS = 10;
  /** `repl-diskless-sync-delay`: a full copy waits for so long, in case more replicas ask. */
  copyDelayS = 5;
  /** `replica-serve-stale-data`. */
  serveStale = true;
  /** `replica-priority`, for Sentinel. */
  priority = 100;

  constructor({ minReplicas, maxLagS, loadUs }: ReplicationPlan) {
    this.minReplicas = minReplicas;
    this.maxLagS = maxLagS;
    this.loadUs = loadUs;
  }

  /** CONFIG GET; undefined: none of replication's. */
  get(name: string): Bytes | undefined {
    switch (name) {
      case 'min-replicas-to-write':
        return String(this.minReplicas);
      case 'min-replicas-max-lag':
        return String(this.maxLagS);
      case 'repl-timeout':
        return String(this.timeoutS);
      case 'repl-ping-replica-period':
        return String(this.pingS);
      case 'repl-diskless-sync-delay':
        return String(this.copyDelayS);
      case 'replica-serve-stale-data':
        return this.serveStale ? 'yes' : 'no';
      case 'replica-priority':
        return String(this.priority);
      default:
        return undefined;
    }
  }

  /** CONFIG SET of a value that is known to be valid; false: none of replication's. */
  set(name: string, value: Bytes): boolean {
    switch (name) {
      case 'min-replicas-to-write':
        this.minReplicas = Number(value);
        return true;
      case 'min-replicas-max-lag':
        this.maxLagS = Number(value);
        return true;
      case 'repl-timeout':
        this.timeoutS = Number(value);
        return true;
      case 'repl-ping-replica-period':
        this.pingS = Number(value);
        return true;
      case 'repl-diskless-sync-delay':
        this.copyDelayS = Number(value);
        return true;
      case 'replica-serve-stale-data':
        this.serveStale = value === 'yes';
        return true;
      case 'replica-priority':
        this.priority = Number(value);
        return true;
      default:
        return false;
    }
  }
}
