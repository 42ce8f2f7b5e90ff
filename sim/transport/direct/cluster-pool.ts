/**
 * What a cluster client knows of the cluster, as ioredis' Cluster keeps it: its nodes, which of them serves which slots, and
 * a connection to each that was needed. It asks a random node for the slots again (CLUSTER SLOTS, on a connection of its own)
 * when a redirection or a failure tells that they have moved.
 */
import type { Moments } from '../../faults/moments.js';
import type { Process } from '../../host/process.js';
import type { ProcessTimer } from '../../host/timer.js';
import { uniformInt, type Stream } from '../../kernel/random.js';
import type { Network } from '../../network/network.js';
import type { Reply } from '../../redis/keyspace.js';
import type { RedisServer } from '../../redis/server.js';
import type { Shard } from '../../redis/shard.js';
import { divideSlots } from '../../redis/cluster/slots.js';
import { askNode } from './ask-node.js';
import { openSubscriber } from './cluster-subscriber.js';
import type { ClientOptions, Connection, Emitter, Status } from './connection.js';
import { NodeConnection } from './node-connection.js';

const LONGEST_RETRY_MS = 2000;

interface SlotNodes {
  readonly first: number;
  readonly last: number;
  /** The master, then its replicas. */
  readonly nodes: readonly string[];
}

export class ClusterPool {
  status: Status = 'ready';
  /** Nodes by name, in the order in which they came to be known. */
  private readonly roles = new Map<string, 'master' | 'slave'>();
  private readonly connections = new Map<string, NodeConnection>();
  private slots: SlotNodes[] = [];
  /** Slots that a redirection found elsewhere. */
  private readonly moved = new Map<number, string>();
  private refreshing: ((found: boolean) => void)[] | null = null;
  private attempts = 0;
  private retryTimer: ProcessTimer | null = null;
  /** Time-out of the node that is being asked. */
  private question: ProcessTimer | null = null;
  /** Told when the cluster is within reach again. */
  ready: (() => void) | null = null;
  /** Whether anybody waits for the cluster to come within reach. */
  wanted = false;

  constructor(
    readonly host: Process,
    private readonly network: Network,
    private readonly moments: Moments,
    /** The cluster as it is configured: what every client knows at the start of the run, and whom it asks later. */
    private readonly shards: readonly Shard[],
    readonly options: ClientOptions,
    private readonly stream: Stream,
  ) {
    if (host.nowUs > 0) {
      this.begin();
      return;
    }
    this.slots = divideSlots(shards.length).map(({ first, last }, index) => {
      return { first, last, nodes: shards[index]!.nodes.map(({ name }) => name) };
    });
    this.learnRoles();
    for (const { name } of shards) this.connect(name, true);
  }

  private learnRoles(): void {
    for (const { nodes } of this.slots)
      for (const [place, name] of nodes.entries()) this.roles.set(name, place === 0 ? 'master' : 'slave');
  }

  private server(name: string): RedisServer | undefined {
    for (const shard of this.shards) {
      const server = shard.node(name);
      if (server !== undefined) return server;
    }
    return undefined;
  }

  // ---- whom to ask

  /** Names of the nodes that are known to serve a slot. */
  nodesOf(slot: number): readonly string[] {
    return this.slots.find(({ first, last }) => first <= slot && slot <= last)?.nodes ?? [];
  }

  /** The connection to the node that serves a slot; to a random master where there is no slot, or no such node. */
  pick(slot: number | null): NodeConnection | null {
    if (this.status !== 'ready') return null;
    const name = slot === null ? undefined : (this.moved.get(slot) ?? this.nodesOf(slot)[0]);
    return name !== undefined && this.roles.has(name) ? this.connectionTo(name) : this.sample();
  }

  private sample(): NodeConnection | null {
    const masters = this.names('master');
    const names = masters.length > 0 ? masters : this.names('all');
    return names.length === 0
      ? null
      : this.connectionTo(names[uniformInt(this.stream, 0, names.length - 1)]!);
  }

  names(role: 'all' | 'master' | 'slave'): string[] {
    return [...this.roles.keys()].filter((name) => role === 'all' || this.roles.get(name) === role);
  }

  /** Some node that is known; of those that are configured, where none is. */
  anyNode(): RedisServer {
    const names = this.names('all');
    const known = names.length > 0 ? names : this.shards.map(({ name }) => name);
    return this.server(known[uniformInt(this.stream, 0, known.length - 1)]!)!;
  }

  /** A connection of its own for pub/sub. */
  subscriber(client: Emitter): Connection {
    return openSubscriber(this, this.network, this.moments, client);
  }

  connectionTo(name: string): NodeConnection {
    return this.connections.get(name) ?? this.connect(name, false);
  }

  /** The connections that are open, or about to be. */
  get open(): NodeConnection[] {
    return [...this.connections.values()];
  }

