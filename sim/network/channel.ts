/**
 * One TCP connection between a process and a server: two lanes, each of which keeps its bytes in order. Separate
 * connections race. What a client wrote before it gave its end up may still arrive; after a reset nothing does.
 */
import type { Host } from '../host/host.js';
import type { KernelEvent } from '../kernel/heap.js';
import type { Work } from '../redis/connection-work.js';
import type { Reply, Session } from '../redis/keyspace.js';
import type { Link } from './link.js';
import type { Network } from './network.js';

/** What travels: it knows what to do at either end. */
export interface Message {
  /** For traces. */
  readonly what: 'request' | 'response' | 'use' | 'replication' | 'cluster';
  readonly id: number | undefined;
  /** The run may end while it is on its way: it is the servers' own housekeeping. */
  readonly background: boolean;
  /** Arrived at the server's end. */
  served(channel: Channel): void;
  /** Arrived back at the client's end. */
  answered(channel: Channel): void;
}

/** The process's end of a channel. */
export interface ClientEnd {
  readonly host: Host;
  /** True: it is a server's own, and nothing that is pushed to it keeps the run alive. */
  readonly background?: boolean;
  /** The connection broke: an error code as Node reports it. */
  broke(channel: Channel, code: string): void;
  /** A message came that no command had asked for. */
  pushed?(channel: Channel, items: readonly Reply[]): void;
}

/** The server's end. */
export interface ServerEnd {
  readonly host: Host;
  closed(channel: Channel): void;
}

/** What most lanes keep back; never written to. */
const NONE: Message[] = [];

export class Lane {
  /** Nothing arrives before this: order is kept. */
  private lastArrivalUs = 0;
  /** How many messages that were parked are on their way again. */
  private overdue = 0;
  private parked: Message[] = NONE;
  /** Breaks the connection when the first parked message has waited too long. */
  private patience: KernelEvent | null = null;

  constructor(
    protected readonly network: Network,
    readonly channel: Channel,
    readonly link: Link,
    private readonly receiver: Host,
    protected readonly toServer: boolean,
  ) {}

  /** @param extraUs delay on top of the link's latency */
  send(message: Message, extraUs = 0): void {
    if (this.channel.broken) return;
    if (this.link.holds > 0 || this.parked.length > 0) this.park(message);
    else this.launch(message, extraUs);
  }

  /** The server has closed its end: what it has sent still arrives, and then the client hears of it. */
  sendEnd(): void {
    this.send(new Closing());
  }

  protected launch(message: Message, extraUs: number): void {
    const { kernel, giveUpUs } = this.network;
    const lostUs = this.link.lossUs(giveUpUs);
    let arrivesUs = kernel.nowUs + this.link.latencyUs() + lostUs + extraUs;
    if (arrivesUs < this.lastArrivalUs) arrivesUs = this.lastArrivalUs;
    this.lastArrivalUs = arrivesUs;
    if (this.network.trace) this.network.record(this.link, message, arrivesUs);
    if (lostUs >= giveUpUs)
      kernel.at(kernel.nowUs + giveUpUs, null, Lane.giveUp, this as Lane, null, !message.background);
    else kernel.at(arrivesUs, null, Lane.arrive, this as Lane, message, !message.background);
  }

  protected static arrive(lane: Lane, message: Message): void {
    const { kernel } = lane.network;
    if (lane.channel.broken) return;
    if (lane.link.cuts > 0 || lane.parked.length > 0) lane.park(message);
    else if (lane.overdue > 0)
      kernel.at(lane.lastArrivalUs, null, Lane.arrive, lane, message, !message.background);
    else lane.reach(message);
  }

  private static arriveOverdue(lane: Lane, message: Message): void {
    lane.overdue--;
    if (lane.channel.broken) return;
    if (lane.link.cuts > 0 || lane.parked.length > 0) lane.park(message);
    else lane.reach(message);
  }

  /** Bytes reach the machine; a paused program reads them when it resumes. */
  private reach(message: Message): void {
    if (this.receiver.paused) {
      const { kernel } = this.network;
      kernel.at(kernel.nowUs, this.receiver, Lane.deliver, this as Lane, message, !message.background);
    } else Lane.deliver(this, message);
  }

