/** An ioredis-shaped client of one server whose commands travel as messages instead of bytes. */
import type { Owner } from '../../host/owner.js';
import type { Bytes } from '../../redis/keyspace.js';
import { Batch, Command } from './command.js';
import { Commander, type Order } from './commander.js';
import type { ClientOptions, Connection } from './connection.js';
import type { Reads } from './reads.js';

/** Numbers the commands of a run. */
export interface CommandCounter {
  next: number;
}

export class DirectClient extends Commander {
  constructor(
    private readonly connection: Connection,
    private readonly owner: Owner,
    private readonly counter: CommandCounter,
    /** Null: everything goes to the master. */
    private readonly reads: Reads | null = null,
  ) {
    super();
    connection.emitter = this;
  }

  override get status(): string {
    return this.connection.status;
  }

  override get options(): Readonly<Record<string, unknown>> {
    const { commandTimeoutMs, offlineQueue, maxRetriesPerRequest } = this.connection.options;
    const { address, discovery } = this.connection;
    return {
      ...(discovery === null
        ? { host: address.name, port: 6379 }
        : { sentinels: discovery.addresses, name: discovery.name, role: 'master' }),
      commandTimeout: commandTimeoutMs ?? undefined,
      enableOfflineQueue: offlineQueue,
      maxRetriesPerRequest,
    };
  }

  protected override get line(): object {
    return this.connection.channel;
  }

  protected override dispatch(
    args: readonly Bytes[],
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
  ): void {
    const connection = this.reads === null ? this.connection : this.reads.connectionFor(args[0]!);
    connection.send(this.command(args, resolve, reject, connection));
  }

  private command(
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

  override sendBatch(orders: readonly Order[]): void {
    this.connection.send(
      new Batch(orders.map(({ args, resolve, reject }) => this.command(args, resolve, reject))),
    );
  }

  /** Another client of the same server, with a connection of its own; the options that are given replace this one's. */
  duplicate(override: Readonly<Record<string, unknown>> = {}): DirectClient {
    const options = optionsOf(this.connection.options, override);
    return new DirectClient(this.connection.sibling(options), this.owner, this.counter);
  }

  override disconnect(): void {
    this.connection.end();
    this.reads?.replica.end();
  }
}

/** What a duplicate's options say in ioredis' words, where the simulated connection knows it. */
function optionsOf(given: ClientOptions, override: Readonly<Record<string, unknown>>): ClientOptions {
  const { commandTimeout, enableOfflineQueue, maxRetriesPerRequest } = override;
  return {
    ...given,
    ...(typeof commandTimeout === 'number' ? { commandTimeoutMs: commandTimeout } : {}),
    ...(typeof enableOfflineQueue === 'boolean' ? { offlineQueue: enableOfflineQueue } : {}),
    ...(typeof maxRetriesPerRequest === 'number' || maxRetriesPerRequest === null
      ? { maxRetriesPerRequest }
      : {}),
  };
}
