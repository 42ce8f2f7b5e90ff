/**
 * The connection of a direct client, as ioredis keeps it: ready from the start, lost with its channel, opened again with
 * a back-off of min(50 × n, 2000) ms unless another is given, with an offline queue meanwhile. Unlike ioredis it does not send again what was
 * written and not answered: such commands reject, since their outcome is unknown.
 */
import type { Process } from '../../host/process.js';
import type { ProcessTimer } from '../../host/timer.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import type { Network } from '../../network/network.js';
import { Handshake } from '../../redis/handshake.js';
import { ErrorReply, type Reply } from '../../redis/keyspace.js';
import { PeerCommand } from '../../redis/peer.js';
import type { CommandServer } from '../../redis/request.js';
import type { HistoryEvent } from '../../history/events.js';
import type { Moments } from '../../faults/moments.js';
import type { Scenario } from '../../scenario/schema.js';
import { ioredisBackOff, type BackOff } from './back-off.js';
import { sendFrom } from '../send.js';
import { Batch, Command } from './command.js';
import type { Discovery, Seeker } from './discovery.js';
import { connectionClosed, failAll, socketError, tooManyRetries } from './failures.js';
import { refusesSubscriber, Subscriptions } from './subscriptions.js';

export type ClientOptions = Scenario['processes']['client'];
export type Status = 'ready' | 'connecting' | 'reconnecting' | 'end';
type Outcome = Extract<HistoryEvent, { kind: 'reply' }>['outcome'];

/** A name that leads to a server, not always to the same one. */
export interface Address {
  readonly name: string;
  readonly serving: CommandServer;
}

/** The client on top of a connection. */
export interface Emitter {
  emit(event: string, ...args: unknown[]): void;
  /** Sends a command of its own. */
  run(name: string, args: unknown[]): Promise<unknown>;
}

const CONNECT_TIMEOUT_US = 10_000_000;

export class Connection implements ClientEnd, Seeker {
  status: Status = 'ready';
  /** The server at the other end of the present connection. */
  server: CommandServer;
  /** Where its commands go now; the one before while it has none. */
  channel: Channel;
  /** Written and not answered, in order: rarely more than a few. */
  private inFlight: Command[] = [];
  private queue: (Command | Batch)[] = [];
  private attempts = 0;
  private retryTimer: ProcessTimer | null = null;
  /** Told of `ready`, `close`, `reconnecting`, `error` and `end`, as an ioredis client emits them. */
  emitter: Emitter | null = null;
  /** Null: has never subscribed to anything. */
  private subscriptions: Subscriptions | null = null;

  constructor(
    readonly host: Process,
    private readonly network: Network,
    private readonly moments: Moments,
    /** Where its connections lead: whoever has the name when one is opened. */
    readonly address: Address,
    readonly options: ClientOptions,
    /** It is open from the start; else it is about to be opened. */
    established = true,
    /** Sentinels tell where it leads; null: the address does. */
    readonly discovery: Discovery | null = null,
    private readonly backOff: BackOff = ioredisBackOff,
  ) {
    const server = (this.server = address.serving);
    this.channel = network.open(this, server);
    if (!established) {
      if (discovery === null) this.greet();
      else {
        this.channel.broken = true;
        this.open(discovery);
      }
      return;
    }
    server.accept(this.channel);
    if (!server.up) {
      this.channel.broken = true;
      this.status = 'connecting';
      this.retryLater();
    }
  }

  send(message: Command | Batch): void {
    if (this.subscriptions !== null && this.subscriptions.active) {
      const refused = refusesSubscriber(message);
      if (refused !== null) {
        failAll(message, refused);
        return;
      }
    }
    if (message instanceof Batch) {
      for (const command of message.commands) this.startTimeout(command);
    } else this.startTimeout(message);
    if (this.status === 'ready') this.write(message);
    else if (this.status === 'end') failAll(message, connectionClosed());
    else if (!this.options.offlineQueue)
      failAll(message, new Error("Stream isn't writeable and enableOfflineQueue options is false"));
    else {
      this.queue.push(message);
      if (this.retryTimer !== null) this.retryTimer.referenced = true;
    }
  }

  private startTimeout(command: Command): void {
    const ms = this.options.commandTimeoutMs;
    if (ms === null) return;
    command.timer = this.host.startTimerUs(() => this.timedOut(command), Math.round(ms * 1000));
  }

