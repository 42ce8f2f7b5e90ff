/**
 * What clients of the direct transport share: ioredis' surface of promises and callbacks, any command, `eval`, `evalsha`,
 * `defineCommand`, pipelines, transactions and listeners.
 */
import type { Bytes } from '../../redis/keyspace.js';
import { COMMAND_NAMES } from './command-names.js';
import { argumentsOf, ReplyError } from './convert.js';
import { Pipeline } from './pipeline.js';
import { scriptSha } from './script.js';

export type NodeCallback = (error: Error | null, value?: unknown) => void;

/** A command that is to be sent, and whoever waits for its answer. */
export interface Order {
  readonly args: readonly Bytes[];
  resolve(this: void, value: unknown): void;
  reject(this: void, error: Error): void;
}

/** As ioredis does: what a callback returns is nobody's, or a promise that it returns would be waited for in vain. */
function answer(promise: Promise<unknown>, callback: NodeCallback): void {
  void promise.then(
    (value) => void callback(null, value),
    (error: Error) => void callback(error),
  );
}

export abstract class Commander {
  private listeners: Map<string, ((...args: unknown[]) => void)[]> | null = null;

  abstract get status(): string;
  abstract get options(): Readonly<Record<string, unknown>>;

  /** Sends one command. */
  protected abstract dispatch(
    args: readonly Bytes[],
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
  ): void;

  /**
   * @internal Sends the commands of a pipeline together.
   * @throws Error where they can't be
   */
  abstract sendBatch(orders: readonly Order[]): void;

  /** Gives all connections up. */
  abstract disconnect(): void;

  /** Any command, as ioredis' `call`. */
  call(name: string, ...args: unknown[]): Promise<unknown> {
    return this.run(name.toUpperCase(), args);
  }

  /** Sends one command; a function as last argument is a Node callback. */
  run(name: string, given: unknown[]): Promise<unknown> {
    const last = given.length > 0 ? given[given.length - 1] : undefined;
    const callback = typeof last === 'function' ? (given.pop() as NodeCallback) : null;
    const args = argumentsOf(name, given);
    const promise = new Promise<unknown>((resolve, reject) => {
      this.dispatch(args, resolve, reject);
    });
    if (callback !== null) answer(promise, callback);
    return promise;
  }

  pipeline(commands?: unknown[][]): Pipeline {
    return new Pipeline(this, false, commands);
  }

  multi(options?: { pipeline?: boolean } | unknown[][]): Pipeline | Promise<unknown> {
    if (options !== undefined && !Array.isArray(options) && options.pipeline === false)
      return this.run('MULTI', []);
    return new Pipeline(this, true, Array.isArray(options) ? options : undefined);
  }

  /** What a command that is sent now travels on: another object after each reconnection; null: that depends on the command. */
  protected get line(): object | null {
    return null;
  }

  /**
   * Adds a method for a script. As in ioredis, the first call on a connection sends its text, later ones its hash, and the text again when the
   * server does not know it.
   */
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number; readOnly?: boolean }): void {
    const { lua, numberOfKeys } = definition;
    const sha = scriptSha(lua);
    const told = new WeakSet<object>();
    const method = (...given: unknown[]): Promise<unknown> => {
      const last = given.length > 0 ? given[given.length - 1] : undefined;
      const callback = typeof last === 'function' ? (given.pop() as NodeCallback) : null;
      const args = given.flat(Infinity);
      if (numberOfKeys !== undefined) args.unshift(numberOfKeys);
      const { line } = this;
      const untold = line !== null && !told.has(line);
      if (untold) told.add(line);
      const promise = untold
        ? this.run('EVAL', [lua, ...args])
        : this.run('EVALSHA', [sha, ...args]).catch((error: unknown) => {
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
    const promise = this.leave();
    if (callback) answer(promise, callback);
    return promise;
  }

  /** QUIT, and the end of all connections. */
  protected leave(): Promise<unknown> {
    return this.run('QUIT', []).then((value) => {
      this.disconnect();
      return value;
    });
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
  if (name in Commander.prototype) continue;
  Object.defineProperty(Commander.prototype, name, {
    value: function command(this: Commander, ...args: unknown[]) {
      return this.run(upper, args);
    },
    configurable: true,
    writable: true,
  });
}
