/** ioredis' pipeline and its MULTI: commands are collected, travel together and resolve to `[error, value]` pairs. */
import type { Commander, NodeCallback, Order } from './commander.js';
import { COMMAND_NAMES } from './command-names.js';
import { argumentsOf } from './convert.js';

type Pair = [Error | null, unknown];

export class Pipeline {
  private readonly queued: { name: string; args: unknown[]; callback: NodeCallback | null }[] = [];

  constructor(
    private readonly client: Commander,
    private readonly transaction: boolean,
    commands: unknown[][] = [],
  ) {
    for (const [name, ...args] of commands) this.add(String(name).toUpperCase(), args);
  }

  get length(): number {
    return this.queued.length;
  }

  add(name: string, args: unknown[]): this {
    const last = args[args.length - 1];
    const callback = typeof last === 'function' ? (args.pop() as NodeCallback) : null;
    this.queued.push({ name, args, callback });
    return this;
  }

  call(name: string, ...args: unknown[]): this {
    return this.add(name.toUpperCase(), args);
  }

  /** Resolves to a pair for each command; for a transaction to EXEC's result, `null` when a watched key changed. */
  exec(callback?: NodeCallback): Promise<unknown> {
    const done =
      this.queued.length === 0
        ? Promise.resolve([])
        : this.transaction
          ? this.execTransaction()
          : this.execPlain();
    if (callback)
      void done.then(
        (value) => void callback(null, value),
        (error: Error) => void callback(error),
      );
    return done;
  }

  private execPlain(): Promise<Pair[]> {
    const orders: Order[] = [];
    const pairs = this.queued.map(({ name, args, callback }) => {
      const pair = this.enqueue(orders, name, args);
      if (callback !== null) void pair.then(([error, value]) => void callback(error, value));
      return pair;
    });
    try {
      this.client.sendBatch(orders);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    return Promise.all(pairs);
  }

  private async execTransaction(): Promise<Pair[] | null> {
    const orders: Order[] = [];
    void this.enqueue(orders, 'MULTI', []);
    const queueing = this.queued.map(({ name, args }) => this.enqueue(orders, name, args));
    const exec = this.enqueue(orders, 'EXEC', []);
    this.client.sendBatch(orders);
    const [error, values] = await exec;
    if (error !== null) {
      const refused = (await Promise.all(queueing))
        .map(([refusal]) => refusal)
        .filter((each) => each !== null);
      throw Object.assign(error, { previousErrors: refused });
    }
    if (values === null) return null;
    const pairs = (values as unknown[]).map((value): Pair =>
      value instanceof Error ? [value, undefined] : [null, value],
    );
    for (const [index, { callback }] of this.queued.entries()) callback?.(pairs[index]![0], pairs[index]![1]);
    return pairs;
  }

  private enqueue(orders: Order[], name: string, given: unknown[]): Promise<Pair> {
    const args = argumentsOf(name, given);
    return new Promise((resolve) => {
      orders.push({
        args,
        resolve: (value) => resolve([null, value]),
        reject: (error) => resolve([error, undefined]),
      });
    });
  }
}

for (const name of COMMAND_NAMES) {
  const upper = name.toUpperCase();
  if (name in Pipeline.prototype) continue;
  Object.defineProperty(Pipeline.prototype, name, {
    value: function command(this: Pipeline, ...args: unknown[]) {
      return this.add(upper, args);
    },
    configurable: true,
    writable: true,
  });
}
