/**
 * A server's part in replication, as Redis 7.0 plays it: as a master it feeds replicas ({@link Followers}) with what its commands
 * changed, as a replica it follows one master ({@link ReplicaLink}) and passes the same stream on to replicas of its own. A replica
 * that lost its connection is fed from where it was, if both share the history and the backlog still has it; otherwise it
 * gets a full copy. Once a second, at whole seconds of its monotonic clock, a server looks after all that.
 */
import type { KernelEvent } from '../../kernel/heap.js';
import type { Channel } from '../../network/channel.js';
import type { Network } from '../../network/network.js';
import { ErrorReply, type Bytes, type Session } from '../keyspace.js';
import type { HistoryMark } from '../persistence/disk.js';
import type { RedisServer } from '../server.js';
import { Backlog } from './backlog.js';
import { Followers } from './followers.js';
import { ReplicaLink } from './replica-link.js';
import { ReplicationSettings, type ReplicationPlan } from './settings.js';
import { StreamPart, type Change, type Position, type SyncRequest } from './stream.js';
import { Waiters } from './waiters.js';

const TOO_FEW_REPLICAS = new ErrorReply('NOREPLICAS Not enough good replicas to write.');
const ROLE_CHANGED = new ErrorReply(
  'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
);
const SECOND_US = 1_000_000;
const NO_CHANGES: readonly Change[] = [];

export class Replication implements Position {
  /** Name of this history of changes: a server that starts or is promoted begins a new one. */
  replid: string;
  offset = 0;
  writes = 0;
  /** The history that this one goes on with; it is the same before {@link secondOffset}. */
  replid2: string | null = null;
  secondOffset = -1;
  /** How many of its changes were made before this history began. */
  inherited = 0;
  /** Null: a master. */
  link: ReplicaLink | null = null;
  /** Null: nobody ever asked to be fed. */
  backlog: Backlog | null = null;
  readonly followers = new Followers(this);
  readonly waiters = new Waiters(this);
  readonly settings: ReplicationSettings;
  private histories = 0;
  private asking = false;
  private cron: KernelEvent | null = null;

  constructor(
    readonly server: RedisServer,
    readonly network: Network,
    plan: ReplicationPlan,
  ) {
    this.replid = this.nextHistory();
    this.settings = new ReplicationSettings(plan);
    if (plan.minReplicas > 0) this.checkGood();
  }

  private nextHistory(): string {
    return `${this.server.name}/${++this.histories}`;
  }

  /** Whole seconds of the server's wall clock, by which Redis measures silence. */
  get nowS(): number {
    return Math.floor(this.server.wallUs / SECOND_US);
  }

  // ---- the stream

  /** One command of a master changed these keys. */
  changed(keys: readonly Bytes[]): void {
    if (this.link !== null) return;
    this.writes++;
    // As in Redis, what nobody ever listened to has no number.
    if (this.backlog === null) return;
    this.offset++;
    const { server } = this;
    const changes = keys.map((key): Change => ({
      key,
      record: server.keyspace.record(key),
      setter: server.ledger.setterOf(key),
    }));
    this.feed(new StreamPart(changes, this.offset, this.writes, false, this.unwatched));
  }

  private feed(part: StreamPart): void {
    this.backlog?.push(part);
    this.followers.feed(part);
  }

  /** No fault waits for a part to arrive: the run may end before it does. */
  private get unwatched(): boolean {
    return this.server.context.moments.watching.replicated === null;
  }

  /** A replica passes on what it has applied. */
  relay(part: StreamPart): void {
    this.offset = part.offset;
    this.writes = part.writes;
    this.feed(part);
  }

  private chore(asks: boolean): void {
    this.offset++;
    this.feed(new StreamPart(NO_CHANGES, this.offset, this.writes, asks, !asks));
  }

  /** GETACK, for clients that wait: once the present command is over, and once for all that ask meanwhile. */
  ask(): void {
    if (this.asking || this.followers.list.length === 0) return;
    this.asking = true;
    this.server.kernel.at(this.server.nowUs, this.server, Replication.asks, this as Replication, null);
  }

  private static asks(replication: Replication): void {
    replication.asking = false;
    if (replication.link === null) replication.chore(true);
  }

  // ---- as a master

  attach(channel: Channel): void {
    this.backlog ??= new Backlog(this.offset);
    this.followers.attach(channel);
  }

  synchronise(channel: Channel, request: SyncRequest): void {
    this.followers.synchronise(channel, request);
  }

  /** What a replica lacks that has `replid` up to `offset`; null: it needs everything. */
  since(replid: string, offset: number): readonly StreamPart[] | null {
    const known = replid === this.replid || (replid === this.replid2 && offset < this.secondOffset);
    return known && this.backlog !== null ? this.backlog.after(offset) : null;
  }

  /** From now on the stream is kept; a history whose beginning was not kept is a new one. */
  keepBacklog(): void {
    if (this.backlog !== null) return;
    this.replid = this.nextHistory();
    this.replid2 = null;
    this.secondOffset = -1;
    this.backlog = new Backlog(this.offset);
  }

  acknowledged(channel: Channel, offset: number): void {
    this.followers.acknowledged(channel, offset);
    this.waiters.check();
  }

  changedFollowers(): void {
    this.checkGood();
    this.schedule();
  }

  /** A connection ended. */
  closed(channel: Channel): void {
    this.followers.closed(channel);
  }

  /** The connection of a client ended. */
  left(session: Session): void {
    this.waiters.leave(session);
  }

