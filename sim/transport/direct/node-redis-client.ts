/**
 * A client in node-redis' shape (version 5, RESP2) on top of the direct transport: methods in camel case, options as
 * objects, listeners for each channel, `connect` and `duplicate`, and commands that fail as they do there. It has no MULTI,
 * and none of the commands whose replies node-redis rearranges.
 */
import type { Owner } from '../../host/owner.js';
import type { CommandCounter } from './client.js';
import { encodeArgument } from './bytes.js';
import { Command } from './command.js';
import type { ClientOptions, Connection, Emitter } from './connection.js';
import { ReplyError } from './convert.js';
import { METHODS } from './node-redis-commands.js';
import {
  ClientClosedError,
  ClientOfflineError,
  DisconnectsClientError,
  SimpleError,
  wrongWord,
} from './node-redis-errors.js';

type Listener = (...values: unknown[]) => void;
type Listeners = Map<string, Listener[]>;
type MessageListener = (message: string, channel: string) => void;
type Kind = 'SUBSCRIBE' | 'PSUBSCRIBE';

/** node-redis has no time-out for what was written (what waits for a connection waits here, too), and tries for ever. */
export function nodeRedisOptions(given: ClientOptions): ClientOptions {
  return { ...given, commandTimeoutMs: null, maxRetriesPerRequest: null };
}

export class NodeRedisClient implements Emitter {
  private readonly listeners: Listeners = new Map();
  private readonly subscribed: Readonly<Record<Kind, Map<string, MessageListener[]>>> = {
    SUBSCRIBE: new Map(),
    PSUBSCRIBE: new Map(),
  };
  private open: boolean;
  /** Commands without an answer. */
  private waiting = 0;
  private whenIdle: (() => void) | null = null;
  private whenReady: (() => void) | null = null;
  /** What broke the connection last: what was in flight fails with it. */
  private broken: Error | null = null;

  /** @param connection its own; null: it has none until `connect` */
  constructor(
    private readonly origin: Connection,
    private readonly owner: Owner,
    private readonly counter: CommandCounter,
    private connection: Connection | null = null,
  ) {
    this.open = connection !== null;
    if (connection !== null) connection.emitter = this;
  }

  get isOpen(): boolean {
    return this.open;
  }

  get isReady(): boolean {
    return this.connection?.status === 'ready';
  }

  /** Version 4 has it on every client, and throws where the client is in no legacy mode. */
  get v4(): never {
    throw new Error('the client is not in legacy mode');
  }

  async connect(): Promise<this> {
    if (this.open) throw new Error('Socket already opened');
    this.open = true;
    this.broken = null;
    const ready = new Promise<void>((resolve) => (this.whenReady = resolve));
    this.connection = this.origin.sibling(this.origin.options);
    this.connection.emitter = this;
    await ready;
    return this;
  }

  /** Another client of the same server, which is to be connected. */
  duplicate(): NodeRedisClient {
    return new NodeRedisClient(this.origin, this.owner, this.counter);
  }

  sendCommand(words: readonly unknown[]): Promise<unknown> {
    const { connection } = this;
    if (!this.open || connection === null) return Promise.reject(new ClientClosedError());
    if (connection.status !== 'ready' && !connection.options.offlineQueue)
      return Promise.reject(new ClientOfflineError());
    const wrong = wrongWord(words);
    if (wrong !== null) return Promise.reject(wrong);
    return this.put(connection, words);
  }

  private put(connection: Connection, words: readonly unknown[]): Promise<unknown> {
    const { owner, counter } = this;
    this.waiting++;
    return new Promise((resolve, reject) => {
      const settled = (value: unknown): void => {
        resolve(value);
        this.answered();
      };
      const failed = (error: Error): void => {
        reject(this.inItsWords(error));
        this.answered();
      };
      const args = words.map(encodeArgument);
      const { name } = connection.host;
      connection.send(
        new Command(
          counter.next++,
          connection,
          args,
          name,
          owner.task,
          owner.hold,
          owner.op,
          settled,
          failed,
        ),
      );
    });
  }

  private answered(): void {
    if (--this.waiting === 0) this.whenIdle?.();
  }

  private inItsWords(error: Error): Error {
    return error instanceof ReplyError ? new SimpleError(error.message) : (this.broken ?? error);
  }

  /** @internal A command of the connection's own: it subscribes again. */
  run(name: string, args: unknown[]): Promise<unknown> {
    return this.sendCommand([name, ...args]);
  }

  // ---- pub/sub

  subscribe(channels: string | readonly string[], listener: MessageListener): Promise<void> {
    return this.listen('SUBSCRIBE', channels, listener);
  }

