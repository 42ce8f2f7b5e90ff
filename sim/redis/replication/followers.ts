/** A master's replicas (or a replica's own): what they are sent, what they have, and whether they still answer. */
import type { Channel } from '../../network/channel.js';
import type { Replication } from './replication.js';
import {
  Continuation,
  FullCopy,
  Heartbeat,
  Refusal,
  type Change,
  type StreamPart,
  type SyncRequest,
} from './stream.js';

export interface Follower {
  readonly channel: Channel;
  /** Redis' words: it waits for its copy, or is fed. */
  state: 'wait_bgsave' | 'online';
  /** Parts that it gets when it has loaded its copy and says so; null: parts are sent at once. */
  held: StreamPart[] | null;
  acknowledged: number;
  /** Whole seconds of the master's wall clock at its last acknowledgement; while it waits, at its request. */
  heardS: number;
}

export class Followers {
  private all: readonly Follower[] = [];

  constructor(private readonly replication: Replication) {}

  get list(): readonly Follower[] {
    return this.all;
  }

  /** A replica that has everything from the start. */
  attach(channel: Channel): void {
    this.add(channel, 'online', this.replication.offset);
  }

  private add(channel: Channel, state: Follower['state'], acknowledged: number): void {
    const follower: Follower = { channel, state, held: null, acknowledged, heardS: this.replication.nowS };
    this.all = [...this.all.filter((each) => each.channel !== channel), follower];
    this.replication.changedFollowers();
  }

  /** PSYNC. */
  synchronise(channel: Channel, request: SyncRequest): void {
    const { replication } = this;
    const { server, link } = replication;
    if (!server.up || server.mode.loading || (link !== null && link.state !== 'connected')) {
      channel.toClient.send(new Refusal());
      return;
    }
    const parts = replication.since(request.replid, request.offset);
    if (parts === null) {
      replication.keepBacklog();
      this.add(channel, 'wait_bgsave', 0);
      return;
    }
    channel.toClient.send(new Continuation(replication.replid));
    for (const part of parts) channel.toClient.send(part);
    this.add(channel, 'online', 0);
  }

  feed(part: StreamPart): void {
    for (const { state, held, channel } of this.all) {
      if (held !== null) held.push(part);
      else if (state === 'online') channel.toClient.send(part);
    }
  }

  acknowledged(channel: Channel, offset: number): void {
    const follower = this.all.find((each) => each.channel === channel);
    if (follower === undefined) return;
    if (offset > follower.acknowledged) follower.acknowledged = offset;
    follower.heardS = this.replication.nowS;
    if (follower.held === null) return;
    const { held } = follower;
    follower.held = null;
    for (const part of held) channel.toClient.send(part);
  }

  closed(channel: Channel): void {
    if (this.all.length === 0) return;
    const left = this.all.filter((each) => each.channel !== channel);
    if (left.length === this.all.length) return;
    this.all = left;
    this.replication.changedFollowers();
  }

  /** They must ask anew. */
  dismiss(): void {
    for (const { channel } of this.all) channel.hangUp();
  }

  /** The server's memory is gone. */
  forget(): void {
    this.all = [];
  }

  /** Once a second. */
  turn(): void {
    const { nowS, settings } = this.replication;
    for (const { state, channel, heardS } of this.all) {
      if (state === 'wait_bgsave') channel.toClient.send(new Heartbeat());
      else if (nowS - heardS > settings.timeoutS) channel.hangUp();
    }
    const waiting = this.all.filter(({ state }) => state === 'wait_bgsave');
    if (waiting.some(({ heardS }) => nowS - heardS >= settings.copyDelayS)) this.copy(waiting);
  }

  /** One copy for all that wait for one. */
  private copy(waiting: readonly Follower[]): void {
    const { replication } = this;
    const { server, replid, offset, writes } = replication;
    const changes: Change[] = [];
    for (const [key, record] of server.entries()) changes.push({ key, record, setter: server.setterOf(key) });
    for (const follower of waiting) {
      follower.channel.toClient.send(new FullCopy(replid, changes, offset, writes));
      follower.state = 'online';
      follower.held = [];
      follower.heardS = replication.nowS;
    }
  }

  /** All have acknowledged all there is. */
  get caughtUp(): boolean {
    const { offset } = this.replication;
    return this.all.every(({ acknowledged }) => acknowledged === offset);
  }

  /** How many have acknowledged this offset. */
  having(offset: number): number {
    let count = 0;
    for (const { state, acknowledged } of this.all) if (state === 'online' && acknowledged >= offset) count++;
    return count;
  }

  /** How many have been heard of within so many whole seconds. */
  good(maxLagS: number): number {
    const { nowS } = this.replication;
    let count = 0;
    for (const { state, heardS } of this.all) if (state === 'online' && nowS - heardS <= maxLagS) count++;
    return count;
  }
}