  /** Redis counts its good replicas once a second and when one comes or goes, not when a write asks. */
  checkGood(): void {
    const { minReplicas, maxLagS } = this.settings;
    const { mode } = this.server;
    const guarded = this.link === null && minReplicas > 0 && maxLagS > 0;
    if (guarded && this.followers.good(maxLagS) < minReplicas) mode.writesRefused ??= TOO_FEW_REPLICAS;
    else if (mode.writesRefused === TOO_FEW_REPLICAS) mode.writesRefused = null;
  }

  // ---- as a replica

  /** Follows that server from now on. Before anything was written both have the same, and nothing needs to be asked. */
  follow(master: RedisServer): void {
    this.followHost(master.name, master);
  }

  /** REPLICAOF host: false if that is its master already. */
  replicaOf(host: string): boolean {
    if (this.link?.masterName === host) return false;
    this.followHost(host, this.server.shard.node(host) ?? null);
    return true;
  }

  private followHost(name: string, master: RedisServer | null): void {
    const { server } = this;
    if (this.link?.masterName === name) return;
    if (server.up) {
      server.keyspace.interruptBlocked(ROLE_CHANGED);
      this.waiters.interrupt(ROLE_CHANGED);
    }
    this.link?.end();
    server.mode.replica = true;
    this.link = new ReplicaLink(this, name, master, this.link?.downSinceS ?? null);
    const fresh = server.nowUs === 0 && this.writes === 0 && master?.replication.writes === 0;
    if (fresh) this.link.start();
    else this.link.connect();
    this.roleChanged();
  }

  /** REPLICAOF NO ONE. */
  lead(): void {
    const { link } = this;
    if (link === null) return;
    link.end();
    this.link = null;
    this.server.mode.replica = false;
    this.replid2 = this.replid;
    this.secondOffset = this.offset + 1;
    this.replid = this.nextHistory();
    this.inherited = this.writes;
    this.followers.dismiss();
    this.roleChanged();
  }

  private roleChanged(): void {
    this.check();
    this.schedule();
    this.server.alarm.set();
  }

  /** +CONTINUE: the history has this name now. */
  continueAs(replid: string): void {
    this.backlog ??= new Backlog(this.offset);
    if (replid === this.replid) return;
    this.replid2 = this.replid;
    this.secondOffset = this.offset + 1;
    this.replid = replid;
    this.followers.dismiss();
  }

  /** How many changes of a master it does not have. After a restart that one counts its own, of which whoever has not asked since has none. */
  lacks(master: Replication): number {
    const known =
      this.replid === master.replid || (this.replid === master.replid2 && this.offset < master.secondOffset);
    const fewer = Math.max(0, master.writes - this.writes);
    return known || master === this ? fewer : Math.max(fewer, master.writes - master.inherited);
  }

  /** Another's data is about to take the place of what is here. */
  abandonHistory(): void {
    this.followers.dismiss();
    this.replid = this.nextHistory();
    this.replid2 = null;
    this.secondOffset = -1;
    this.offset = 0;
    this.writes = 0;
    this.inherited = 0;
    this.backlog = null;
  }

  /** It has exactly what its master had there. */
  adopt(replid: string, { offset, writes }: Position): void {
    this.replid = replid;
    this.replid2 = null;
    this.secondOffset = -1;
    this.offset = offset;
    this.writes = writes;
    this.inherited = 0;
    this.backlog = new Backlog(offset);
  }

  /** Without `replica-serve-stale-data` a replica answers nothing while its link is down. */
  checkStale(): void {
    const { link, settings, server } = this;
    server.mode.masterDown = link !== null && link.state !== 'connected' && !settings.serveStale;
  }

  /** What the role, the replicas, the link or the parameters mean for clients. */
  check(): void {
    this.checkGood();
    this.checkStale();
  }

  // ---- time and ends

  private schedule(): void {
    if (this.cron !== null || (this.link === null && this.followers.list.length === 0)) return;
    const { server } = this;
    const { kernel, clocks } = server;
    const nextUs = (Math.floor(clocks.monoUs(kernel.nowUs) / SECOND_US) + 1) * SECOND_US;
    const tUs = clocks.whenMono(nextUs, kernel.nowUs);
    this.cron = kernel.at(tUs, server, Replication.turn, this as Replication, nextUs / SECOND_US, false);
  }

  private static turn(replication: Replication, second: number): void {
    replication.cron = null;
    const { link, followers, settings, server } = replication;
    if (!server.up) return;
    link?.turn();
    if (link === null && second % settings.pingS === 0 && followers.list.length > 0) replication.chore(false);
    followers.turn();
    replication.checkGood();
    replication.schedule();
  }

  clockChanged(): void {
    this.waiters.schedule();
  }

  crashed(): void {
    if (this.cron !== null) this.server.kernel.cancel(this.cron);
    this.cron = null;
    this.asking = false;
    this.link?.crashed();
    this.followers.forget();
    this.waiters.forget();
  }

  /** Where in its history the server is. */
  mark(): HistoryMark | null {
    const { replid, offset, writes, backlog } = this;
    return backlog === null ? null : { replid, offset, writes };
  }

  /**
   * The server is up again.
   *
   * @param mark where in its history it was with the data that it found: a replica asks for what follows, a master can feed
   *   replicas that are there; null: nothing was found, or not where it belongs
   */
  restarted(mark: HistoryMark | null): void {
    this.abandonHistory();
    if (mark !== null) {
      this.offset = mark.offset;
      this.writes = mark.writes;
      this.inherited = mark.writes;
      this.backlog = new Backlog(mark.offset);
      if (this.link !== null) this.replid = mark.replid;
      else {
        this.replid2 = mark.replid;
        this.secondOffset = mark.offset + 1;
      }
    }
    this.check();
    this.link?.connect();
    this.schedule();
  }
}
