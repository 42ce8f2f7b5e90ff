/**
 * What travels between a master and its replicas. Where the real stream carries commands, this one carries what they left
 * behind: the records of the keys that one command changed, and who set them.
 */
import type { Channel, Message } from '../../network/channel.js';
import type { Bytes, KeyRecord } from '../keyspace.js';
import type { RedisServer } from '../server.js';
import type { ReplicaLink } from './replica-link.js';

/** What became of one key, and who set it; without a record it is gone. */
export interface Change {
  readonly key: Bytes;
  readonly record: KeyRecord | undefined;
  readonly setter: string | null;
}

/** A place in a history of changes. */
export interface Position {
  /**
   * Replication offset: how many parts the history has up to here. Redis counts bytes; all its rules compare offsets and none
   * minds the unit.
   */
  readonly offset: number;
  /** Commands that changed something, up to here: all parts but PING and GETACK, and what came before anybody listened. */
  readonly writes: number;
}

abstract class ReplicationMessage implements Message {
  readonly what = 'replication';
  readonly id = undefined;

  /** @param background false: somebody waits for its effect, so the run may not end while it is on its way */
  constructor(readonly background = true) {}

  served(_channel: Channel): void {}

  answered(_channel: Channel): void {}
}

/** One part of the stream: the changes of one command, or a PING or GETACK of the master's own. */
export class StreamPart extends ReplicationMessage implements Position {
  constructor(
    readonly changes: readonly Change[],
    readonly offset: number,
    readonly writes: number,
    /** REPLCONF GETACK: the replica says at once how far it is. */
    readonly asks: boolean,
    background: boolean,
  ) {
    super(background);
  }

  override answered(channel: Channel): void {
    (channel.client as ReplicaLink).apply(channel, this);
  }
}

/** Before it asks, a replica connects, sends PING and introduces itself: there and back once for each. */
export class Greeting extends ReplicationMessage {
  private left = 3;

  override served(channel: Channel): void {
    const { up, mode } = channel.server as RedisServer;
    channel.toClient.send(up && !mode.loading ? this : new Refusal());
  }

  override answered(channel: Channel): void {
    if (--this.left > 0) channel.toServer.send(this);
    else (channel.client as ReplicaLink).greeted(channel);
  }
}

/** Nothing listens there, it is loading, or has no link to a master of its own. */
export class Refusal extends ReplicationMessage {
  override answered(channel: Channel): void {
    (channel.client as ReplicaLink).refused(channel);
  }
}

/** PSYNC: a replica asks to be fed; `offset` of the history `replid` is the last that it has. */
export class SyncRequest extends ReplicationMessage {
  constructor(
    readonly replid: string,
    readonly offset: number,
  ) {
    super();
  }

  override served(channel: Channel): void {
    (channel.server as RedisServer).replication.synchronise(channel, this);
  }
}

/** +CONTINUE: what the replica lacks follows; from now on the history has this name. */
export class Continuation extends ReplicationMessage {
  constructor(readonly replid: string) {
    super();
  }

  override answered(channel: Channel): void {
    (channel.client as ReplicaLink).resume(channel, this.replid);
  }
}

/** +FULLRESYNC and everything that the master had at one place of its history. */
export class FullCopy extends ReplicationMessage implements Position {
  constructor(
    readonly replid: string,
    readonly changes: readonly Change[],
    readonly offset: number,
    readonly writes: number,
  ) {
    super();
  }

  override answered(channel: Channel): void {
    (channel.client as ReplicaLink).load(channel, this);
  }
}

/** Tells a replica that waits for its copy that the master lives. */
export class Heartbeat extends ReplicationMessage {
  override answered(channel: Channel): void {
    (channel.client as ReplicaLink).heard(channel);
  }
}

/** REPLCONF ACK: how far a replica is. */
export class Acknowledgement extends ReplicationMessage {
  constructor(
    readonly offset: number,
    background: boolean,
  ) {
    super(background);
  }

  override served(channel: Channel): void {
    (channel.server as RedisServer).replication.acknowledged(channel, this.offset);
  }
}
