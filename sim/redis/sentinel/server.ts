/**
 * A Sentinel: a host that watches masters with the clocks of its own, finds with others that one is down, and makes a
 * replica the master. Times are its wall clock's, the rounds of its timer come by its monotonic clock, as in Redis 7.0.
 */
import type { ProcessContext } from '../../host/process.js';
import { Host } from '../../host/host.js';
import type { Clocks } from '../../kernel/clock.js';
import type { KernelEvent } from '../../kernel/heap.js';
import type { Stream } from '../../kernel/random.js';
import type { Channel } from '../../network/channel.js';
import type { Network } from '../../network/network.js';
import { NO_REPLY, OK, type ServerMode } from '../keyspace.js';
import { type CommandServer, type Request, type Requests } from '../request.js';
import { executeOnSentinel } from './commands.js';
import { replicaInformed } from './failover.js';
import { hearHello, sayHello } from './hello.js';
import type { Info } from './info.js';
import type { Address, Instance } from './instance.js';
import { Link } from './link.js';
import { Master, redisAt, sentinelAt, type Replica, type Watch } from './master.js';
import { handle } from './round.js';
import { SentinelSession } from './session.js';
import {
  HELLO_PERIOD_MS,
  INFO_PERIOD_MS,
  LEAST_ROUNDS_PER_SECOND,
  MOST_DESYNC_MS,
  PING_PERIOD_MS,
  TILT_PERIOD_MS,
  TILT_TRIGGER_MS,
} from './timing.js';

export interface SentinelSetting {
  readonly network: Network;
  readonly flavour: ServerMode['flavour'];
  readonly version: readonly [number, number];
  /** Whoever listens at an address, up or not. */
  readonly directory: (address: Address) => CommandServer | undefined;
}

/** What is there to watch when the run starts: a master and the hosts of its replicas. */
export interface Topology {
  readonly watch: Watch;
  readonly replicas: readonly string[];
}

export class SentinelServer extends Host implements CommandServer {
  readonly runId: string;
  readonly masters = new Map<string, Master>();
  readonly network: Network;
  readonly flavour: ServerMode['flavour'];
  readonly versionText: string;
  epoch = 0;
  private readonly setting: SentinelSetting;
  private readonly draws: Stream;
  private sessions = new Map<Channel, SentinelSession>();
  private sessionCount = 0;
  /** One link to each other Sentinel, whichever masters it watches. */
  private sentinelLinks = new Map<string, Link>();
  private timer: KernelEvent | null = null;
  private nextRoundMonoUs = 0;
  private lastRoundMs = 0;
  private tiltSinceMs: number | null = null;

  constructor(
    override readonly context: ProcessContext,
    name: string,
    clocks: Clocks,
    setting: SentinelSetting,
  ) {
    super(context, name, clocks);
    this.setting = setting;
    this.network = setting.network;
    this.flavour = setting.flavour;
    this.versionText = `${setting.version.join('.')}.0`;
    this.draws = context.streams.open(name, 'sentinel');
    const digits = context.streams.open(name, 'run-id');
    this.runId = Array.from({ length: 5 }, () => digits.uint32().toString(16).padStart(8, '0')).join('');
  }

  get host(): Host {
    return this;
  }

  get nowMs(): number {
    return Math.floor(this.clocks.wallUs(this.context.kernel.nowUs) / 1000);
  }

  get tilted(): boolean {
    return this.tiltSinceMs !== null;
  }

  get tiltSeconds(): number {
    return this.tiltSinceMs === null ? -1 : Math.floor((this.nowMs - this.tiltSinceMs) / 1000);
  }

  desynchronisation(): number {
    return Math.floor(this.draws.next() * MOST_DESYNC_MS);
  }

  directory(address: Address): CommandServer | undefined {
    return this.setting.directory(address);
  }

  newLink(address: Address, listens: boolean): Link {
    return new Link(this, address, listens);
  }

  linkToSentinel(runId: string, address: Address): Link {
    let link = this.sentinelLinks.get(runId);
    if (link === undefined) this.sentinelLinks.set(runId, (link = this.newLink(address, false)));
    return link;
  }

