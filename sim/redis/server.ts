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
import { Connections } from './connections.js';
import { KeyLedger } from './key-ledger.js';
import type {
  Bytes,
  KeyEffect,
  KeyRecord,
  Keyspace,
  KeyspaceFactory,
  KeyspaceHost,
  Reply,
  ServerMode,
  Session,
} from './keyspace.js';
import type { Disk, DiskOwner, Ending, HistoryMark } from './persistence/disk.js';
import { recordPromotion } from './promotion.js';
import { Replication } from './replication/replication.js';
import type { ReplicationPlan } from './replication/settings.js';
import type { CommandServer, Request, Requests } from './request.js';
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
  readonly alarm = new Alarm(this);
  readonly connections = new Connections(this);

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
    if (this.up) this.connections.accept(channel);
  }

  closed(channel: Channel): void {
    this.connections.closed(channel);
  }

  receive(channel: Channel, request: Request): void {
    this.connections.receive(channel, request);
  }

  receiveBatch(channel: Channel, batch: Requests): void {
    this.connections.receiveBatch(channel, batch);
  }

  // ---- what the engine tells

  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void {
    this.ledger.keyChanged(key, effect, deadlineMs);
  }

  unblocking(session: Session): void {
    this.connections.unblocking(session);
  }

  unblocked(session: Session, reply: Reply): void {
    this.connections.unblocked(session, reply);
  }

  push(session: Session, message: readonly Reply[]): void {
    this.connections.push(session, message);
  }

  hangUp(session: Session): void {
    this.connections.hangUp(session);
  }

  published(channel: Bytes, message: Bytes): void {
    this.cluster?.publish(channel, message);
  }

  /** Whatever was just executed takes so long; nothing else happens here meanwhile, and its reply comes after it. */
  keepBusy(forUs: number): void {
    if (forUs < 1) return;
    this.connections.busyUs += forUs;
    this.pause(forUs);
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
    const unreplicated = this.replication.lacks(this.shard.serving.replication);
    this.replication.lead();
    recordPromotion(this, unreplicated);
    // What had expired goes now, but not within the command that promotes it.
    this.alarm.set();
  }

  /** REPLICAOF: false if that is its master already. If it was its shard's master, the master that it follows is from now on. */
  demote(master: string): boolean {
    if (!this.replication.replicaOf(master)) return false;
    const next = this.shard.node(master);
    if (this.shard.serving === this && next !== undefined && next.up && !next.mode.replica) next.promote();
    return true;
  }
}
