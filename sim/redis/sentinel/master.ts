/** A master that a Sentinel watches, with its replicas and the other Sentinels that watch it. */
import { addressText, DataInstance, Instance, sameAddress, type Address } from './instance.js';
import type { Info } from './info.js';
import type { Link } from './link.js';
import type { SentinelServer } from './server.js';
import { INFO_PERIOD_FAILOVER_MS, INFO_PERIOD_MS, REDIS_PORT, SENTINEL_PORT } from './timing.js';

export type FailoverState =
  | 'none'
  | 'wait-start'
  | 'select-slave'
  | 'send-slaveof-noone'
  | 'wait-promotion'
  | 'reconf-slaves'
  | 'update-config';

export interface Watch {
  readonly name: string;
  readonly quorum: number;
  readonly downAfterMs: number;
  readonly failoverTimeoutMs: number;
}

export class Master extends DataInstance {
  readonly kind = 'master';
  readonly replicas = new Map<string, Replica>();
  /** The other Sentinels by their run ids. */
  readonly sentinels = new Map<string, OtherSentinel>();
  readonly quorum: number;
  readonly downAfterMs: number;
  readonly failoverTimeoutMs: number;
  /** Enough Sentinels find it down. */
  objectivelyDown = false;
  objectivelyDownSinceMs = 0;
  configEpoch = 0;
  /** Whom this Sentinel voted for, and in which epoch. */
  leader: string | null = null;
  leaderEpoch = 0;
  state: FailoverState = 'none';
  stateSinceMs = 0;
  failoverEpoch = 0;
  /** When the last failover began, its own or one that this Sentinel voted for. */
  failoverStartMs = 0;
  /** An operator asked for it: no election. */
  forced = false;
  promoted: Replica | null = null;

  constructor(
    sentinel: SentinelServer,
    link: Link,
    readonly watch: Watch,
  ) {
    super(sentinel, link, 'master');
    ({
      quorum: this.quorum,
      downAfterMs: this.downAfterMs,
      failoverTimeoutMs: this.failoverTimeoutMs,
    } = watch);
  }

  get name(): string {
    return this.watch.name;
  }

  get master(): this {
    return this;
  }

  get failingOver(): boolean {
    return this.state !== 'none';
  }

  /** The address to give to those who ask: as soon as a replica is promoted, its. */
  get currentAddress(): Address {
    const done = this.state === 'reconf-slaves' || this.state === 'update-config';
    return done && this.promoted !== null ? this.promoted.address : this.address;
  }

  protected informed(info: Info): void {
    this.sentinel.informed(this, info);
  }

  /** It calls itself a replica, and has for long: nobody writes there. */
  protected override isWrong(): boolean {
    const wrongMs = this.sentinel.nowMs - this.roleSinceMs;
    return this.role === 'slave' && wrongMs > this.downAfterMs + 2 * INFO_PERIOD_MS;
  }

  /** Nothing speaks against it as a master: replicas may be led to it. */
  get looksSane(): boolean {
    return (
      this.role === 'master' &&
      !this.subjectivelyDown &&
      !this.objectivelyDown &&
      this.sentinel.nowMs - this.infoMs < 2 * INFO_PERIOD_MS
    );
  }

  override hasBeenUpFor(ms: number): boolean {
    const { objectivelyDownSinceMs: since } = this;
    return super.hasBeenUpFor(ms) && (since === 0 || this.sentinel.nowMs - since > ms);
  }

  checkObjectivelyDown(): void {
    let agreeing = this.subjectivelyDown ? 1 : 0;
    if (agreeing > 0) for (const other of this.sentinels.values()) if (other.findsMasterDown) agreeing++;
    const down = agreeing > 0 && agreeing >= this.quorum;
    if (down === this.objectivelyDown) return;
    this.objectivelyDown = down;
    if (down) {
      this.objectivelyDownSinceMs = this.sentinel.nowMs;
      this.sentinel.event('+odown', this, `#quorum ${agreeing}/${this.quorum}`);
    } else this.sentinel.event('-odown', this);
  }

  replicaAt(address: Address): Replica | undefined {
    return this.replicas.get(addressText(address));
  }

  /** A replica that was not known before; announced unless it was there from the start. */
  addReplica(address: Address, announced = true): Replica | null {
    if (sameAddress(address, this.address) || this.replicaAt(address) !== undefined) return null;
    const replica = new Replica(this, this.sentinel.newLink(address, true));
    this.replicas.set(addressText(address), replica);
    if (announced) this.sentinel.event('+slave', replica);
    return replica;
  }

