/** What travels between a master and its replicas. */
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

/** The changes of one command, numbered by the master. */
export class StreamPart implements Message {
  readonly what = 'replication';
  readonly id = undefined;
  readonly background = false;

  constructor(
    readonly link: ReplicaLink,
    readonly changes: readonly Change[],
    /** Changes of the master up to and with this part. */
    readonly offset: number,
  ) {}

  served(): void {}

  answered(channel: Channel): void {
    this.link.apply(channel, this);
  }
}

/** A replica asks to be fed; `offset` of the history `replid` is the last that it has. */
export class SyncRequest implements Message {
  readonly what = 'replication';
  readonly id = undefined;
  readonly background = true;

  constructor(
    readonly link: ReplicaLink,
    readonly replid: string,
    readonly offset: number,
  ) {}

  served(channel: Channel): void {
    (channel.server as RedisServer).replication.synchronise(channel, this);
  }

  answered(channel: Channel): void {
    // Nothing listens there, or it is no master of anybody.
    this.link.refused(channel);
  }
}

/** Everything the master has: the start of a stream. */
export class FullCopy implements Message {
  readonly what = 'replication';
  readonly id = undefined;
  readonly background = false;

  constructor(
    readonly link: ReplicaLink,
    readonly replid: string,
    readonly changes: readonly Change[],
    readonly offset: number,
  ) {}

  served(): void {}

  answered(channel: Channel): void {
    this.link.load(channel, this);
  }
}

/** How far a replica is. */
export class Acknowledgement implements Message {
  readonly what = 'replication';
  readonly id = undefined;
  readonly background = true;

  constructor(readonly offset: number) {}

  served(channel: Channel): void {
    (channel.server as RedisServer).replication.acknowledged(channel, this.offset);
  }

  answered(): void {}
}
