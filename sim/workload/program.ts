/** What runs in one process: the sealed lock module, and the tasks that use it. Started again after a restart. */
import type { LockDefinition } from '../../src/contract.js';
import { SharedOwner, TaskOwner, type Owner } from '../host/owner.js';
import type { Process, ProcessContext, ProcessObserver } from '../host/process.js';
import { uniformInt, type Stream } from '../kernel/random.js';
import type { Network } from '../network/network.js';
import type { Shard } from '../redis/shard.js';
import type { Instances } from '../instances.js';
import type { SealedInstance } from '../sealed/instance.js';
import { StorageClient, type Storage } from '../storage/storage.js';
import { nodeRedisBackOff, type BackOff } from '../transport/direct/back-off.js';
import { DirectClient, type CommandCounter } from '../transport/direct/client.js';
import { ClusterClient } from '../transport/direct/cluster-client.js';
import { ClusterPool } from '../transport/direct/cluster-pool.js';
import { Connection, type ClientOptions } from '../transport/direct/connection.js';
import { Discovery, type Sentinels } from '../transport/direct/discovery.js';
import { NodeRedisClient, nodeRedisOptions } from '../transport/direct/node-redis-client.js';
import { ReplicaAddress, Reads } from '../transport/direct/reads.js';
import type { ClientPlan } from '../transport/wire/programs/plan.js';
import { ProcessSockets, type SocketPlan } from '../transport/wire/sockets.js';
import type { ProcessPlan } from './plan.js';
import { Task } from './task.js';

export interface ProgramSetting {
  readonly context: ProcessContext;
  readonly network: Network;
  readonly servers: readonly Shard[];
  /** The servers are the masters of one Redis Cluster: a lock gets one client for all. */
  readonly cluster: boolean;
  /** Null: there are none, and names lead to their servers. */
  readonly sentinels: Sentinels | null;
  readonly storage: Storage;
  readonly sharedClient: boolean;
  readonly counter: CommandCounter & { nextUse: number };
  /** Null: clients are direct. */
  readonly wire: WireSetting | null;
}

/** What a program on the wire has around it. */
export interface WireSetting {
  readonly sockets: SocketPlan;
  readonly sentinels: readonly string[];
}

export class Program implements ProcessObserver {
  readonly tasks: Task[] = [];
  private readonly owners: TaskOwner[] = [];
  private sockets: ProcessSockets | null = null;
  /** What a real client package made, for each task by its place. */
  private readonly wired: (readonly unknown[])[] = [];
  private instance: SealedInstance | null = null;
  private loadError: Error | null = null;
  private sharedClients: readonly unknown[] | null = null;
  /** Which nodes its cluster clients pick where any will do. */
  private clusterStream: Stream | null = null;
  private storageClient: StorageClient | null = null;

  constructor(
    private readonly setting: ProgramSetting,
    private readonly plan: ProcessPlan,
    readonly process: Process,
    private readonly instances: Instances,
    private readonly slot: number,
  ) {}

  /**
   * Loads the module and schedules the tasks' starts.
   * @throws LockModuleError what the module throws while loading, or that it exports no lock
   */
  start(): void {
    const { context, wire } = this.setting;
    const { plan, process } = this;
    for (let task = 1; task <= plan.tasks; task++)
      this.owners[task - 1] = new TaskOwner(String(task), this.owners[task - 1]?.holds);
    if (wire !== null) this.plugIn(wire);
    this.load();
    for (let task = 1; task <= plan.tasks; task++) {
      const owner = this.owners[task - 1]!;
      const [least, most] = plan.startUs;
      const startUs =
        least === most ? least : uniformInt(context.streams.open(plan.name, `start/${task}`), least, most);
      const beginsUs = context.kernel.nowUs + (wire === null ? startUs : this.connectBefore(startUs, owner));
      context.kernel.at(beginsUs, process, Program.begin, this as Program, owner);
    }
    process.observer = this;
  }

  /** Gives the process sockets. */
  private plugIn({ sockets: plan }: WireSetting): void {
    const { process, owners, setting } = this;
    const shared = setting.sharedClient ? new SharedOwner(owners) : null;
    const sockets = (process.sockets = this.sockets = new ProcessSockets(process, plan, owners, shared));
    this.wired.length = 0;
    for (const owner of owners) owner.attendant = sockets;
  }

  /** Has a task's clients connect a microsecond before it begins; gives the delay until then. */
  private connectBefore(startUs: number, owner: TaskOwner): number {
    const { kernel } = this.setting.context;
    const connectUs = Math.max(startUs - 1, 0);
    kernel.at(kernel.nowUs + connectUs, this.process, Program.wireUp, this as Program, owner);
    return connectUs + 1;
  }

  private static wireUp(program: Program, owner: TaskOwner): void {
    program.process.step(Program.openReal, program, owner);
  }

  private static openReal(program: Program, owner: TaskOwner): void {
    const { setting, plan, instance, owners } = program;
    const { servers, cluster, wire, sharedClient } = setting;
    // Whoever comes first opens what all share.
    if (sharedClient && program.wired.length > 0) return;
    const { commandTimeoutMs, offlineQueue, maxRetriesPerRequest } = plan.client;
    const clients: ClientPlan = {
      servers: servers.map(({ name }) => name),
      sentinels: wire!.sentinels,
      cluster,
      commandTimeoutMs,
      offlineQueue,
      maxRetriesPerRequest,
    };
    program.sockets!.greet(owner);
    program.wired[sharedClient ? 0 : owners.indexOf(owner)] = instance!.openClients!(clients);
  }

