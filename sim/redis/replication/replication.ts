/**
 * A server's part in replication: as a master it feeds replicas with what its commands changed, as a replica it follows one
 * master ({@link ReplicaLink}). Changes are numbered; a number is a replication offset.
 */
import type { Channel } from '../../network/channel.js';
import type { Network } from '../../network/network.js';
import type { Bytes } from '../keyspace.js';
import type { RedisServer } from '../server.js';
import { ReplicaLink } from './replica-link.js';
import { FullCopy, StreamPart, type Change, type SyncRequest } from './stream.js';

interface Follower {
  readonly channel: Channel;
  readonly link: ReplicaLink;
  acknowledged: number;
  /** True time of its last acknowledgement. */
  heardUs: number;
}

export class Replication {
  /** Name of this history of changes: a server that starts or is promoted begins a new one. */
  replid: string;
  offset = 0;
  /** Null: a master. */
  link: ReplicaLink | null = null;
  private followers: Follower[] = [];
  private histories = 0;

  constructor(
    readonly server: RedisServer,
    readonly network: Network,
  ) {
    this.replid = this.nextHistory();
  }

  private nextHistory(): string {
    return `${this.server.name}/${++this.histories}`;
  }

  // ---- as a master

  /** A replica that has everything is attached from the start. */
  attach(channel: Channel, link: ReplicaLink): void {
    this.followers.push({ channel, link, acknowledged: this.offset, heardUs: this.server.nowUs });
  }

  synchronise(channel: Channel, request: SyncRequest): void {
    const { server } = this;
    if (!server.up || server.mode.loading) {
      channel.toClient.send(request);
      return;
    }
    const changes = [...server.keyspace.entries()].map(([key, record]): Change => ({
      key,
      record,
      setter: server.ledger.setterOf(key),
    }));
    channel.toClient.send(new FullCopy(request.link, this.replid, changes, this.offset));
    this.attach(channel, request.link);
  }

  acknowledged(channel: Channel, offset: number): void {
    const follower = this.followers.find((each) => each.channel === channel);
    if (follower === undefined) return;
    follower.acknowledged = offset;
    follower.heardUs = this.server.nowUs;
  }

  closed(channel: Channel): void {
    this.followers = this.followers.filter((each) => each.channel !== channel);
  }

  /** One command changed these keys. */
  changed(keys: readonly Bytes[]): void {
    const { server } = this;
    this.offset++;
    if (this.followers.length === 0) return;
    const changes = keys.map((key): Change => ({
      key,
      record: server.keyspace.record(key),
      setter: server.ledger.setterOf(key),
    }));
    for (const { channel, link } of this.followers) {
      channel.toClient.send(new StreamPart(link, changes, this.offset));
    }
  }

  // ---- as a replica

  /** REPLICAOF host: follows that server from now on. */
  follow(master: RedisServer): void {
    if (this.link?.master === master) return;
    this.link?.end();
    this.dismiss();
    this.server.mode.replica = true;
    this.link = new ReplicaLink(this, master);
  }

  /** REPLICAOF NO ONE. Returns how many changes of its master it does not have. */
  lead(): number {
    const { link } = this;
    if (link === null) return 0;
    link.end();
    this.link = null;
    this.server.mode.replica = false;
    this.replid = this.nextHistory();
    return Math.max(0, link.master.replication.offset - this.offset);
  }

  /** The server is another one now: those that follow must ask anew. */
  private dismiss(): void {
    for (const { channel } of this.followers) channel.break('ECONNRESET');
    this.followers = [];
  }

  crashed(): void {
    this.link?.lost();
    this.followers = [];
  }

  /** The server is up again, with or without its data. */
  restarted(): void {
    this.replid = this.nextHistory();
    this.link?.connect();
  }
}