  // ---- life

  /** Watches what has been running for long: everybody is known, connected and was heard of lately. */
  join(topologies: readonly Topology[], others: readonly SentinelServer[]): void {
    for (const { watch, replicas } of topologies) {
      const master = new Master(this, this.newLink(redisAt(watch.name), true), watch);
      this.masters.set(watch.name, master);
      for (const replica of replicas) master.addReplica(redisAt(replica), false);
      for (const other of others)
        if (other !== this) master.addSentinel(other.runId, sentinelAt(other.name), false);
    }
    this.schedule(Math.floor((this.draws.next() * 1e6) / LEAST_ROUNDS_PER_SECOND));
    this.lastRoundMs = this.nowMs;
  }

  /** After everybody is there: the connections stand, and what is periodic is at some point of its period. */
  settleIn(): void {
    const { nowMs } = this;
    const established = new Set<Link>();
    for (const master of this.masters.values()) {
      for (const each of instancesOf(master)) {
        if (!established.has(each.link)) each.link.established(nowMs - this.ageOf(PING_PERIOD_MS));
        established.add(each.link);
        each.helloSentMs = nowMs - this.ageOf(HELLO_PERIOD_MS);
      }
    }
  }

  private ageOf(periodMs: number): number {
    return Math.floor(this.draws.next() * periodMs);
  }

  /** When the first INFO came: in a cluster that has been running, at any time in the last period. */
  firstInfoMs(): number {
    return this.context.kernel.nowUs < 1_000_000 ? this.nowMs - this.ageOf(INFO_PERIOD_MS) : this.nowMs;
  }

  override crash(): void {
    if (!this.up) return;
    if (this.timer !== null) this.context.kernel.cancel(this.timer);
    this.timer = null;
    super.crash();
    this.sessions = new Map();
  }

  /** Comes back with what its configuration file says: epochs, masters, and who else there is. */
  override revive(): void {
    super.revive();
    this.sentinelLinks = new Map();
    this.tiltSinceMs = null;
    for (const before of [...this.masters.values()]) {
      const { currentAddress } = before;
      const master = new Master(this, this.newLink(currentAddress, true), before.watch);
      master.configEpoch = before.configEpoch;
      master.leaderEpoch = before.leaderEpoch;
      this.masters.set(master.name, master);
      for (const { address } of [...before.replicas.values(), before]) master.addReplica(address, false);
      for (const { runId, address } of before.sentinels.values()) master.addSentinel(runId, address, false);
    }
    this.lastRoundMs = this.nowMs;
    this.schedule(0);
  }

  // ---- the timer

  private schedule(afterUs: number): void {
    this.nextRoundMonoUs = this.clocks.monoUs(this.context.kernel.nowUs) + afterUs;
    this.arm();
  }

  private arm(): void {
    const { kernel } = this.context;
    const tUs = this.clocks.whenMono(this.nextRoundMonoUs, kernel.nowUs);
    this.timer = kernel.at(tUs, this, SentinelServer.round, this as SentinelServer, null, false);
  }

  protected override clockChanged(): void {
    if (this.timer === null) return;
    this.context.kernel.cancel(this.timer);
    this.arm();
  }

  private static round(sentinel: SentinelServer): void {
    sentinel.timer = null;
    sentinel.checkTilt();
    for (const master of sentinel.masters.values()) handle(master);
    // Each round takes another time: Sentinels that are in step do not stay so.
    const perSecond = LEAST_ROUNDS_PER_SECOND + Math.floor(sentinel.draws.next() * LEAST_ROUNDS_PER_SECOND);
    sentinel.schedule(Math.floor(1000 / perSecond) * 1000);
  }

  /** A clock that jumped, or a host that slept: what it thinks of the others is worth nothing for a while. */
  private checkTilt(): void {
    const { nowMs } = this;
    const sinceMs = nowMs - this.lastRoundMs;
    this.lastRoundMs = nowMs;
    if (sinceMs < 0 || sinceMs > TILT_TRIGGER_MS) {
      this.tiltSinceMs = nowMs;
      this.event('+tilt', null, '#tilt mode entered');
    }
  }