  addSentinel(runId: string, address: Address, announced = true): OtherSentinel {
    const other = new OtherSentinel(this, this.sentinel.linkToSentinel(runId, address), runId);
    this.sentinels.set(runId, other);
    if (announced) this.sentinel.event('+sentinel', other);
    return other;
  }

  enter(state: FailoverState): void {
    this.state = state;
    this.stateSinceMs = this.sentinel.nowMs;
    if (state === 'none' || state === 'wait-start' || state === 'update-config') return;
    const ofReplica = state === 'send-slaveof-noone' || state === 'wait-promotion';
    this.sentinel.event(`+failover-state-${state}`, ofReplica ? this.promoted : this);
  }

  /** The failover is given up; everything is as before, except that the next one must wait. */
  abort(why: string): void {
    this.sentinel.event(`-failover-abort-${why}`, this);
    this.forced = false;
    this.enter('none');
    if (this.promoted !== null) this.promoted.isPromoted = false;
    this.promoted = null;
  }

  /**
   * Another server is the master from now on; the one that was is a replica of it. What was known of their state is
   * forgotten, what was known of the Sentinels is kept.
   */
  moveTo(address: Address): void {
    const known = [...[...this.replicas.values()].map((replica) => replica.address), this.address];
    for (const replica of this.replicas.values()) replica.link.close(true);
    this.replicas.clear();
    this.reset();
    this.link.lead(address);
    for (const each of known) this.addReplica(each);
  }

  private reset(): void {
    const { nowMs } = this.sentinel;
    this.subjectivelyDown = false;
    this.objectivelyDown = false;
    this.downSinceMs = 0;
    this.objectivelyDownSinceMs = 0;
    this.forced = false;
    this.promoted = null;
    this.state = 'none';
    this.stateSinceMs = 0;
    this.failoverStartMs = 0;
    this.leader = null;
    this.runId = null;
    this.role = 'master';
    this.roleSinceMs = nowMs;
    this.masterHost = null;
  }

  override flags(): string[] {
    const words = super.flags();
    const at = words.indexOf('master');
    if (this.objectivelyDown) words.splice(at, 0, 'o_down');
    if (this.failingOver) words.push('failover_in_progress');
    if (this.forced) words.push('force_failover');
    return words;
  }
}

export type Reconfiguration = 'none' | 'sent' | 'in-progress' | 'done';

export class Replica extends DataInstance {
  readonly kind = 'slave';
  isPromoted = false;
  /** How far it is on its way to the promoted replica. */
  reconfiguration: Reconfiguration = 'none';
  reconfiguredMs = 0;

  constructor(
    readonly master: Master,
    link: Link,
  ) {
    super(master.sentinel, link, 'slave');
  }

  get name(): string {
    return addressText(this.address);
  }

  protected informed(info: Info): void {
    this.sentinel.informed(this, info);
  }

  protected override infoPeriodMs(): number {
    const { master } = this;
    const close = master.objectivelyDown || master.failingOver || this.masterLinkDownMs !== 0;
    return close ? INFO_PERIOD_FAILOVER_MS : INFO_PERIOD_MS;
  }

  override flags(): string[] {
    const words = super.flags();
    if (this.isPromoted) words.push('promoted');
    const { reconfiguration } = this;
    if (reconfiguration === 'sent') words.push('reconf_sent');
    if (reconfiguration === 'in-progress') words.push('reconf_inprog');
    if (reconfiguration === 'done') words.push('reconf_done');
    return words;
  }
}

/** Another Sentinel, as one master's watch knows it. */
export class OtherSentinel extends Instance {
  readonly kind = 'sentinel';
  findsMasterDown = false;
  /** When it last answered whether the master is down. */
  answeredMs = 0;
  /** Whom it said that it votes for, and in which epoch. */
  leader: string | null = null;
  leaderEpoch = 0;
  helloMs: number;

  constructor(
    readonly master: Master,
    link: Link,
    override readonly runId: string,
  ) {
    super(master.sentinel, link);
    this.helloMs = master.sentinel.nowMs;
  }

  get name(): string {
    return this.runId;
  }

  override flags(): string[] {
    const words = super.flags();
    if (this.findsMasterDown) words.push('master_down');
    return words;
  }
}

export function redisAt(host: string): Address {
  return { host, port: REDIS_PORT };
}

export function sentinelAt(host: string): Address {
  return { host, port: SENTINEL_PORT };
}