  pSubscribe(patterns: string | readonly string[], listener: MessageListener): Promise<void> {
    return this.listen('PSUBSCRIBE', patterns, listener);
  }

  unsubscribe(channels?: string | readonly string[], listener?: MessageListener): Promise<void> {
    return this.leave('SUBSCRIBE', channels, listener);
  }

  pUnsubscribe(patterns?: string | readonly string[], listener?: MessageListener): Promise<void> {
    return this.leave('PSUBSCRIBE', patterns, listener);
  }

  private async listen(
    kind: Kind,
    names: string | readonly string[],
    listener: MessageListener,
  ): Promise<void> {
    const known = this.subscribed[kind];
    const fresh: string[] = [];
    for (const name of [names].flat()) {
      const there = known.get(name);
      if (there === undefined) {
        fresh.push(name);
        known.set(name, [listener]);
      } else if (!there.includes(listener)) there.push(listener);
    }
    if (fresh.length > 0) await this.sendCommand([kind, ...fresh]);
  }

  private async leave(
    kind: Kind,
    names: string | readonly string[] | undefined,
    listener: MessageListener | undefined,
  ): Promise<void> {
    const known = this.subscribed[kind];
    const left = [names ?? [...known.keys()]].flat().filter((name) => {
      const rest = listener === undefined ? [] : (known.get(name) ?? []).filter((each) => each !== listener);
      if (rest.length > 0) known.set(name, rest);
      else known.delete(name);
      return rest.length === 0;
    });
    const word = kind === 'SUBSCRIBE' ? 'UNSUBSCRIBE' : 'PUNSUBSCRIBE';
    // Without names it waits until nothing at all is subscribed to any more.
    if (names === undefined) await this.sendCommand([word]);
    else if (left.length > 0) await this.sendCommand([word, ...left]);
  }

  // ---- the end

  /** Lets what is under way be answered, and ends. */
  async close(): Promise<void> {
    this.shut();
    if (this.waiting > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    this.connection!.end();
  }

  destroy(): void {
    this.shut();
    this.broken = new DisconnectsClientError();
    this.connection!.end();
  }

  async disconnect(): Promise<void> {
    this.destroy();
  }

  async quit(): Promise<unknown> {
    this.shut();
    const reply = await this.put(this.connection!, ['QUIT']);
    this.connection!.end();
    return reply;
  }

  private shut(): void {
    if (!this.open) throw new ClientClosedError();
    this.open = false;
  }

  // ---- events

  on(event: string, listener: Listener): this {
    const known = this.listeners.get(event);
    if (known === undefined) this.listeners.set(event, [listener]);
    else known.push(listener);
    return this;
  }

  once(event: string, listener: Listener): this {
    const wrapper = (...values: unknown[]): void => {
      this.off(event, wrapper);
      listener(...values);
    };
    return this.on(event, wrapper);
  }

  off(event: string, listener: Listener): this {
    const rest = (this.listeners.get(event) ?? []).filter((each) => each !== listener);
    this.listeners.set(event, rest);
    return this;
  }

  /** @internal What happened to the connection, in ioredis' words. */
  emit(event: string, ...values: unknown[]): void {
    const [first, second, third] = values as [string, string, string];
    if (event === 'message')
      for (const hears of this.subscribed.SUBSCRIBE.get(first) ?? []) hears(second, first);
    else if (event === 'pmessage')
      for (const hears of this.subscribed.PSUBSCRIBE.get(first) ?? []) hears(third, second);
    else if (event === 'ready') this.ready();
    else if (event === 'error') this.failed(values[0] as Error);
    else if (event === 'reconnecting') this.tell(event);
    else if (event === 'end') this.tell(event);
  }

  private ready(): void {
    this.tell('connect');
    this.tell('ready');
    this.whenReady?.();
    this.whenReady = null;
  }

  private failed(error: Error): void {
    this.broken = error;
    // An emitter without a listener for it throws.
    if ((this.listeners.get('error') ?? []).length === 0) this.origin.host.trouble('uncaught', error);
    this.tell('error', error);
  }

  private tell(event: string, ...values: unknown[]): void {
    for (const listener of this.listeners.get(event) ?? []) listener(...values);
  }
}

/** One method for each command, in camel case and in capitals. */
for (const [method, words] of Object.entries(METHODS)) {
  for (const name of [method, method.toUpperCase()]) {
    Object.defineProperty(NodeRedisClient.prototype, name, {
      value: function command(this: NodeRedisClient, ...given: never[]) {
        return this.sendCommand(words(...given));
      },
      configurable: true,
      writable: true,
    });
  }
}
