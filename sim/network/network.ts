/** All links between hosts, made when first used, and the verbs that faults apply to them. */
import type { Recorder } from '../history/recorder.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Streams } from '../kernel/random.js';
import { Channel, type ClientEnd, type LaneClass, type Message, type ServerEnd } from './channel.js';
import type { LinkPlans } from './link-plans.js';
import { Link, type DurationUs } from './link.js';

export interface NetworkPlan {
  readonly links: LinkPlans;
  readonly loss: number;
  readonly retransmitUs: number;
  readonly giveUpUs: number;
}

export class Network {
  readonly giveUpUs: number;
  /** By the ordinal of their plan; links come to be when first used. */
  private readonly links: (Link | undefined)[] = [];
  private readonly channels: Channel[] = [];

  constructor(
    readonly kernel: Kernel,
    private readonly recorder: Recorder,
    private readonly streams: Streams,
    private readonly plan: NetworkPlan,
    readonly trace: boolean,
  ) {
    this.giveUpUs = plan.giveUpUs;
  }

  link(from: string, to: string): Link {
    const plan = this.plan.links.of(from, to);
    return (this.links[plan.index] ??= new Link(this.streams, plan, this.plan.loss, this.plan.retransmitUs));
  }

  /** A new connection; its first message is up to the caller. */
  open(client: ClientEnd, server: ServerEnd, lane?: LaneClass): Channel {
    const outward = this.link(client.host.name, server.host.name);
    const homeward = this.link(server.host.name, client.host.name);
    const channel = new Channel(this, client, server, outward, homeward, lane);
    this.channels.push(channel);
    return channel;
  }

  /** One direction is cut: what would arrive is kept until {@link heal}. Cuts add up. */
  partition(from: string, to: string): void {
    const link = this.link(from, to);
    if (link.cuts++ === 0) this.note(link, 'cut');
  }

  heal(from: string, to: string): void {
    const link = this.link(from, to);
    if (link.cuts === 0) return;
    if (--link.cuts === 0) {
      this.note(link, 'whole');
      this.letGo(link);
    }
  }

  /** What is sent in one direction from now on is kept until {@link release}; what is in flight arrives. */
  hold(from: string, to: string): void {
    const link = this.link(from, to);
    if (link.holds++ === 0) this.note(link, 'held');
  }

  release(from: string, to: string): void {
    const link = this.link(from, to);
    if (link.holds === 0) return;
    if (--link.holds === 0) {
      this.note(link, 'released');
      this.letGo(link);
    }
  }

  /** Breaks every connection between two hosts, whichever end opened it. */
  reset(one: string, other: string): void {
    this.note(this.link(one, other), 'reset');
    for (const channel of [...this.channels]) {
      const client = channel.client.host.name;
      const server = channel.server.host.name;
      if ((client === one && server === other) || (client === other && server === one))
        channel.break('ECONNRESET');
    }
  }

  slow(from: string, to: string, latencyUs: DurationUs | null): void {
    this.link(from, to).slow = latencyUs;
  }

  /** Breaks every connection of a host, as when its machine goes down. */
  sever(host: string): void {
    for (const channel of [...this.channels]) {
      if (channel.client.host.name === host || channel.server.host.name === host) channel.break('ECONNRESET');
    }
  }

  /**
   * The clients of a host are gone, as when it crashes: what they have sent is on the wire and arrives; what the network
   * kept back is not sent again.
   */
  desert(host: string): void {
    for (const channel of this.channels) if (channel.client.host.name === host) channel.desert();
  }

  record(link: Link, message: Message, arrivesUs: number | null): void {
    this.recorder.add({
      i: 0,
      tUs: this.kernel.nowUs,
      host: link.from,
      kind: 'message',
      to: link.to,
      what: message.what,
      command: message.id,
      arrivesUs,
    });
  }

  private letGo(link: Link): void {
    if (link.cuts > 0 || link.holds > 0) return;
    for (const lane of link.unpark()) lane.unpark();
  }

  private note(link: Link, state: 'cut' | 'whole' | 'held' | 'released' | 'reset'): void {
    this.recorder.add({
      i: 0,
      tUs: this.kernel.nowUs,
      host: link.from,
      kind: 'link',
      to: link.to,
      state,
    });
  }
}