  /** Whether it may act; a tilt that has lasted long enough ends here. */
  mayAct(): boolean {
    if (this.tiltSinceMs === null) return true;
    if (this.nowMs - this.tiltSinceMs < TILT_PERIOD_MS) return false;
    this.tiltSinceMs = null;
    this.event('-tilt', null, '#tilt mode exited');
    return true;
  }

  // ---- what it hears

  informed(instance: Master | Replica, info: Info): void {
    if (instance.kind === 'master') for (const address of info.replicas) instance.addReplica(address);
    instance.learn(info);
    if (!this.tilted && instance.kind === 'slave') replicaInformed(instance, info);
  }

  hello(text: string): void {
    hearHello(this, text);
  }

  sayHello(instance: Instance): void {
    sayHello(this, instance);
  }

  // ---- epochs and configuration

  nextEpoch(): number {
    this.adoptEpoch(this.epoch + 1);
    return this.epoch;
  }

  adoptEpoch(epoch: number): void {
    if (epoch <= this.epoch) return;
    this.epoch = epoch;
    this.event('+new-epoch', null, String(epoch));
  }

  switchMaster(master: Master, address: Address): void {
    const { host, port } = master.address;
    this.event(
      '+switch-master',
      null,
      `${master.name} ${host} ${port} ${address.host} ${address.port}`,
      true,
      master,
    );
    master.moveTo(address);
  }

  // ---- what it tells

  /** Publishes an event to its subscribers; people read those that matter in the history. */
  event(what: string, instance: Instance | null, detail = '', published = true, about = instance): void {
    const payload = instance === null ? detail : `${describe(instance)}${detail === '' ? '' : ` ${detail}`}`;
    if (published) for (const session of this.sessions.values()) session.told(what, payload);
    if (QUIET.test(what)) return;
    const { kernel, recorder } = this.context;
    recorder.add({
      i: 0,
      tUs: kernel.nowUs,
      host: this.name,
      kind: 'sentinel',
      what,
      server: about === null ? this.name : about.address.host,
      detail: payload,
    });
  }

  // ---- connections

  accept(channel: Channel): void {
    if (!this.up) return;
    const session = new SentinelSession(++this.sessionCount, channel);
    channel.session = session;
    this.sessions.set(channel, session);
  }

  closed(channel: Channel): void {
    channel.session = null;
    this.sessions.delete(channel);
  }

  receive(channel: Channel, request: Request): void {
    if (!this.execute(channel, request)) return;
    if (request.reply !== NO_REPLY && !channel.abandoned) channel.toClient.send(request);
    if (request.args[0]!.toUpperCase() === 'QUIT') this.hangUp(channel);
  }

  receiveBatch(channel: Channel, batch: Requests): void {
    for (const request of batch.commands) if (!this.execute(channel, request)) return;
    if (!channel.abandoned) channel.toClient.send(batch);
  }

  private execute(channel: Channel, request: Request): boolean {
    const session = this.sessions.get(channel);
    if (session === undefined || !this.up) return false;
    const quits = request.args[0]!.toUpperCase() === 'QUIT';
    request.reply = quits ? OK : executeOnSentinel(this, request.args, session);
    return true;
  }

  private hangUp(channel: Channel): void {
    channel.hangUp();
  }
}

/** Steps of its work that say nothing to whoever reads a history. */
const QUIET = /^(\+new-epoch|[+-]role-change|\+slave|\+sentinel|\+failover-state-.*|\+config-update-from)$/;

function describe(instance: Instance): string {
  const { kind, name, address, master } = instance;
  const own = `${kind} ${name} ${address.host} ${address.port}`;
  return kind === 'master' ? own : `${own} @ ${master.name} ${master.address.host} ${master.address.port}`;
}

function instancesOf(master: Master): Instance[] {
  return [master, ...master.replicas.values(), ...master.sentinels.values()];
}
