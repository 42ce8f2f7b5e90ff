/**
 * The connections of a server: what they send is executed one command after another, and answered; what a connection sends while
 * its command waits is executed afterwards.
 */
import type { Channel } from '../network/channel.js';
import { Work } from './connection-work.js';
import { BLOCKED, ErrorReply, NO_REPLY, type Reply, type Session } from './keyspace.js';
import { replyText } from './reply-text.js';
import { Push, type Request, type Requests } from './request.js';
import type { RedisServer } from './server.js';

export class Connections {
  /** By their sessions' numbers. */
  private readonly channels = new Map<number, Channel>();
  /** Whose command is being executed. */
  private executing: Session | null = null;
  /** How long the command that was just executed keeps the server busy. */
  busyUs = 0;

  constructor(private readonly server: RedisServer) {}

  accept(channel: Channel): void {
    const session = this.server.keyspace.openSession();
    channel.session = session;
    this.channels.set(session.id, channel);
  }

  closed(channel: Channel): void {
    const { session } = channel;
    if (session !== null) {
      this.server.keyspace.closeSession(session);
      this.server.replication.left(session);
      this.channels.delete(session.id);
    }
    channel.session = null;
    channel.work = null;
    this.server.replication.closed(channel);
  }

  receive(channel: Channel, request: Request): void {
    if (channel.work !== null) channel.work.waiting.push(request);
    else if (this.apply(channel, request)) this.respond(channel, request, request);
  }

  receiveBatch(channel: Channel, batch: Requests): void {
    if (channel.work !== null) channel.work.waiting.push(batch);
    else this.runBatch(channel, batch, 0);
  }

  private runBatch(channel: Channel, batch: Requests, from: number): void {
    const { commands } = batch;
    for (let index = from; index < commands.length; index++) {
      if (this.apply(channel, commands[index]!)) continue;
      channel.work?.within(batch, index);
      return;
    }
    this.respond(channel, batch, commands[0]!);
  }

  private respond(channel: Channel, message: Request | Requests, request: Request): void {
    const { moments } = this.server.context;
    const hits =
      moments.watching.replied === null || request.greeting === true
        ? null
        : moments.match('replied', request.by, this.server.name, request.args[0]!.toUpperCase());
    const delayUs = this.busyUs + (hits === null ? 0 : moments.delayUs(hits));
    this.busyUs = 0;
    // A batch is answered as a whole, whichever of its commands have no reply of their own.
    const silent = request.reply === NO_REPLY && message === request;
    if (!channel.abandoned && !silent) channel.toClient.send(message, delayUs);
    if (hits !== null) moments.strikeAll(hits, request.sender);
    if (channel.leaving) channel.hangUp();
  }

  /** False when there is no reply (yet): a fault struck between the command and its reply, or the command waits. */
  private apply(channel: Channel, request: Request): boolean {
    const { server } = this;
    const { session } = channel;
    if (session === null || !server.up) return false;
    const event = request.sender === null ? null : server.ledger.recordApply(request);
    server.ledger.current = request;
    this.executing = session;
    request.reply = server.keyspace.execute(session, request.args, server.wallUs);
    this.executing = null;
    server.ledger.current = null;
    if (event !== null) event.reply = replyText(request.reply);
    server.settle();
    channel.offset = server.replication.offset;
    if (request.reply === BLOCKED) {
      channel.work = new Work(request);
      // It may give up by itself.
      server.alarm.set();
      return false;
    }
    return this.applied(channel, request);
  }

  /** Lets the faults strike that wait for it; false when one of them took the reply away. */
  private applied(channel: Channel, request: Request): boolean {
    const { server } = this;
    const { moments } = server.context;
    if (
      moments.watching.applied !== null &&
      request.greeting !== true &&
      !(request.reply instanceof ErrorReply)
    ) {
      moments.pass('applied', request.sender, server.name, request.args[0]!.toUpperCase());
    }
    if (moments.watching.voted !== null && request.voted) {
      moments.pass('voted', request.sender, server.name, request.args[0]!.toUpperCase());
    }
    return server.up && !channel.broken;
  }

  unblocking(session: Session): void {
    const request = this.channels.get(session.id)?.work?.request;
    if (request === undefined) return;
    if (request.sender !== null) this.server.ledger.recordApply(request).reply = '(served)';
    this.server.ledger.current = request;
  }

  unblocked(session: Session, reply: Reply): void {
    this.server.ledger.current = null;
    const channel = this.channels.get(session.id);
    const work = channel?.work;
    if (channel === undefined || work === null || work === undefined) return;
    work.request.reply = reply;
    const goesOn = this.applied(channel, work.request);
    if (goesOn && work.batch === null) this.respond(channel, work.request, work.request);
    if (!goesOn) work.batch = null;
    // As in Redis, what the connection sent after it is executed when the present command is over.
    if (work.batch === null && work.waiting.length === 0) channel.work = null;
    else this.server.kernel.at(this.server.nowUs, this.server, Connections.workOn, channel, work);
  }

  private static workOn(channel: Channel, work: Work): void {
    if (channel.work !== work) return;
    const { connections } = channel.server as RedisServer;
    channel.work = null;
    if (work.batch !== null) connections.runBatch(channel, work.batch, work.index + 1);
    for (const each of work.waiting) {
      if ('commands' in each) connections.receiveBatch(channel, each);
      else connections.receive(channel, each);
    }
  }

  push(session: Session, message: readonly Reply[]): void {
    const channel = this.channels.get(session.id);
    if (channel !== undefined && !channel.abandoned)
      channel.toClient.send(new Push(message, channel.client.background === true));
  }

  hangUp(session: Session): void {
    const channel = this.channels.get(session.id);
    if (channel === undefined) return;
    // Its own command (QUIT) is answered first.
    if (session === this.executing) channel.leaving = true;
    else channel.hangUp();
  }

  /** The replication offset after the last command of this session. */
  offsetOf(session: Session): number {
    return this.channels.get(session.id)?.offset ?? 0;
  }
}
