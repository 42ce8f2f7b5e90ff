/** What nodes tell each other on the cluster bus. */
import type { Channel, Message } from '../../network/channel.js';
import type { Bytes } from '../keyspace.js';
import type { RedisServer } from '../server.js';
import type { BusLink } from './bus-link.js';

/** What a node says of itself in every message. Nodes and ranges of slots go by their index. */
export interface Header {
  readonly sender: number;
  readonly currentEpoch: number;
  /** Its own, or its master's. */
  readonly configEpoch: number;
  /** Whom it replicates; null: it is a master. */
  readonly master: number | null;
  /** The ranges it serves, or its master's. */
  readonly ranges: readonly number[];
  readonly offset: number;
  /** A replica that was in sync since it started; every master. */
  readonly ready: boolean;
  /** A master that keeps its clients waiting for a manual failover. */
  readonly paused: boolean;
}

/** Hearsay about another node. */
export interface Gossip {
  readonly node: number;
  readonly failing: boolean;
  readonly pongMs: number;
}

export type BusContent =
  | { readonly type: 'ping' | 'pong'; readonly gossip: readonly Gossip[] }
  | { readonly type: 'fail'; readonly node: number }
  /** Somebody serves these ranges by a greater epoch than the receiver claims them. */
  | {
      readonly type: 'update';
      readonly node: number;
      readonly configEpoch: number;
      readonly ranges: readonly number[];
    }
  /** `manual`: the vote is asked for although the master is not failing. */
  | { readonly type: 'auth-req'; readonly manual: boolean }
  | { readonly type: 'auth-ack' }
  | { readonly type: 'mfstart' }
  /** For the subscribers of this node. */
  | { readonly type: 'publish'; readonly channel: Bytes; readonly message: Bytes };

export type BusType = BusContent['type'];

export class BusMessage implements Message {
  readonly what = 'cluster';
  readonly id = undefined;
  /** Somebody may wait for what is published; all else is the nodes' own business. */
  readonly background: boolean;

  constructor(
    readonly header: Header,
    readonly content: BusContent,
  ) {
    this.background = content.type !== 'publish';
  }

  served(channel: Channel): void {
    (channel.server as RedisServer).cluster?.receive(this, channel);
  }

  answered(channel: Channel): void {
    (channel.client as BusLink).node.receive(this, channel);
  }
}

/** Opens a link: there and back once. */
export class BusGreeting implements Message {
  readonly what = 'cluster';
  readonly id = undefined;
  readonly background = true;
  private accepted = false;

  served(channel: Channel): void {
    this.accepted = (channel.server as RedisServer).up;
    channel.toClient.send(this);
  }

  answered(channel: Channel): void {
    if (this.accepted) (channel.client as BusLink).greeted(channel);
    else channel.break('ECONNREFUSED');
  }
}
