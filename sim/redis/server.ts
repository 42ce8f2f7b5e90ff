/**
 * A simulated Redis server: a host around a {@link Keyspace}. It executes one command at a time, remembers who set each
 * key, reports what happens to keys, expires them by its own wall clock, and survives (or not) a crash.
 */
import type { Clocks } from '../kernel/clock.js';
import type { Kernel } from '../kernel/kernel.js';
import { Host } from '../host/host.js';
import type { ProcessContext } from '../host/process.js';
import type { Channel } from '../network/channel.js';
import type { Network } from '../network/network.js';
import { Alarm } from './alarm.js';
import type { ClusterNode } from './cluster/node.js';
import { Work } from './connection-work.js';
import { KeyLedger } from './key-ledger.js';
import {
  BLOCKED,
  ErrorReply,
  NO_REPLY,
  type Bytes,
  type KeyEffect,
  type KeyRecord,
  type Keyspace,
  type KeyspaceFactory,
  type KeyspaceHost,
  type Reply,
  type ServerMode,
  type Session,
} from './keyspace.js';
import type { Disk, DiskOwner, Ending, HistoryMark } from './persistence/disk.js';
import { recordPromotion } from './promotion.js';
import { Replication } from './replication/replication.js';
import type { ReplicationPlan } from './replication/settings.js';
import { replyText } from './reply-text.js';
import { Push, type CommandServer, type Request, type Requests } from './request.js';
import { Restart, type RestartPlan } from './restart.js';
import { Services } from './services.js';
import type { Shard } from './shard.js';

export interface ServerSetting {
  readonly createKeyspace: KeyspaceFactory;
  readonly mode: ServerMode;
  readonly network: Network;
  readonly createDisk: (owner: DiskOwner) => Disk;
  readonly restart: RestartPlan;
  readonly replication: ReplicationPlan;
}

export class RedisServer extends Host implements KeyspaceHost, CommandServer, DiskOwner {
  readonly mode: ServerMode;
  readonly keyspace: Keyspace;
  readonly ledger: KeyLedger;
  readonly replication: Replication;
  readonly services: Services;
  /** Its part in a Redis Cluster; null: it is no node of one. */
  cluster: ClusterNode | null = null;
  readonly disk: Disk;
  private readonly restarting: Restart;
  private fills = 0;
  private readonly channels = new Map<Session, Channel>();
  readonly alarm = new Alarm(this);
  /** Whose command is being executed. */
  private executing: Session | null = null;
  /** How long the command that was just executed keeps the server busy. */
  private busyUs = 0;

  constructor(
    override readonly context: ProcessContext,
    name: string,
    clocks: Clocks,
    readonly shard: Shard,
    { createKeyspace, mode, network, createDisk, restart, replication }: ServerSetting,
  ) {
    super(context, name, clocks);
    this.mode = mode;
    this.ledger = new KeyLedger(context.kernel, context.recorder, name);
    this.services = new Services(this);
    this.keyspace = createKeyspace(mode, this);
    this.replication = new Replication(this, network, replication);
    this.disk = createDisk(this);
    this.restarting = new Restart(this, restart);
  }

  get host(): Host {
    return this;
  }

  get kernel(): Kernel {
    return this.context.kernel;
  }

  get nowUs(): number {
    return this.context.kernel.nowUs;
  }

  get wallUs(): number {
    return this.clocks.wallUs(this.context.kernel.nowUs);
  }

  /** Makes scripts known, as those of a server that has been in use are. */
  loadScripts(texts: readonly Bytes[]): void {
    const session = this.keyspace.openSession();
    for (const text of texts) this.keyspace.execute(session, ['SCRIPT', 'LOAD', text], this.wallUs);
    this.keyspace.closeSession(session);
  }

  /** Somebody who is not part of the simulation writes a large value. */
  fill(bytes: number): void {
    if (!this.up) return;
    const session = this.keyspace.openSession();
    this.keyspace.execute(session, ['SET', `other:${++this.fills}`, 'x'.repeat(bytes)], this.wallUs);
    this.keyspace.closeSession(session);
    this.settle();
  }

