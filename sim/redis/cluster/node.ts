/**
 * A Redis server as a node of a Redis Cluster (its specification is the source of every rule here): it pings the others over
 * the cluster bus, finds out who failed, elects, and knows who serves which slots. Everything is this node's own view, and
 * times are its own clock's.
 */
import { uniformInt, type Stream } from '../../kernel/random.js';
import type { Bytes, ErrorReply, Reply, Session } from '../keyspace.js';
import type { RedisServer } from '../server.js';
import { Ballot } from './ballot.js';
import { BusLink } from './bus-link.js';
import { ClusterCommands } from './commands.js';
import { Election } from './election.js';
import { Failures } from './failures.js';
import { Health } from './health.js';
import { ManualFailover } from './manual-failover.js';
import type { Member } from './member.js';
import { BusMessage, type BusContent, type BusType, type Gossip, type Header } from './messages.js';
import { received } from './reception.js';
import type { View } from './view.js';

const CRON_US = 100_000;
/** Of ten crons one pings somebody at random: the one that was silent longest among so many draws. */
const RANDOM_PING_CRONS = 10;
const RANDOM_PING_DRAWS = 5;
const LEAST_GOSSIP = 3;

export interface ClusterSetting {
  readonly nodeTimeoutMs: number;
  /** 0: replicas of any age may be elected. */
  readonly replicaValidityFactor: number;
  readonly requireFullCoverage: boolean;
}

export class ClusterNode {
  readonly failures: Failures;
  readonly health: Health;
  readonly ballot: Ballot;
  readonly election: Election;
  readonly manual: ManualFailover;
  readonly commands: ClusterCommands;
  readonly sent = new Map<BusType, number>();
  readonly received = new Map<BusType, number>();
  private crons = 0;
  /** What is being published here came from another node. */
  private delivering = false;

  constructor(
    readonly server: RedisServer,
    readonly view: View,
    readonly setting: ClusterSetting,
    /** Phases, whom to ping, what to tell, election delays. */
    readonly stream: Stream,
  ) {
    const { nodeTimeoutMs, requireFullCoverage } = setting;
    this.failures = new Failures(view, nodeTimeoutMs);
    this.health = new Health(view, nodeTimeoutMs, requireFullCoverage);
    this.ballot = new Ballot(view, nodeTimeoutMs);
    this.election = new Election(this);
    this.manual = new ManualFailover(this);
    this.commands = new ClusterCommands(this);
  }

  get nowMs(): number {
    return Math.floor(this.server.wallUs / 1000);
  }

  // ---- life

  /** The cluster has been running: everybody is linked and was heard of within the last half of the node time-out. */
  start(): void {
    const { nowMs, view, setting } = this;
    for (const member of view.members) {
      if (member === view.self) continue;
      member.link = new BusLink(this, member, true);
      member.pongMs =
        nowMs - uniformInt(this.stream, 0, Math.min(1000, Math.floor(setting.nodeTimeoutMs / 2)));
      member.heardMs = member.pongMs;
    }
    this.cronIn(uniformInt(this.stream, 0, CRON_US - 1));
  }

  /** Up again, with what its configuration file has kept. */
  restarted(): void {
    const { view, nowMs } = this;
    for (const member of view.members) member.forget(nowMs);
    this.health.restarted(nowMs);
    this.election.restarted();
    this.manual.reset();
    this.cronIn(0);
  }

  private cronIn(us: number): void {
    const { server } = this;
    const { kernel } = server;
    const dueUs = server.clocks.whenMono(server.clocks.monoUs(kernel.nowUs) + us, kernel.nowUs);
    kernel.at(dueUs, server, ClusterNode.tick, this as ClusterNode, { dueUs, life: server.life }, false);
  }

  private static tick(node: ClusterNode, timer: { dueUs: number; life: number }): void {
    const { server } = node;
    if (server.life !== timer.life || !server.up) return;
    const { nowUs } = server;
    if (nowUs > timer.dueUs) {
      // After a pause: a server reads what came meanwhile before it looks at its timers.
      const again = { dueUs: nowUs, life: timer.life };
      server.kernel.at(nowUs, server, ClusterNode.tick, node, again, false);
      return;
    }
    if (!server.mode.loading) node.cron();
    node.cronIn(CRON_US);
  }

  // ---- ten times a second

  private cron(): void {
    const { view, nowMs } = this;
    const { self } = view;
    for (const member of view.members)
      if (member !== self && member.link === null) member.link = new BusLink(this, member, false);
    if (++this.crons % RANDOM_PING_CRONS === 0) this.pingSomebody();
    let changed = false;
    for (const member of view.members) if (member !== self && this.lookAfter(member, nowMs)) changed = true;
    this.manual.run();
    if (self.master !== null) this.election.run();
    if (changed || !this.health.ok) this.health.update(nowMs);
  }

  private pingSomebody(): void {
    const { view, stream } = this;
    let longest: Member | null = null;
    for (let draw = 0; draw < RANDOM_PING_DRAWS; draw++) {
      const member = view.members[uniformInt(stream, 0, view.members.length - 1)]!;
      if (member === view.self || member.link === null || member.pingSentMs !== 0) continue;
      if (longest === null || member.pongMs < longest.pongMs) longest = member;
    }
    if (longest !== null) this.ping(longest);
  }