  observe(): void {
    for (const task of this.tasks) task.observe();
  }

  private load(): void {
    const { process } = this;
    this.instance = this.instances.keep(this.slot, process);
    if (this.instance !== null) return;
    process.draws.loading = true;
    process.step(Program.loadInstance, this as Program, undefined);
    process.draws.loading = false;
    process.steps = 0;
    if (this.loadError !== null) throw this.loadError;
  }

  private static loadInstance(program: Program): void {
    try {
      program.instance = program.instances.take(program.slot, program.process);
    } catch (error) {
      program.loadError = error as Error;
    }
  }

  /** The process comes back with nothing in its memory. */
  restart(): void {
    const { process } = this;
    process.revive();
    this.tasks.length = 0;
    this.sharedClients = null;
    this.storageClient = null;
    this.start();
  }

  private static begin(program: Program, owner: TaskOwner): void {
    program.process.step(Program.startTask, program, owner);
  }

  private static startTask(program: Program, owner: TaskOwner): void {
    const { setting, plan, process } = program;
    const { definition, AbortController } = program.instance!;
    const storage = (program.storageClient ??= new StorageClient(
      process,
      setting.network,
      setting.storage,
      setting.context,
    ));
    const { renews } = definition;
    const task = new Task({
      process,
      context: setting.context,
      plan,
      owner,
      storage,
      AbortController,
      renews: typeof renews === 'function' ? renews(plan.lockOptions) : (renews ?? false),
      counter: setting.counter,
    });
    program.tasks.push(task);
    program.sockets?.takesOver(owner);
    void task.run(() => program.connect(definition, owner));
  }

  private connect(definition: LockDefinition, owner: TaskOwner): ReturnType<LockDefinition['connect']> {
    const { servers, sharedClient, wire } = this.setting;
    const clients =
      wire !== null
        ? this.wired[sharedClient ? 0 : this.owners.indexOf(owner)]!
        : sharedClient
          ? (this.sharedClients ??= this.openClients(definition, new SharedOwner(this.owners)))
          : this.openClients(definition, owner);
    return definition.connect({
      clients,
      endpoints: servers.map((server) => `redis://${server.name}:6379`),
      options: this.plan.lockOptions,
      permits: this.plan.permits,
    });
  }

  private openClients(definition: LockDefinition, owner: Owner): readonly unknown[] {
    if (definition.client === 'node-redis') return this.openNodeRedis(definition, owner);
    const { network, servers, context, counter, cluster } = this.setting;
    const { client } = this.plan;
    if (cluster) return [this.openClusterClient(owner)];
    return servers.map((server) => {
      const connection = this.open(server, client);
      const replica = (): Connection =>
        new Connection(this.process, network, context.moments, new ReplicaAddress(server), client);
      const reads = client.readFromReplica ? new Reads(connection, replica()) : null;
      return new DirectClient(connection, owner, counter, reads);
    });
  }

  /** @throws Error in a Redis Cluster or with Sentinels: clients for them have another shape */
  private openNodeRedis({ name }: LockDefinition, owner: Owner): readonly unknown[] {
    const { servers, counter, cluster, sentinels } = this.setting;
    if (cluster || sentinels !== null)
      throw new Error(
        `${name} wants node-redis: in a cluster or with Sentinels, only on the wire (processes.transport: "wire", clientPackage: "redis")`,
      );
    const options = nodeRedisOptions(this.plan.client);
    return servers.map((server) => {
      const connection = this.open(server, options, nodeRedisBackOff);
      return new NodeRedisClient(connection, owner, counter, connection).on('error', () => {});
    });
  }

  private open(server: Shard, client: ClientOptions, backOff?: BackOff): Connection {
    const { network, sentinels, context } = this.setting;
    if (sentinels !== null) return this.openBySentinels(server, sentinels, client, backOff);
    return new Connection(this.process, network, context.moments, server, client, true, null, backOff);
  }

  /** A process that was there from the start found its masters long ago, unless another has been promoted since. */
  private openBySentinels(
    server: Shard,
    sentinels: Sentinels,
    client: ClientOptions,
    backOff?: BackOff,
  ): Connection {
    const { network, context } = this.setting;
    const { process } = this;
    const found = process.life === 0 && server.serving === server.nodes[0];
    const discovery = new Discovery(process, network, sentinels, server.name);
    return new Connection(
      process,
      network,
      context.moments,
      server,
      client,
      found,
      found ? discovery.found() : discovery,
      backOff,
    );
  }

  private openClusterClient(owner: Owner): ClusterClient {
    const { network, servers, context, counter } = this.setting;
    const stream = (this.clusterStream ??= context.streams.open(this.process.name, 'cluster'));
    const pool = new ClusterPool(this.process, network, context.moments, servers, this.plan.client, stream);
    return new ClusterClient(pool, owner, counter);
  }

  recordPending(): void {
    if (!this.process.up) return;
    for (const task of this.tasks) task.recordPending();
  }
}
