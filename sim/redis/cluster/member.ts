import type { RedisServer } from '../server.js';
import type { BusLink } from './bus-link.js';

/** `suspected` is Redis's PFAIL, one node's own opinion; `failed` its FAIL, which a majority of the masters stands behind. */
export type Standing = 'well' | 'suspected' | 'failed';

/** What one node of the cluster knows of a node, itself included. Times are its own wall clock's, in ms; 0: never. */
export class Member {
  /** The node that it replicates; null: it is a master. */
  master: Member | null = null;
  standing: Standing = 'well';
  /** Since when it has counted as failed. */
  failedMs = 0;
  configEpoch: number;
  /** When the PING was sent that it has not answered; 0: it owes no answer. */
  pingSentMs = 0;
  /** When it was last known to have answered, by itself or by hearsay. */
  pongMs = 0;
  /** When anything was last heard of it. */
  heardMs = 0;
  /** How far it is in its master's changes (a master: in its own), when it last said so. */
  offset = 0;
  /** It has, or had since it started, all that its master has; a master always. */
  ready = true;
  /** When a replica of it was last voted for here. */
  votedMs = 0;
  /** Masters that told of it as failing, and when. */
  readonly reports = new Map<Member, number>();
  link: BusLink | null = null;

  constructor(
    readonly server: RedisServer,
    /** 40 hexadecimal digits. */
    readonly id: string,
    /** Place among the nodes of the cluster, the same in every node's view. */
    readonly index: number,
  ) {
    this.configEpoch = index + 1;
  }

  get name(): string {
    return this.server.name;
  }

  /** After a restart: what is known of it is on disk, and all else begins anew. */
  forget(nowMs: number): void {
    if (this.pingSentMs !== 0) this.pingSentMs = nowMs;
    if (this.pongMs !== 0) this.pongMs = nowMs;
    if (this.standing === 'failed') this.failedMs = nowMs;
    this.heardMs = 0;
    this.offset = 0;
    this.ready = this.master === null;
    this.votedMs = 0;
    this.reports.clear();
    this.link = null;
  }
}
