/**
 * An ioredis-shaped client whose commands travel as messages instead of bytes: promises and callbacks, any command,
 * `eval`, `evalsha`, `defineCommand`, pipelines and transactions, time-outs and connection errors in ioredis' words.
 */
import type { Owner } from '../../host/owner.js';
import type { Bytes } from '../../redis/keyspace.js';
import { Batch, Command } from './command.js';
import { COMMAND_NAMES } from './command-names.js';
import type { Connection } from './connection.js';
import { argumentsOf, ReplyError } from './convert.js';
import { Pipeline } from './pipeline.js';
import type { Reads } from './reads.js';
import { scriptSha } from './script.js';

export type NodeCallback = (error: Error | null, value?: unknown) => void;

/** Numbers the commands of a run. */
export interface CommandCounter {
  next: number;
}

/** As ioredis does: what a callback returns is nobody's, or a promise that it returns would be waited for in vain. */
function answer(promise: Promise<unknown>, callback: NodeCallback): void {
  void promise.then(
    (value) => void callback(null, value),
    (error: Error) => void callback(error),
  );
}

export class DirectClient {
  private listeners: Map<string, ((...args: unknown[]) => void)[]> | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly owner: Owner,
    private readonly counter: CommandCounter,
    /** Null: everything goes to the master. */
    private readonly reads: Reads | null = null,
  ) {
    connection.emitter = this;
  }

  get status(): string {
    return this.connection.status;
  }

  get options(): Readonly<Record<string, unknown>> {
    const { commandTimeoutMs, offlineQueue, maxRetriesPerRequest } = this.connection.options;
    return {
      host: this.connection.address.name,
      port: 6379,
      commandTimeout: commandTimeoutMs ?? undefined,
      enableOfflineQueue: offlineQueue,
      maxRetriesPerRequest,
    };
  }

  /** Any command, as ioredis' `call`. */
  call(name: string, ...args: unknown[]): Promise<unknown> {
    return this.run(name.toUpperCase(), args);
  }

  /** Sends one command; a function as last argument is a Node callback. */
  run(name: string, given: unknown[]): Promise<unknown> {
    const last = given.length > 0 ? given[given.length - 1] : undefined;
    const callback = typeof last === 'function' ? (given.pop() as NodeCallback) : null;
    const args = argumentsOf(name, given);
    const connection = this.reads === null ? this.connection : this.reads.connectionFor(name);
    const promise = new Promise<unknown>((resolve, reject) => {
      connection.send(this.command(args, resolve, reject, connection));
    });
    if (callback !== null) answer(promise, callback);
    return promise;
  }

  command(
    args: readonly Bytes[],
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
    connection = this.connection,
  ): Command {
    const { owner } = this;
    const { name } = this.connection.host;
    return new Command(
      this.counter.next++,
      connection,
      args,
      name,
      owner.task,
      owner.hold,
      owner.op,
      resolve,
      reject,
    );
  }

  /** @internal Sends the commands of a pipeline together. */
  sendBatch(commands: readonly Command[]): void {
    this.connection.send(new Batch(commands));
  }

  pipeline(commands?: unknown[][]): Pipeline {
    return new Pipeline(this, false, commands);
  }

  multi(options?: { pipeline?: boolean } | unknown[][]): Pipeline | Promise<unknown> {
    if (options !== undefined && !Array.isArray(options) && options.pipeline === false)
      return this.run('MULTI', []);
    return new Pipeline(this, true, Array.isArray(options) ? options : undefined);
  }

  /** Adds a method for a script: EVALSHA first, EVAL when the server does not know it. */
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number; readOnly?: boolean }): void {
    const { lua, numberOfKeys } = definition;
    const sha = scriptSha(lua);
    const method = (...given: unknown[]): Promise<unknown> => {
      const last = given.length > 0 ? given[given.length - 1] : undefined;
      const callback = typeof last === 'function' ? (given.pop() as NodeCallback) : null;
      const args = given.flat(Infinity);
      if (numberOfKeys !== undefined) args.unshift(numberOfKeys);
      const promise = this.run('EVALSHA', [sha, ...args]).catch((error: unknown) => {
        if (error instanceof ReplyError && error.message.startsWith('NOSCRIPT'))
          return this.run('EVAL', [lua, ...args]);
        throw error;
      });
      if (callback !== null) answer(promise, callback);
      return promise;
    };
    Object.defineProperty(this, name, { value: method, configurable: true, writable: true });
  }

  connect(callback?: NodeCallback): Promise<void> {
    callback?.(null);
    return Promise.resolve();
  }

  quit(callback?: NodeCallback): Promise<unknown> {
    const promise = this.run('QUIT', []).then((value) => {
      this.end();
      return value;
    });
    if (callback) answer(promise, callback);
    return promise;
  }

  disconnect(): void {
    this.end();
  }

  private end(): void {
    this.connection.end();
    this.reads?.replica.end();
  }

  on(event: string, listener: (...args: unknown[]) => void): this {
    this.listeners ??= new Map();
    const known = this.listeners.get(event);
    if (known === undefined) this.listeners.set(event, [listener]);
    else known.push(listener);
    return this;
  }

  addListener(event: string, listener: (...args: unknown[]) => void): this {
    return this.on(event, listener);
  }

  once(event: string, listener: (...args: unknown[]) => void): this {
    const wrapper = (...args: unknown[]): void => {
      this.off(event, wrapper);
      listener(...args);
    };
    return this.on(event, wrapper);
  }

  off(event: string, listener: (...args: unknown[]) => void): this {
    const known = this.listeners?.get(event);
    if (known !== undefined)
      this.listeners!.set(
        event,
        known.filter((each) => each !== listener),
      );
    return this;
  }

  removeListener(event: string, listener: (...args: unknown[]) => void): this {
    return this.off(event, listener);
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.listeners = null;
    else this.listeners?.delete(event);
    return this;
  }

  /** @internal */
  emit(event: string, ...args: unknown[]): void {
    for (const listener of this.listeners?.get(event) ?? []) listener(...args);
  }
}

/** One method for each command that ioredis offers, in lower case as there. */
for (const name of COMMAND_NAMES) {
  const upper = name.toUpperCase();
  if (name in DirectClient.prototype) continue;
  Object.defineProperty(DirectClient.prototype, name, {
    value: function command(this: DirectClient, ...args: unknown[]) {
      return this.run(upper, args);
    },
    configurable: true,
    writable: true,
  });
}
