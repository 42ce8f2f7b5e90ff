/**
 * The network's side of a sealed process's socket: bytes out become commands with an owner, replies come back as bytes.
 * Bytes are read as commands where they are written, not where they arrive: on a connection that keeps their order the
 * commands are the same, and each is known to its owner and to faults at the moment it is sent.
 */
import type { Owner } from '../../host/owner.js';
import type { Process } from '../../host/process.js';
import type { HistoryEvent } from '../../history/events.js';
import type { Stream } from '../../kernel/random.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import { Handshake, type Opener } from '../../redis/handshake.js';
import { ErrorReply, type Bytes } from '../../redis/keyspace.js';
import { ProtocolError, RequestParser } from '../../redis/request-parser.js';
import type { SocketListener, Wire } from '../../sealed/services.js';
import { sendFrom } from '../send.js';
import type { Target, WireSetting } from './sockets.js';
import { cutAt, WireLane, type WireEnd } from './lane.js';
import { WireRequest } from './request.js';
import { ClientDone, Segment } from './segments.js';

type Outcome = Extract<HistoryEvent, { kind: 'reply' }>['outcome'];

/** Bytes that the machine takes without the other end having them: Linux's usual buffer. */
const SEND_BUFFER = 212_992;

export class WireConnection implements ClientEnd, Opener, Wire, WireEnd {
  readonly cuts: { readonly chance: number; readonly stream: Stream } | null;
  readonly greetsAtUs: number;
  readonly localAddress: string;
  readonly localPort: number;
  private readonly channel: Channel;
  private readonly parser = new RequestParser();
  /** Written and not answered, in order. */
  private unanswered: WireRequest[] = [];
  private undelivered = 0;
  private full = false;
  private closed = false;
  private attempting = true;

  constructor(
    readonly host: Process,
    private readonly setting: WireSetting,
    private readonly target: Target,
    readonly owner: Owner,
    private readonly listener: SocketListener,
  ) {
    this.cuts = setting.cuts(host.name);
    this.greetsAtUs = setting.greetsAtUs;
    this.localAddress = setting.localAddress;
    this.localPort = setting.nextPort();
    const channel = (this.channel = setting.network.open(this, target.server, WireLane));
    const idle = setting.attempting();
    host.effect(() => channel.toServer.send(new Handshake(this, idle)));
  }

  // ---- what the socket asks

  write(bytes: Bytes): boolean {
    if (this.closed) return true;
    this.undelivered += bytes.length;
    const at = cutAt(this, bytes.length);
    if (at === 0) this.sendPart(bytes);
    else {
      this.sendPart(bytes.slice(0, at));
      this.sendPart(bytes.slice(at));
    }
    this.full = this.undelivered > SEND_BUFFER;
    return !this.full;
  }

  private sendPart(bytes: Bytes): void {
    const { host, channel } = this;
    const requests = this.read(bytes);
    const first = requests.find((each): each is WireRequest => each instanceof WireRequest && !each.greeting);
    const segment = new Segment(this, bytes.length, requests);
    sendFrom(host, channel, this.setting.moments, segment, first, this.target.name);
  }

  private read(bytes: Bytes): (WireRequest | ProtocolError)[] {
    const { parser, host, owner, setting } = this;
    const requests: (WireRequest | ProtocolError)[] = [];
    parser.push(bytes);
    for (let read = parser.next(); read !== null; read = parser.next()) {
      if (read instanceof ProtocolError) {
        requests.push(read);
        break;
      }
      const request = new WireRequest(setting.counter.next++, host, owner, read);
      requests.push(request);
      this.unanswered.push(request);
    }
    return requests;
  }

  end(): void {
    const { channel } = this;
    if (!this.closed) this.host.effect(() => channel.toServer.send(new ClientDone()));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    // The client has waited long enough: it will try again.
    if (this.attempting) this.setting.losing();
    this.giveUp();
    const { channel } = this;
    this.host.effect(() => channel.close());
  }

