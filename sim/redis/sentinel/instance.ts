/** Whatever a Sentinel watches: a master, a replica or another Sentinel. */
import type { Link } from './link.js';
import type { Master } from './master.js';
import type { SentinelServer } from './server.js';
import { HELLO_PERIOD_MS, INFO_PERIOD_MS, PING_PERIOD_MS } from './timing.js';
import { readInfo, type Info, type Role } from './info.js';

/** Hosts go by their names; no address ever leads elsewhere. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export function addressText({ host, port }: Address): string {
  return `${host}:${port}`;
}

export function sameAddress(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}

export abstract class Instance {
  abstract readonly kind: 'master' | 'slave' | 'sentinel';
  /** Null: not known yet. */
  runId: string | null = null;
  /** This Sentinel has heard nothing valid for longer than down-after. */
  subjectivelyDown = false;
  downSinceMs = 0;
  /** When the last hello message was published there. */
  helloSentMs: number;

  constructor(
    readonly sentinel: SentinelServer,
    readonly link: Link,
  ) {
    this.helloSentMs = sentinel.nowMs;
  }

  get address(): Address {
    return this.link.address;
  }

  abstract get name(): string;
  abstract get master(): Master;

  /** Words of its state, as SENTINEL MASTERS and its like show them. */
  flags(): string[] {
    const words: string[] = [];
    if (this.subjectivelyDown) words.push('s_down');
    words.push(this.kind);
    if (this.link.disconnected) words.push('disconnected');
    return words;
  }

  /** What keeps the instance in sight: connections, INFO, PING and hello messages, each when it is due. */
  keepInSight(): void {
    const { link, sentinel, master } = this;
    link.reconnect();
    if (link.disconnected) return;
    this.askInfo();
    link.pingIfDue(Math.min(master.downAfterMs, PING_PERIOD_MS));
    if (sentinel.nowMs - this.helloSentMs > HELLO_PERIOD_MS) sentinel.sayHello(this);
  }

  protected askInfo(): void {}

  /** Beyond silence: a state in which the instance counts as down. */
  protected isWrong(): boolean {
    return false;
  }

  checkSubjectivelyDown(): void {
    const { link, master, sentinel } = this;
    const silentMs = link.silentMs();
    link.renewStale(master.downAfterMs);
    if (silentMs > master.downAfterMs || this.isWrong()) {
      if (this.subjectivelyDown) return;
      this.downSinceMs = sentinel.nowMs;
      this.subjectivelyDown = true;
      sentinel.event('+sdown', this);
    } else if (this.subjectivelyDown) {
      this.subjectivelyDown = false;
      sentinel.event('-sdown', this);
    }
  }

  /** For how long it has not been down. */
  hasBeenUpFor(ms: number): boolean {
    return this.downSinceMs === 0 || this.sentinel.nowMs - this.downSinceMs > ms;
  }
}

/** A server with data: its INFO tells its role, its replicas, its master. */
export abstract class DataInstance extends Instance {
  /** When its last INFO came; 0: none has. */
  infoMs = 0;
  role: Role;
  roleSinceMs: number;
  /** When it last named another master, or became a replica. */
  configSinceMs: number;
  masterHost: string | null = null;
  masterPort = 0;
  masterLinkUp = false;
  masterLinkDownMs = 0;
  priority = 100;
  offset = 0;

  constructor(sentinel: SentinelServer, link: Link, role: Role) {
    super(sentinel, link);
    this.role = role;
    this.roleSinceMs = sentinel.nowMs;
    this.configSinceMs = sentinel.nowMs;
  }

  protected infoPeriodMs(): number {
    return INFO_PERIOD_MS;
  }

  protected override askInfo(): void {
    const { link, sentinel, infoMs } = this;
    if (infoMs !== 0 && sentinel.nowMs - infoMs <= this.infoPeriodMs()) return;
    link.send(['INFO'], (reply) => {
      if (typeof reply === 'string') this.informed(readInfo(reply));
    });
  }

  protected abstract informed(info: Info): void;

  /** Takes over what INFO says of the instance itself. */
  learn(info: Info): void {
    const { sentinel } = this;
    if (info.runId !== null && info.runId !== this.runId) {
      if (this.runId !== null) sentinel.event('+reboot', this);
      this.runId = info.runId;
    }
    this.masterLinkDownMs = info.masterLinkDownMs;
    if (info.role === 'slave') this.learnAsReplica(info);
    this.infoMs = this.infoMs === 0 ? sentinel.firstInfoMs() : sentinel.nowMs;
    if (info.role === this.role) return;
    this.role = info.role;
    this.roleSinceMs = sentinel.nowMs;
    if (info.role === 'slave') this.configSinceMs = sentinel.nowMs;
    const fits = this.kind === info.role;
    sentinel.event(`${fits ? '+' : '-'}role-change`, this, `new reported role is ${info.role}`, fits);
  }

  private learnAsReplica({ masterHost, masterPort, masterLinkUp, priority, offset }: Info): void {
    if (masterHost !== this.masterHost || masterPort !== this.masterPort) {
      this.masterHost = masterHost;
      this.masterPort = masterPort;
      this.configSinceMs = this.sentinel.nowMs;
    }
    this.masterLinkUp = masterLinkUp;
    this.priority = priority;
    this.offset = offset;
  }

  /** It says that it follows this server. */
  follows({ host, port }: Address): boolean {
    return this.masterHost === host && this.masterPort === port;
  }
}