  // ---- connections

  accept(channel: Channel): void {
    if (!this.up) return;
    const session = this.keyspace.openSession();
    channel.session = session;
    this.channels.set(session, channel);
  }

  closed(channel: Channel): void {
    const { session } = channel;
    if (session !== null) {
      this.keyspace.closeSession(session);
      this.replication.left(session);
      this.channels.delete(session);
    }
    channel.session = null;
    channel.work = null;
    this.replication.closed(channel);
  }

  receive(channel: Channel, request: Request): void {
    if (channel.work !== null) channel.work.waiting.push(request);
    else if (this.apply(channel, request)) this.respond(channel, request, request);
  }

  receiveBatch(channel: Channel, batch: Requests): void {
    if (channel.work !== null) channel.work.waiting.push(batch);
    else this.runBatch(channel, batch, 0);
  }

  private runBatch(channel: Channel, batch: Requests, from: number): void {
    const { commands } = batch;
    for (let index = from; index < commands.length; index++) {
      if (this.apply(channel, commands[index]!)) continue;
      channel.work?.within(batch, index);
      return;
    }
    this.respond(channel, batch, commands[0]!);
  }

  private respond(channel: Channel, message: Request | Requests, request: Request): void {
    const { moments } = this.context;
    const hits =
      moments.watching.replied === null || request.greeting === true
        ? null
        : moments.match('replied', request.by, this.name, request.args[0]!.toUpperCase());
    const delayUs = this.busyUs + (hits === null ? 0 : moments.delayUs(hits));
    this.busyUs = 0;
    // A batch is answered as a whole, whichever of its commands have no reply of their own.
    const silent = request.reply === NO_REPLY && message === request;
    if (!channel.abandoned && !silent) channel.toClient.send(message, delayUs);
    if (hits !== null) moments.strikeAll(hits, request.sender);
    if (channel.leaving) this.farewell(channel);
  }

  /** False when there is no reply (yet): a fault struck between the command and its reply, or the command waits. */
  private apply(channel: Channel, request: Request): boolean {
    const { session } = channel;
    if (session === null || !this.up) return false;
    const event = request.sender === null ? null : this.ledger.recordApply(request);
    this.ledger.current = request;
    this.executing = session;
    request.reply = this.keyspace.execute(session, request.args, this.wallUs);
    this.executing = null;
    this.ledger.current = null;
    if (event !== null) event.reply = replyText(request.reply);
    this.settle();
    channel.offset = this.replication.offset;
    if (request.reply === BLOCKED) {
      channel.work = new Work(request);
      return false;
    }
    return this.applied(channel, request);
  }

  /** Lets the faults strike that wait for it; false when one of them took the reply away. */
  private applied(channel: Channel, request: Request): boolean {
    const { moments } = this.context;
    if (
      moments.watching.applied !== null &&
      request.greeting !== true &&
      !(request.reply instanceof ErrorReply)
    ) {
      moments.pass('applied', request.sender, this.name, request.args[0]!.toUpperCase());
    }
    if (moments.watching.voted !== null && request.voted) {
      moments.pass('voted', request.sender, this.name, request.args[0]!.toUpperCase());
    }
    return this.up && !channel.broken;
  }

  // ---- what the engine tells

  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void {
    this.ledger.keyChanged(key, effect, deadlineMs);
  }

  unblocking(session: Session): void {
    const request = this.channels.get(session)?.work?.request;
    if (request === undefined) return;
    if (request.sender !== null) this.ledger.recordApply(request).reply = '(served)';
    this.ledger.current = request;
  }

  unblocked(session: Session, reply: Reply): void {
    this.ledger.current = null;
    const channel = this.channels.get(session);
    const work = channel?.work;
    if (channel === undefined || work === null || work === undefined) return;
    work.request.reply = reply;
    const goesOn = this.applied(channel, work.request);
    if (goesOn && work.batch === null) this.respond(channel, work.request, work.request);
    if (!goesOn) work.batch = null;
    // As in Redis, what the connection sent after it is executed when the present command is over.
    if (work.batch === null && work.waiting.length === 0) channel.work = null;
    else this.kernel.at(this.nowUs, this, RedisServer.workOn, channel, work);
  }

