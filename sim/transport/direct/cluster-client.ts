/**
 * A client of a Redis Cluster, shaped like ioredis' Cluster: a command goes to the node that serves the slot of its first key
 * (one without keys to a random master), follows MOVED and ASK, and is tried again when the cluster is down or the connection
 * is lost, as often and as late as ioredis' defaults have it.
 */
import type { Owner } from '../../host/owner.js';
import type { Bytes } from '../../redis/keyspace.js';
import { DirectClient, type CommandCounter } from './client.js';
import { Batch, Command } from './command.js';
import { Commander, type Order } from './commander.js';
import type { ClusterPool } from './cluster-pool.js';
import { isForSubscriber } from './cluster-subscriber.js';
import type { Connection } from './connection.js';
import { connectionClosed } from './failures.js';
import { slotsOf, type Errand } from './errand.js';
import type { NodeConnection } from './node-connection.js';
import { retriable, type Outcome } from './retriable.js';

const MAX_REDIRECTIONS = 16;
const RETRY_DELAY_US = 100_000;

const NOT_ONE_SLOT = 'All the keys in a pipeline command should belong to the same slot';
const NOT_ONE_GROUP = 'All keys in the pipeline should belong to the same slots allocation group';

export class ClusterClient extends Commander {
  readonly isCluster = true;
  /** Errands that wait for their next attempt; those of one kind go together. */
  private readonly delayed = new Map<string, (() => void)[]>();
  private queue: Errand[] = [];
  /** Null: has never subscribed to anything. */
  private subscriber: Connection | null = null;

  constructor(
    private readonly pool: ClusterPool,
    private readonly owner: Owner,
    private readonly counter: CommandCounter,
  ) {
    super();
    pool.ready = () => this.goOn();
  }

  override get status(): string {
    return this.pool.status;
  }

  override get options(): Readonly<Record<string, unknown>> {
    return { maxRedirections: MAX_REDIRECTIONS, enableOfflineQueue: this.pool.options.offlineQueue };
  }

  /** A client for each node that is known, with the connection that this one uses. */
  nodes(role: 'all' | 'master' | 'slave' = 'all'): DirectClient[] {
    if (role !== 'all' && role !== 'master' && role !== 'slave')
      throw new Error(`Invalid role "${String(role)}". Expected "all", "master" or "slave"`);
    const { pool, owner, counter } = this;
    return pool.names(role).map((name) => new DirectClient(pool.connectionTo(name), owner, counter));
  }

  // ---- what is to be sent

  protected override dispatch(
    args: readonly Bytes[],
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
  ): void {
    const errand = this.errand([{ args, resolve, reject }], false, slotsOf(args)[0] ?? null);
    if (isForSubscriber(args[0]!)) {
      const subscriber = (this.subscriber ??= this.pool.subscriber(this));
      subscriber.send(this.command(errand, subscriber, args, resolve, reject));
    } else this.attempt(errand, false);
  }

  override sendBatch(orders: readonly Order[]): void {
    const firsts: number[] = [];
    for (const { args } of orders) {
      const slots = slotsOf(args);
      if (slots.some((slot) => slot !== slots[0])) throw new Error(NOT_ONE_SLOT);
      if (slots.length > 0) firsts.push(slots[0]!);
    }
    const groups = new Set(firsts.map((slot) => this.pool.nodesOf(slot).join(';')));
    if (groups.size > 1) throw new Error(NOT_ONE_GROUP);
    this.attempt(this.errand(orders, true, firsts[0] ?? null), false);
  }

  private errand(orders: readonly Order[], together: boolean, slot: number | null): Errand {
    const { task, hold, op } = this.owner;
    const giver = { task, hold, op };
    return { orders, together, giver, slot, left: null, sent: null, timer: null, over: false };
  }

  // ---- attempts

  /** @param random to a random master, whichever slot it is */
  private attempt(errand: Errand, random: boolean): void {
    const { pool } = this;
    if (errand.over) return;
    errand.sent = null;
    if (pool.status === 'end') {
      this.reject(errand, connectionClosed());
      return;
    }
    const connection = pool.pick(random ? null : errand.slot);
    if (connection !== null) this.send(errand, connection, false);
    else if (pool.options.offlineQueue) {
      this.queue.push(errand);
      pool.want();
    } else this.reject(errand, new Error("Cluster isn't ready and enableOfflineQueue options is false"));
  }

