/** A node's connection to another one's cluster bus. PONGs come back on it; everything else travels on links of the sender. */
import type { Host } from '../../host/host.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import type { Member } from './member.js';
import { BusGreeting, type BusMessage } from './messages.js';
import type { ClusterNode } from './node.js';

export class BusLink implements ClientEnd {
  private readonly channel: Channel;
  /** What was to be sent before the other end had answered. */
  private waiting: BusMessage[] = [];
  readonly createdMs: number;

  constructor(
    readonly node: ClusterNode,
    private readonly member: Member,
    public connected: boolean,
  ) {
    this.createdMs = node.nowMs;
    this.channel = node.server.replication.network.open(this, member.server);
    if (!connected) this.channel.toServer.send(new BusGreeting());
  }

  get host(): Host {
    return this.node.server;
  }

  send(message: BusMessage): void {
    if (this.connected) this.channel.toServer.send(message);
    else this.waiting.push(message);
  }

  greeted(channel: Channel): void {
    if (channel !== this.channel || this.member.link !== this) return;
    this.connected = true;
    for (const message of this.waiting) this.channel.toServer.send(message);
    this.waiting = [];
    this.node.greet(this.member);
  }

  broke(channel: Channel): void {
    if (channel === this.channel && this.member.link === this) this.member.link = null;
  }

  /** Gives the link up. */
  end(): void {
    if (this.member.link === this) this.member.link = null;
    this.channel.close();
  }
}