  private static workOn(channel: Channel, work: Work): void {
    if (channel.work !== work) return;
    const server = channel.server as RedisServer;
    channel.work = null;
    if (work.batch !== null) server.runBatch(channel, work.batch, work.index + 1);
    for (const each of work.waiting) {
      if ('commands' in each) server.receiveBatch(channel, each);
      else server.receive(channel, each);
    }
  }

  push(session: Session, message: readonly Reply[]): void {
    const channel = this.channels.get(session);
    if (channel !== undefined && !channel.abandoned)
      channel.toClient.send(new Push(message, channel.client.background === true));
  }

  hangUp(session: Session): void {
    const channel = this.channels.get(session);
    if (channel === undefined) return;
    // Its own command (QUIT) is answered first.
    if (session === this.executing) channel.leaving = true;
    else this.farewell(channel);
  }

  private farewell(channel: Channel): void {
    channel.hangUp();
  }

  published(channel: Bytes, message: Bytes): void {
    this.cluster?.publish(channel, message);
  }

  /** Whatever was just executed takes so long; nothing else happens here meanwhile, and its reply comes after it. */
  keepBusy(forUs: number): void {
    if (forUs < 1) return;
    this.busyUs += forUs;
    this.pause(forUs);
  }

  /** The replication offset after the last command of this session. */
  offsetOf(session: Session): number {
    return this.channels.get(session)?.offset ?? 0;
  }

  // ---- keys

  entries(): Iterable<readonly [Bytes, KeyRecord]> {
    return this.keyspace.entries();
  }

  record(key: Bytes): KeyRecord | undefined {
    return this.keyspace.record(key);
  }

  setterOf(key: Bytes): string | null {
    return this.ledger.setterOf(key);
  }

  historyMark(): HistoryMark | null {
    return this.replication.mark();
  }

  /** Takes over one key as the master has it, in silence. */
  take(key: Bytes, record: KeyRecord | undefined, setter: string | null): void {
    const { ledger } = this;
    ledger.silent = true;
    this.keyspace.load(key, record);
    ledger.silent = false;
    if (record === undefined) ledger.setters.delete(key);
    else ledger.setters.set(key, setter);
    (ledger.changed ??= []).push(key);
  }

  /** A full copy is coming: what was here is of no account. */
  forgetAll(): void {
    this.keyspace.reset();
    this.ledger.setters.clear();
  }

  /** After keys changed: to the disk, to the replicas, and the alarm for what comes next. */
  settle(): void {
    const { changed } = this.ledger;
    if (changed === null) return;
    this.ledger.changed = null;
    this.disk.changed(changed);
    this.replication.changed(changed);
    this.alarm.set();
  }

  /** The engine does what is due. */
  wake(): void {
    if (!this.up) return;
    this.keyspace.wake(this.wallUs);
    this.settle();
    this.alarm.set();
  }

  protected override clockChanged(): void {
    this.alarm.cancel();
    this.disk.clockChanged();
    this.restarting.clockChanged();
    this.replication.clockChanged();
    this.wake();
  }

  // ---- life

  override crash(how: Ending = 'crash'): void {
    if (!this.up) return;
    this.disk.ended(how);
    super.crash();
    this.replication.crashed();
  }

  restart(): void {
    this.restarting.begin();
  }

  /** Up, with its data: it serves from now on. */
  started(): void {
    this.mode.loading = false;
    this.disk.started();
    this.replication.restarted(this.disk.mark);
    this.alarm.forget();
    this.wake();
  }

  /** This node is the master of its shard from now on. */
  promote(): void {
    recordPromotion(this, this.replication.lead());
    // What had expired goes now, but not within the command that promotes it.
    this.alarm.set();
  }
}
