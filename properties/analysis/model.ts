/** What the checkers see of a history: hosts, holds, key lives, uses. Built by `analyse`, read by everything else. */
import type { EventOf, History, HistoryHeader } from '../../sim/history/events.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import type { ClockSegment } from './clocks.js';
import { lockServers, type Shard } from './shards.js';

export type AcquireOk = EventOf<'acquire', 'ok'>;
export type ExtendEvent = EventOf<'extend'>;
export type KeyEvent = EventOf<'key'>;
export type PauseEvent = EventOf<'pause'>;
export type LinkEvent = EventOf<'link'>;
export type TroubleEvent = EventOf<'trouble'>;
export type EndEvent = EventOf<'end'>;
export type UseArrival = Extract<EventOf<'use'>, { phase: 'ok' | 'fail' }>;

/** A span of true time in which a host was down, from its crash to its restart; a shard's ends with a promotion, too. */
export interface Down {
  readonly fromUs: number;
  untilUs: number;
}

export class HostState {
  readonly clocks: ClockSegment[] = [];
  pauses: PauseEvent[] | null = null;
  downs: Down[] | null = null;
  /** The shard that this is a node of; null for every other host. */
  shard: Shard | null = null;
  /** Live keys of a deposed master, lives of the shard among them; those of the authority are the shard's. */
  readonly live: Life[] = [];
  constructor(readonly name: string) {}
}

/** One resource and who asked for it. */
export class Resource {
  /** Granted holds in the order in which their acquire returned. */
  readonly grants: Hold[] = [];
  /** Holds in the order in which their first use arrived. */
  readonly users: Hold[] = [];
  /** Two attempts met. */
  contended = false;
  /** So many attempts were under way at once. */
  crowd = 0;
  constructor(readonly name: string) {}
}

/** A name under which keys were set. */
export class KeyName {
  hasDeadline = false;
  changedInPlace = false;
  /** A command removed it or moved its deadline: somebody looks after it. */
  tended = false;
  /** Not the lock: a counter or another helper (see `classifyKeys`). */
  auxiliary = false;
  constructor(readonly name: string) {}
}

/**
 * One life of a key on one server: from the command that set it to its end. Owned by who set it. A key that was set on a
 * deposed master was acknowledged, but lived for nobody else (`deposed`): it counts only with the servers' faults undone.
 */
export class Life {
  /** Later events that moved its deadline or changed it in place, in order. */
  changes: KeyEvent[] | null = null;
  /** What ended it: deleted, expired, evicted, lost, or the `set` that overwrote it. Null: alive at the end. */
  end: KeyEvent | null = null;
  /** What commands did, after a promotion, to the copy that a deposed master kept of it. */
  elsewhere: KeyEvent[] | null = null;
  /** Lives of the same key that began when servers brought it back. */
  returns: Life[] | null = null;
  constructor(
    readonly shard: Shard,
    readonly key: KeyName,
    readonly owner: Hold | null,
    /** `set` or `restored`. */
    readonly set: KeyEvent,
    /** The deposed master on which it was set, or null. */
    readonly deposed: HostState | null,
  ) {}

  get server(): number {
    return this.shard.server;
  }

  /** By these it expires. */
  get clocks(): readonly ClockSegment[] {
    return this.deposed === null ? this.shard.clocks : this.deposed.clocks;
  }
}

/** An acquire attempt and what came of it. Times that never came are Infinity. */
export class Hold {
  ok: AcquireOk | null = null;
  /** True time at which the attempt failed. */
  failedUs = Infinity;
  withdrawnUs = Infinity;
  releaseUs = Infinity;
  releaseIndex = -1;
  /** True time at which release resolved or rejected. */
  releasedUs = Infinity;
  lostUs = Infinity;
  lostIndex = -1;
  crashUs = Infinity;
  /** Renewals that returned, and the lock's own that moved its claim; null if none. */
  renewals: ExtendEvent[] | null = null;
  /** All extend events, for settles and loss-signalled; null if none. */
  extends: ExtendEvent[] | null = null;
  contended = false;
  firstUse: UseArrival | null = null;
  lastUse: UseArrival | null = null;
  /** Holds of the same task that were under way at once, this one among them; null if it is not nested. */
  kin: Set<string> | null = null;
  /** Flat list of half-open belief intervals [from, until); filled by `beliefsOf`. */
  beliefs: number[] | null = null;
  /** Event index of the SET that completed the quorum; filled by `orderOf`. */
  order = -1;
  /** False if fewer than a majority of servers ever held its key at once; filled by `orderOf`. */
  hadQuorum = true;
  constructor(
    readonly id: string,
    readonly process: HostState,
    readonly task: string,
    readonly resource: Resource,
    readonly ttlMs: number,
    readonly askedUs: number,
    readonly askedIndex: number,
    /** Keys that it set. Who enters again what it holds already has them in common with the outer hold. */
    readonly lives: Life[] = [],
  ) {}
}

/** Whether two holds are one holder's, nested one in the other: they need not exclude each other. */
export function areKin(one: Hold, other: Hold): boolean {
  return one.kin !== null && one.kin === other.kin;
}

/** A command of one hold touched a live key of another. */
export interface ForeignTouch {
  readonly event: KeyEvent;
  readonly life: Life;
}

export interface Figures {
  faultsStruck: number;
  faultsWhileHeld: number;
  expiriesDuringWork: number;
  unreplicatedFailovers: number;
  /** Effects of commands on lock keys. */
  keyEffects: number;
}

export class Analysis {
  readonly header: HistoryHeader;
  readonly scenario: Scenario;
  readonly events: History['events'];
  readonly serverCount: number;
  /** How many may hold a resource at once. */
  readonly permits: number;
  /** A majority of the servers. */
  readonly majority: number;
  readonly hosts = new Map<string, HostState>();
  /** The shards by their number; absent where the history does not mention one. */
  readonly shards: (Shard | undefined)[] = [];
  /** Redis Cluster: the shards are one server of the lock. */
  readonly cluster: boolean;
  readonly holds: Hold[] = [];
  readonly holdById = new Map<string, Hold>();
  readonly resources: Resource[] = [];
  readonly grants: Hold[] = [];
  readonly uses: UseArrival[] = [];
  readonly keyNames: KeyName[] = [];
  readonly foreign: ForeignTouch[] = [];
  readonly links: LinkEvent[] = [];
  readonly troubles: TroubleEvent[] = [];
  readonly pending: EventOf<'pending'>[] = [];
  readonly figures: Figures = {
    faultsStruck: 0,
    faultsWhileHeld: 0,
    expiriesDuringWork: 0,
    unreplicatedFailovers: 0,
    keyEffects: 0,
  };
  tailUs = 0;
  tailIndex = -1;
  end: EndEvent | null = null;
  /** True time of the last event. */
  endUs = 0;
  constructor(history: History) {
    this.header = history.header;
    this.scenario = history.header.scenario;
    this.events = history.events;
    this.permits = this.scenario.lock.permits;
    this.cluster = this.scenario.servers.cluster !== undefined;
    this.serverCount = lockServers(this.scenario);
    this.majority = Math.floor(this.serverCount / 2) + 1;
  }
}