  private send(errand: Errand, connection: NodeConnection, asking: boolean): void {
    if (!this.pool.options.offlineQueue && connection.status === 'end') {
      this.reject(errand, connectionClosed());
      return;
    }
    const { orders } = errand;
    const outcomes: Outcome[] = [];
    let open = orders.length;
    const commands = orders.map(({ args }, index) => {
      const came = (outcome: Outcome): void => {
        outcomes[index] = outcome;
        if (--open === 0) this.came(errand, outcomes);
      };
      const resolve = (value: unknown): void => came({ error: null, value });
      return this.command(errand, connection, args, resolve, (error) => came({ error, value: undefined }));
    });
    errand.sent = { connection, commands };
    this.startTimeout(errand);
    if (asking)
      connection.send(
        this.command(
          errand,
          connection,
          ['ASKING'],
          () => {},
          () => {},
        ),
      );
    connection.send(errand.together ? new Batch(commands) : commands[0]!);
  }

  private command(
    { giver: { task, hold, op } }: Errand,
    connection: Connection,
    args: readonly Bytes[],
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
  ): Command {
    const { name } = this.pool.host;
    return new Command(this.counter.next++, connection, args, name, task, hold, op, resolve, reject);
  }

  /** One time-out for all attempts, from the first on, as ioredis has it. */
  private startTimeout(errand: Errand): void {
    const { options, host } = this.pool;
    if (options.commandTimeoutMs === null || errand.timer !== null) return;
    errand.timer = host.startTimerUs(
      () => this.timedOut(errand),
      Math.round(options.commandTimeoutMs * 1000),
    );
  }

  private timedOut(errand: Errand): void {
    if (errand.over) return;
    const { sent } = errand;
    if (sent === null) this.reject(errand, new Error('Command timed out'));
    else for (const command of sent.commands) sent.connection.timedOut(command);
  }

  // ---- what comes of them

  private came(errand: Errand, outcomes: readonly Outcome[]): void {
    if (errand.over) return;
    errand.sent = null;
    const error = errand.together ? retriable(errand.orders, outcomes) : outcomes[0]!.error;
    const refusal = error === null ? null : this.redirect(errand, error);
    if (error !== null && refusal === null) return;
    this.settle(errand);
    for (const [index, { error: own, value }] of outcomes.entries()) {
      const order = errand.orders[index]!;
      if (own === null) order.resolve(value);
      else order.reject(errand.together ? own : refusal!);
    }
  }

  /** Null: the errand goes on; else the error that ends it. */
  private redirect(errand: Errand, error: Error): Error | null {
    errand.left = errand.left === null ? MAX_REDIRECTIONS : errand.left - 1;
    if (errand.left <= 0) return new Error(`Too many Cluster redirections. Last error: ${String(error)}`);
    const { pool } = this;
    const [word, slot, node] = error.message.split(' ');
    const name = node?.split(':')[0] ?? '';
    // A pipeline asks the node of its slot again; a command on its own asks anybody.
    const again = (): void => this.attempt(errand, !errand.together);
    switch (word) {
      case 'MOVED':
        if (!pool.movedTo(Number(slot), name)) return error;
        errand.slot = Number(slot);
        this.attempt(errand, false);
        pool.refresh();
        return null;
      case 'ASK': {
        const connection = pool.found(name);
        if (connection === undefined) return error;
        this.send(errand, connection, true);
        return null;
      }
      case 'TRYAGAIN':
        this.later('tryagain', again, false);
        return null;
      case 'CLUSTERDOWN':
        this.later('clusterdown', again, true);
        return null;
      default:
        if (error.message !== connectionClosed().message || pool.status !== 'ready') return error;
        this.later('failover', again, true);
        return null;
    }
  }

  /** What waits for the same reason is tried again at the same time. */
  private later(bucket: string, again: () => void, refresh: boolean): void {
    const waiting = this.delayed.get(bucket);
    if (waiting !== undefined) {
      waiting.push(again);
      return;
    }
    this.delayed.set(bucket, [again]);
    this.pool.host.startTimerUs(() => {
      const due = this.delayed.get(bucket) ?? [];
      this.delayed.delete(bucket);
      if (refresh && this.pool.status === 'ready') this.pool.refresh();
      for (const each of due) each();
    }, RETRY_DELAY_US);
  }

  private reject(errand: Errand, error: Error): void {
    this.settle(errand);
    for (const order of errand.orders) order.reject(error);
  }

  private settle(errand: Errand): void {
    errand.over = true;
    errand.timer?.stop();
  }

  private goOn(): void {
    const { queue } = this;
    this.queue = [];
    for (const errand of queue) this.attempt(errand, false);
    this.emit('ready');
  }

  /** QUIT on every connection that is open. */
  protected override leave(): Promise<unknown> {
    const { pool, owner, counter } = this;
    const quits = pool.open.map((connection) => new DirectClient(connection, owner, counter).run('QUIT', []));
    return Promise.all(quits.map((quit) => quit.catch(() => 'OK'))).then(() => {
      this.disconnect();
      return 'OK';
    });
  }

  override disconnect(): void {
    this.pool.end();
    this.subscriber?.end();
    const { queue } = this;
    this.queue = [];
    for (const errand of queue) this.reject(errand, connectionClosed());
    this.emit('close');
    this.emit('end');
  }
}