  reset(): void {
    if (this.closed) return;
    this.closed = true;
    this.giveUp();
    const { channel } = this;
    this.host.effect(() => channel.break('ECONNRESET'));
  }

  // ---- what the network tells

  connected(channel: Channel): void {
    if (!this.closed && !channel.broken) this.step(WireConnection.open, undefined);
  }

  private static open(connection: WireConnection): void {
    if (connection.closed) return;
    connection.attempted();
    connection.listener.connected();
  }

  /** The attempt to connect is over, one way or another. */
  private attempted(): void {
    if (!this.attempting) return;
    this.attempting = false;
    this.setting.attempted();
  }

  taken(bytes: number): void {
    this.undelivered -= bytes;
    if (!this.full || this.undelivered > SEND_BUFFER / 2 || this.closed) return;
    this.full = false;
    const { kernel } = this.setting.network;
    kernel.at(kernel.nowUs, this.host, WireConnection.makeRoom, this as WireConnection, null);
  }

  private static makeRoom(connection: WireConnection): void {
    if (!connection.closed) connection.step(WireConnection.drain, undefined);
  }

  private static drain(connection: WireConnection): void {
    connection.listener.drained();
  }

  came(_channel: Channel, bytes: Bytes, answered: readonly WireRequest[]): void {
    if (!this.closed) this.step(WireConnection.deliver, { bytes, answered });
  }

  private static deliver(
    connection: WireConnection,
    { bytes, answered }: { bytes: Bytes; answered: readonly WireRequest[] },
  ): void {
    const [first] = answered;
    const { moments } = connection.setting;
    if (moments.watching.delivered !== null && first !== undefined && !first.greeting)
      moments.pass('delivered', connection.host, connection.target.name, first.args[0]!.toUpperCase());
    for (const request of answered) connection.answer(request);
    connection.listener.data(bytes);
  }

  private answer(request: WireRequest): void {
    const { unanswered, host } = this;
    if (unanswered[0] === request) unanswered.shift();
    else unanswered.splice(unanswered.indexOf(request), 1);
    if (request.over) return;
    if (request.voted && request.hold !== null) host.votes.add(request.hold, this.target.name);
    this.note(request, request.reply instanceof ErrorReply ? 'error' : 'ok');
  }

  ended(): void {
    if (!this.closed) this.step(WireConnection.finish, undefined);
  }

  private static finish(connection: WireConnection): void {
    connection.setting.losing();
    connection.giveUp();
    connection.listener.ended();
  }

  broke(_channel: Channel, code: string): void {
    if (this.closed) return;
    const { kernel } = this.setting.network;
    kernel.at(kernel.nowUs, this.host, WireConnection.notice, this as WireConnection, code);
  }

  private static notice(connection: WireConnection, code: string): void {
    if (!connection.closed) connection.step(WireConnection.lose, code);
  }

  private static lose(connection: WireConnection, code: string): void {
    connection.setting.losing();
    connection.closed = true;
    connection.giveUp();
    connection.listener.broke(code);
  }

  /** A step of the process on behalf of the owner of this socket. */
  private step<A>(action: (connection: WireConnection, a: A) => void, a: A): void {
    this.setting.takesOver(this.owner);
    this.host.step(action, this as WireConnection, a);
  }

  /** Nothing will be answered any more. */
  private giveUp(): void {
    this.attempted();
    const { unanswered } = this;
    this.unanswered = [];
    for (const request of unanswered) this.note(request, 'disconnected');
  }

  private note(request: WireRequest, outcome: Outcome): void {
    request.over = true;
    if (request.greeting) return;
    const { host } = this;
    host.record({
      i: 0,
      tUs: host.nowUs,
      host: host.name,
      step: host.steps,
      task: request.task,
      kind: 'reply',
      command: request.id,
      server: this.target.server.host.name,
      hold: request.hold,
      op: request.op,
      outcome,
    });
  }
}