  private connect(name: string, established: boolean): NodeConnection {
    const { host, network, moments } = this;
    // The cluster's client itself looks after time-outs, and its commands wait for a node's connection in any case.
    const options = { ...this.options, commandTimeoutMs: null, offlineQueue: true };
    const address = { name, serving: this.server(name)! };
    const connection = new NodeConnection(host, network, moments, address, options, established);
    connection.ended = () => this.lost(name);
    this.connections.set(name, connection);
    return connection;
  }

  private lost(name: string): void {
    this.connections.delete(name);
    this.roles.delete(name);
    if (this.roles.size === 0) this.drained();
  }

  // ---- redirections

  /** A node said that another one serves the slot. False: nobody has that name. */
  movedTo(slot: number, name: string): boolean {
    if (this.server(name) === undefined) return false;
    this.moved.set(slot, name);
    this.roles.set(name, 'master');
    return true;
  }

  /** A node of the cluster that was not known yet; undefined: nobody has that name. */
  found(name: string): NodeConnection | undefined {
    if (this.server(name) === undefined) return undefined;
    if (!this.roles.has(name)) this.roles.set(name, 'master');
    return this.connectionTo(name);
  }

  /** Asks the nodes, in random order, until one tells who serves what. */
  refresh(done: (found: boolean) => void = () => {}): void {
    if (this.refreshing !== null) {
      this.refreshing.push(done);
      return;
    }
    this.refreshing = [done];
    const names = this.names('all');
    for (let last = names.length - 1; last > 0; last--) {
      const other = uniformInt(this.stream, 0, last);
      [names[last], names[other]] = [names[other]!, names[last]!];
    }
    this.askNext(names, 0);
  }

  private askNext(names: readonly string[], index: number): void {
    if (this.status === 'end') return;
    if (index === names.length) {
      this.refreshed(false);
      return;
    }
    const name = names[index]!;
    this.ask(name, 'SLOTS', (reply) => {
      if (Array.isArray(reply)) this.learn(reply as readonly Reply[]);
      else this.askNext(names, index + 1);
    });
  }

  private ask(name: string, what: string, done: (reply: Reply) => void): void {
    const timer = askNode(this.host, this.network, this.server(name)!, ['CLUSTER', what], done);
    timer.referenced = this.wanted;
    this.question = timer;
  }

  private learn(reply: readonly Reply[]): void {
    const ranges = reply as readonly [number, number, ...(readonly [string, number, string])[]][];
    this.slots = ranges.map(([first, last, ...nodes]) => ({
      first,
      last,
      nodes: nodes.map(([name]) => name),
    }));
    this.moved.clear();
    this.roles.clear();
    this.learnRoles();
    for (const [name, connection] of this.connections) {
      if (this.roles.has(name)) continue;
      this.connections.delete(name);
      connection.end();
    }
    this.refreshed(true);
    if (this.roles.size === 0 && this.status === 'ready') this.drained();
  }

  private refreshed(found: boolean): void {
    this.question = null;
    const waiting = this.refreshing ?? [];
    this.refreshing = null;
    for (const done of waiting) done(found);
  }

  // ---- out of reach

  /** No node is left: the client connects anew, as it did at first. */
  private drained(): void {
    if (this.status === 'end') return;
    this.status = 'reconnecting';
    this.endAll();
    this.attempts++;
    const delayMs = Math.min(100 + 2 * this.attempts, LONGEST_RETRY_MS);
    this.retryTimer = this.host.startTimerUs(() => this.begin(), delayMs * 1000);
    this.retryTimer.referenced = this.wanted;
  }

  /** A command waits: the run must not end before it is known whether the cluster comes back. */
  want(): void {
    this.wanted = true;
    if (this.retryTimer !== null) this.retryTimer.referenced = true;
    if (this.question !== null) this.question.referenced = true;
  }

  private begin(): void {
    this.retryTimer = null;
    if (this.status === 'end') return;
    this.status = 'connecting';
    for (const { name } of this.shards) this.roles.set(name, 'master');
    this.refresh((found) => {
      if (this.status !== 'connecting') return;
      if (found) this.checkReady();
      else this.drained();
    });
  }

  /** A cluster that says of itself that it is down is none to connect to. */
  private checkReady(): void {
    const names = this.names('all');
    const name = names[uniformInt(this.stream, 0, names.length - 1)];
    if (name === undefined) {
      this.drained();
      return;
    }
    this.ask(name, 'INFO', (reply) => {
      if (this.status !== 'connecting') return;
      if (typeof reply !== 'string' || reply.includes('cluster_state:fail')) {
        this.drained();
        return;
      }
      this.status = 'ready';
      this.attempts = 0;
      this.wanted = false;
      this.ready?.();
    });
  }

  end(): void {
    if (this.status === 'end') return;
    this.status = 'end';
    this.retryTimer?.stop();
    this.refreshing = null;
    this.endAll();
  }

  private endAll(): void {
    const { open } = this;
    this.connections.clear();
    this.roles.clear();
    for (const connection of open) connection.end();
  }
}