  /** Pings whoever was not heard of for half the node time-out. True when it is suspected from now on. */
  private lookAfter(member: Member, nowMs: number): boolean {
    const { link, pingSentMs, pongMs, heardMs } = member;
    const halfMs = this.setting.nodeTimeoutMs / 2;
    if (link !== null) {
      const outstanding = pingSentMs !== 0 && pongMs < pingSentMs && nowMs - pingSentMs > halfMs;
      // Perhaps only the connection is bad.
      if (outstanding && nowMs - heardMs > halfMs && nowMs - link.createdMs > this.setting.nodeTimeoutMs)
        link.end();
      else if ((pingSentMs === 0 && nowMs - pongMs > halfMs) || this.manual.isSuccessor(member)) {
        this.ping(member);
        return false;
      }
    }
    return this.failures.suspect(member, nowMs);
  }

  // ---- what it says

  private header(): Header {
    const { view, server, manual } = this;
    const { self, lead } = view;
    self.ready ||= self.master === null || server.replication.link?.state === 'connected';
    return {
      sender: self.index,
      currentEpoch: view.currentEpoch,
      configEpoch: lead.configEpoch,
      master: self.master === null ? null : self.master.index,
      ranges: view.rangesOf(lead),
      offset: server.replication.offset,
      ready: self.ready,
      paused: manual.holdsClients,
    };
  }

  /** What it tells about some others, drawn anew each time, and about all that it suspects. */
  private gossip(): Gossip[] {
    const { view, stream } = this;
    const { members, self } = view;
    const told = new Set<Member>();
    const wanted = Math.min(Math.max(LEAST_GOSSIP, Math.floor(members.length / 10)), members.length - 2);
    for (let draw = 0; draw < wanted * 3 && told.size < wanted; draw++) {
      const member = members[uniformInt(stream, 0, members.length - 1)]!;
      if (member === self || member.standing === 'suspected') continue;
      if (member.link === null && !view.owners.includes(member)) continue;
      told.add(member);
    }
    for (const member of members) if (member.standing === 'suspected') told.add(member);
    return [...told].map(({ index, standing, pongMs }) => ({
      node: index,
      failing: standing !== 'well',
      pongMs: Math.floor(pongMs / 1000) * 1000,
    }));
  }

  send(member: Member, content: BusContent): void {
    const { link } = member;
    if (link === null) return;
    this.sent.set(content.type, (this.sent.get(content.type) ?? 0) + 1);
    link.send(new BusMessage(this.header(), content));
  }

  broadcast(content: BusContent): void {
    for (const member of this.view.members) if (member !== this.view.self) this.send(member, content);
  }

  ping(member: Member): void {
    if (member.link === null) return;
    member.pingSentMs = this.nowMs;
    this.send(member, { type: 'ping', gossip: this.gossip() });
  }

  /** On a new connection; a PING that is owed an answer stays as old as it is. */
  greet(member: Member): void {
    const { pingSentMs } = member;
    this.ping(member);
    if (pingSentMs !== 0) member.pingSentMs = pingSentMs;
  }

  /** Unasked: what it says of itself is news. */
  pong(member: Member): void {
    this.send(member, { type: 'pong', gossip: this.gossip() });
  }

  receive(message: BusMessage, channel: Parameters<BusMessage['served']>[0]): void {
    if (!this.server.up) return;
    const { type } = message.content;
    this.received.set(type, (this.received.get(type) ?? 0) + 1);
    if (type === 'ping') {
      const answer: BusContent = { type: 'pong', gossip: this.gossip() };
      this.sent.set('pong', (this.sent.get('pong') ?? 0) + 1);
      channel.toClient.send(new BusMessage(this.header(), answer));
    }
    received(this, message);
  }

  // ---- roles

  /** This node is the master from now on, and everybody hears of it. */
  takeOver(): void {
    this.view.takeOver();
    this.server.promote();
    this.health.update(this.nowMs);
    for (const member of this.view.members) if (member !== this.view.self) this.pong(member);
    this.manual.reset();
  }

  /** Another node serves the slots: this one replicates it. */
  follow(master: Member): void {
    const { view } = this;
    this.manual.reset();
    view.demote(view.self, master);
    this.server.replication.follow(master.server);
  }

  /** How old the data of this replica is, by whole seconds as Redis reckons it. Never in sync: too old for anything. */
  dataAgeMs(): number {
    const { link, nowS } = this.server.replication;
    const since = link === null ? null : link.state === 'connected' ? link.lastHeardS : link.downSinceS;
    return since === null ? Infinity : (nowS - since) * 1000;
  }

  // ---- pub/sub

  /** The subscribers of all other nodes get it, too. */
  publish(channel: Bytes, message: Bytes): void {
    if (!this.delivering) this.broadcast({ type: 'publish', channel, message });
  }

  deliver(channel: Bytes, message: Bytes): void {
    this.delivering = true;
    this.execute(['PUBLISH', channel, message]);
    this.delivering = false;
  }

  // ---- commands

  /** A command of the server's own, as an operator would send it. */
  execute(args: readonly Bytes[]): void {
    const { server } = this;
    const session = server.keyspace.openSession();
    server.keyspace.execute(session, args, server.wallUs);
    server.keyspace.closeSession(session);
    server.settle();
    server.alarm.set();
  }

  command(session: Session, args: readonly Bytes[]): Reply | undefined {
    return this.commands.run(session, args);
  }

  route(session: Session, keys: readonly Bytes[], writes: boolean): ErrorReply | null {
    return this.commands.route(session, keys, writes);
  }
}