  private static deliver(lane: Lane, message: Message): void {
    if (lane.channel.broken) return;
    if (lane.toServer) message.served(lane.channel);
    else if (!lane.channel.deserted) message.answered(lane.channel);
  }

  private park(message: Message): void {
    const { kernel, giveUpUs } = this.network;
    if (this.parked.length === 0) {
      this.parked = [];
      this.link.park(this);
      this.patience = kernel.at(
        kernel.nowUs + giveUpUs,
        null,
        Lane.giveUp,
        this as Lane,
        message,
        !message.background,
      );
    }
    this.parked.push(message);
    if (this.network.trace) this.network.record(this.link, message, null);
  }

  /** @param waiting the message that has waited for so long; null: it was lost too often */
  private static giveUp(lane: Lane, waiting: Message | null): void {
    if (waiting === null || lane.parked.includes(waiting)) lane.channel.break('ETIMEDOUT');
  }

  /** The link is whole again: what was parked travels on together, ahead of what was sent after it. */
  unpark(): void {
    const { kernel } = this.network;
    const waiting = this.parked;
    this.parked = NONE;
    this.calm();
    const arrivesUs = Math.max(kernel.nowUs + this.link.latencyUs(), this.lastArrivalUs);
    this.lastArrivalUs = arrivesUs;
    this.overdue += waiting.length;
    for (const message of waiting)
      kernel.at(arrivesUs, null, Lane.arriveOverdue, this as Lane, message, !message.background);
  }

  /** What is parked is never sent again. */
  drop(): void {
    this.parked = NONE;
    this.link.forget(this);
    this.calm();
  }

  /** Nobody waits for what is parked any more: the wait must not keep the run alive. */
  calm(): void {
    if (this.patience !== null) this.network.kernel.cancel(this.patience);
    this.patience = null;
  }
}

/** What makes the two lanes of a channel. */
export type LaneClass = new (...args: ConstructorParameters<typeof Lane>) => Lane;

/** The last of what one end sends. It is lost in a cut, like everything else, and the other end knows nothing until then. */
class Closing implements Message {
  readonly what = 'request';
  readonly id = undefined;
  readonly background = true;

  served(channel: Channel): void {
    channel.break('ECONNRESET');
  }

  answered(channel: Channel): void {
    channel.break('ECONNRESET');
  }
}

export class Channel {
  /** What the server's engine keeps of the connection; null before it is accepted and after it is closed. */
  session: Session | null = null;
  /** What the server is at for this connection while a command of it waits there. */
  work: Work | null = null;
  /** The server's replication offset after the last command of this connection. */
  offset = 0;
  /** The server ends the connection when it has answered. */
  leaving = false;
  broken = false;
  /** The client gave its end up; replies find nobody. */
  abandoned = false;
  /** The client's host crashed. */
  deserted = false;
  readonly toServer: Lane;
  readonly toClient: Lane;

  constructor(
    network: Network,
    readonly client: ClientEnd,
    readonly server: ServerEnd,
    outward: Link,
    homeward: Link,
    lane: LaneClass = Lane,
  ) {
    this.toServer = new lane(network, this, outward, server.host, true);
    this.toClient = new lane(network, this, homeward, client.host, false);
  }

  /** The client's host crashed: its bytes in flight still arrive, and nobody hears the answers. */
  desert(): void {
    this.deserted = true;
    this.abandoned = true;
    this.toServer.drop();
    this.toClient.drop();
  }

  /** The client closes its end: what it has sent still arrives, and then the server hears of it. */
  close(): void {
    if (this.broken || this.abandoned) return;
    this.abandoned = true;
    this.toClient.calm();
    this.toServer.send(new Closing());
  }

  /** The server closes its end: what it has sent still arrives, and then the client hears of it. */
  hangUp(): void {
    if (this.broken) return;
    this.server.closed(this);
    this.toServer.calm();
    this.toClient.sendEnd();
  }

  /** Breaks at once at both ends; bytes in flight are lost. */
  break(code: string): void {
    if (this.broken) return;
    this.broken = true;
    this.toServer.calm();
    this.toClient.calm();
    this.server.closed(this);
    if (!this.abandoned) this.client.broke(this, code);
  }
}