  private write(message: Command | Batch): void {
    if (message instanceof Batch) this.inFlight.push(...message.commands);
    else this.inFlight.push(message);
    const first = message instanceof Batch ? message.commands[0]! : message;
    sendFrom(this.host, this.channel, this.moments, message, first, this.address.name);
  }

  answer(channel: Channel, command: Command): void {
    if (channel !== this.channel || channel.abandoned) return;
    this.host.step(Connection.deliver, this as Connection, command);
  }

  answerBatch(channel: Channel, batch: Batch): void {
    if (channel !== this.channel || channel.abandoned) return;
    this.host.step(Connection.deliverBatch, this as Connection, batch);
  }

  private static deliver(connection: Connection, command: Command): void {
    connection.passDelivered(command);
    Connection.settle(connection, command);
  }

  /** The moment at which the process has the reply before it. */
  private passDelivered(command: Command): void {
    const { moments } = this;
    if (moments.watching.delivered !== null)
      moments.pass('delivered', this.host, this.address.name, command.args[0]!.toUpperCase());
  }

  private static settle(connection: Connection, command: Command): void {
    const at = connection.inFlight.indexOf(command);
    // Nearly always the only one: splice would make an array for it.
    if (at === 0 && connection.inFlight.length === 1) connection.inFlight.pop();
    else if (at >= 0) connection.inFlight.splice(at, 1);
    if (command.settled) return;
    if (command.voted && command.hold !== null)
      connection.host.votes.add(command.hold, connection.address.name);
    connection.note(command, command.reply instanceof ErrorReply ? 'error' : 'ok');
    command.settle(command.reply);
  }

  pushed(channel: Channel, items: readonly Reply[]): void {
    if (channel !== this.channel || channel.abandoned) return;
    this.host.step(Connection.take, this as Connection, items);
  }

  private static take(connection: Connection, items: readonly Reply[]): void {
    const { emitter, inFlight } = connection;
    if (emitter === null) return;
    connection.subscriptions ??= new Subscriptions(emitter);
    const confirmed = connection.subscriptions.take(items, inFlight);
    if (confirmed === null) return;
    inFlight.splice(inFlight.indexOf(confirmed), 1);
    if (confirmed.settled) return;
    connection.note(confirmed, 'ok');
    confirmed.settle(items[2]!);
  }

  private static deliverBatch(connection: Connection, batch: Batch): void {
    connection.passDelivered(batch.commands[0]!);
    for (const command of batch.commands) Connection.settle(connection, command);
  }

  /** The command was not answered in time. */
  timedOut(command: Command): void {
    if (command.settled) return;
    this.note(command, 'timeout');
    command.fail(new Error('Command timed out'));
    const written = this.inFlight.includes(command);
    if (this.options.reconnectOnTimeout && written && this.status === 'ready') {
      this.channel.abandoned = true;
      this.lose('ETIMEDOUT', 0);
    }
  }

  /** The process gives the connection up and opens none again. */
  end(): void {
    this.status = 'end';
    this.channel.abandoned = true;
    this.discovery?.stop();
    this.flush(connectionClosed());
    this.emitter?.emit('close');
    this.emitter?.emit('end');
  }

  broke(channel: Channel, code: string): void {
    if (channel !== this.channel || this.status === 'end') return;
    const { kernel } = this.network;
    kernel.at(kernel.nowUs, this.host, Connection.notice, this as Connection, code);
  }

  private static notice(connection: Connection, code: string): void {
    connection.host.step(Connection.lost, connection, code);
  }

  private static lost(connection: Connection, code: string): void {
    if (connection.status === 'ready' || connection.status === 'connecting') connection.lose(code, null);
  }

  /**
   * @param code what broke it; null: the client itself
   * @param afterUs delay of the first new attempt; null: the usual back-off
   */
  private lose(code: string | null, afterUs: number | null): void {
    const wasReady = this.status === 'ready';
    this.status = 'reconnecting';
    this.subscriptions?.lost();
    if (code !== null)
      this.emitter?.emit('error', socketError(code, wasReady ? 'read' : 'connect', this.serverName));
    this.emitter?.emit('close');
    const unanswered = this.inFlight;
    this.inFlight = [];
    for (const command of unanswered) {
      if (command.settled) continue;
      this.note(command, 'disconnected');
      command.fail(connectionClosed());
    }
    if (afterUs === null) this.retryLater();
    else this.host.startTimerUs(() => this.connect(), Math.max(afterUs, 1));
  }

  /** The connection was lost, or could not be opened. */
  protected retryLater(): void {
    this.attempts++;
    const limit = this.options.maxRetriesPerRequest;
    if (limit !== null && this.attempts > limit && this.queue.length > 0) this.flush(tooManyRetries(limit));
    const delayMs = this.backOff(this.attempts, this.host);
    this.emitter?.emit('reconnecting', delayMs);
    this.retryTimer = this.host.startTimerUs(() => this.connect(), delayMs * 1000);
    // A connection that nobody waits for does not keep the run alive.
    this.retryTimer.referenced = this.queue.length > 0;
  }

  private connect(): void {
    if (this.status === 'end') return;
    this.retryTimer = null;
    if (this.discovery === null) this.lead(this.address.serving);
    else this.open(this.discovery);
  }

  private open(discovery: Discovery): void {
    this.status = 'connecting';
    discovery.find(this);
  }

  lead(server: CommandServer): void {
    if (this.status === 'end') return;
    this.server = server;
    this.channel = this.network.open(this, server);
    this.greet();
  }

  private greet(): void {
    this.status = 'connecting';
    const { channel } = this;
    this.host.effect(() => channel.toServer.send(new Handshake(this)));
    const timer = this.host.startTimerUs(() => {
      if (this.status === 'connecting' && this.channel === channel) channel.break('ETIMEDOUT');
    }, CONNECT_TIMEOUT_US);
    timer.referenced = false;
  }

  connected(channel: Channel): void {
    if (channel !== this.channel || this.status !== 'connecting') return;
    if (this.discovery === null) this.host.step(Connection.ready, this as Connection, undefined);
    else this.introduce(this.discovery, channel);
  }

  /** Asks the server that a Sentinel named what it is. */
  private introduce(discovery: Discovery, channel: Channel): void {
    const judge = (reply: Reply): void => {
      if (channel !== this.channel || this.status !== 'connecting') return;
      discovery.judge(this, typeof reply === 'string' ? reply : null, () =>
        this.introduce(discovery, channel),
      );
    };
    const asker = {
      answer: (_channel: Channel, { reply }: PeerCommand) => this.host.step(judge, reply, undefined),
    };
    const question = new PeerCommand(asker, this.host.name, ['INFO'], null, false);
    this.host.effect(() => channel.toServer.send(question));
  }

  begin(): void {
    Connection.ready(this);
  }

  retreat(): void {
    this.channel.close();
    this.lose(null, null);
  }

  later(delayMs: number, what: () => void): void {
    this.retryTimer = this.host.startTimerUs(() => {
      this.retryTimer = null;
      if (this.status !== 'end') what();
    }, delayMs * 1000);
    this.retryTimer.referenced = this.queue.length > 0;
  }

  report(error: Error): void {
    this.emitter?.emit('error', error);
  }

  /** The server at the other end, as it was addressed. */
  private get serverName(): string {
    return this.discovery === null ? this.address.name : this.server.host.name;
  }

  /** Another connection to the same server. */
  sibling(options: ClientOptions): Connection {
    const { host, network, moments, address, discovery, backOff } = this;
    const found = discovery?.anew() ?? null;
    return new Connection(host, network, moments, address, options, false, found, backOff);
  }

  private static ready(connection: Connection): void {
    connection.status = 'ready';
    connection.attempts = 0;
    connection.emitter?.emit('ready');
    connection.subscriptions?.renew();
    const waiting = connection.queue;
    connection.queue = [];
    for (const message of waiting)
      if (!(message instanceof Command && message.settled)) connection.write(message);
  }

  protected flush(error: Error): void {
    const waiting = this.queue;
    this.queue = [];
    for (const message of waiting) failAll(message, error);
    for (const command of this.inFlight) if (!command.settled && this.status === 'end') command.fail(error);
  }

  private note(command: Command, outcome: Outcome): void {
    const { host } = this;
    host.record({
      i: 0,
      tUs: host.nowUs,
      host: host.name,
      step: host.steps,
      task: command.task,
      kind: 'reply',
      command: command.id,
      server: this.server.host.name,
      hold: command.hold,
      op: command.op,
      outcome,
    });
  }
}
