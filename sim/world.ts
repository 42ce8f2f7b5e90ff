/** The cluster of one run: hosts, network, processes and their programs, assembled from a plan and a seed. */
import type { Host } from './host/host.js';
import { Process, type ProcessContext } from './host/process.js';
import type { Recorder } from './history/recorder.js';
import { Clocks } from './kernel/clock.js';
import type { Kernel, StopReason } from './kernel/kernel.js';
import { Streams } from './kernel/random.js';
import { toUs } from './workload/plan.js';
import { Injector, type Targets } from './faults/injector.js';
import { Moments, type Probe } from './faults/moments.js';
import { Network } from './network/network.js';
import type { Plan, ServerPlan } from './plan.js';
import { formCluster } from './redis/cluster/cluster.js';
import { modeOf } from './redis/keyspace.js';
import { diskOf } from './redis/persistence/disks.js';
import { formSentinels } from './redis/sentinel/form.js';
import { SentinelServer } from './redis/sentinel/server.js';
import { RedisServer } from './redis/server.js';
import { Shard } from './redis/shard.js';
import { sentinelsOf } from './scenario/hosts.js';
import { Storage } from './storage/storage.js';
import type { Sentinels } from './transport/direct/discovery.js';
import { Directory } from './transport/wire/directory.js';
import { Program, type ProgramSetting, type WireSetting } from './workload/program.js';
import type { Instances } from './instances.js';

/** What is to be seen of a run beyond its history's operations. */
export interface Onlook {
  /** Also record messages and console output. */
  readonly trace?: boolean;
  /** Told of every moment at which a fault could strike. */
  readonly probe?: Probe;
}

export class World implements Targets {
  readonly network: Network;
  readonly programs: Program[] = [];
  readonly context: ProcessContext;
  private readonly shards: Shard[] = [];
  private readonly storage: Storage;
  private readonly injector: Injector;
  private readonly hosts: Host[] = [];

  constructor(
    private readonly plan: Plan,
    seed: number,
    kernel: Kernel,
    recorder: Recorder,
    private readonly instances: Instances,
    { trace = false, probe }: Onlook,
  ) {
    const streams = new Streams(seed);
    const moments = new Moments(plan.scenario.faults, streams, probe);
    this.context = {
      kernel,
      recorder,
      streams,
      moments,
      eventsPerMs: plan.eventsPerMs,
      trace,
      bundle: instances.bundle,
      running: null,
    };
    probe?.begin(this.context);
    this.network = new Network(kernel, recorder, streams, plan.network, trace);
    for (const server of plan.servers) this.addServer(server);
    const { cluster } = plan.scenario.servers;
    if (cluster !== undefined) formCluster(this.shards, cluster, streams);
    const sentinels = this.addSentinels();
    this.hosts.push(...sentinels);
    this.storage = new Storage(this.context, 'storage', this.clocks('storage'), plan.fenced);
    this.hosts.push(this.storage);
    const counter = { next: 0, nextUse: 0 };
    const setting: ProgramSetting = {
      context: this.context,
      network: this.network,
      servers: this.shards,
      cluster: cluster !== undefined,
      sentinels: sentinels.length === 0 ? null : this.asClientsSee(sentinels),
      storage: this.storage,
      sharedClient: plan.sharedClient,
      counter,
      wire: this.wire(sentinels, counter),
    };
    for (let slot = 0; slot < plan.processes.length; slot++) {
      const each = plan.processes[slot]!;
      const process = new Process(this.context, each.name, this.clocks(each.name));
      this.hosts.push(process);
      this.programs.push(new Program(setting, each, process, instances, slot));
    }
    this.injector = new Injector(this.context, this, plan.scenario.faults);
  }

  private wire(sentinels: readonly SentinelServer[], counter: { next: number }): WireSetting | null {
    const { processes, network, servers } = this.plan.scenario;
    if (processes.transport !== 'wire') return null;
    const { streams, moments } = this.context;
    const guided = sentinels.length > 0 ? 'sentinels' : servers.cluster !== undefined ? 'cluster' : 'no';
    return {
      sentinels: sentinels.map(({ name }) => name),
      sockets: {
        network: this.network,
        moments,
        counter,
        directory: new Directory(this.shards, sentinels, guided),
        cutChance: network.cut,
        openStream: (process) => streams.open(process, 'cuts'),
      },
    };
  }

  private clocks(host: string): Clocks {
    const { offsetUs, ppm } = this.plan.clock(host);
    return new Clocks(offsetUs, ppm);
  }

  private addServer({ name, nodes }: ServerPlan): void {
    const { plan } = this;
    const { servers } = plan.scenario;
    const shard = new Shard(name);
    for (const node of nodes) {
      const mode = modeOf(plan.version, plan.flavour);
      mode.maxMemory = servers.maxMemory;
      mode.maxMemoryPolicy = servers.maxMemoryPolicy;
      const server = new RedisServer(this.context, node, this.clocks(node), shard, {
        createKeyspace: this.instances.engine(servers.engine),
        mode,
        network: this.network,
        createDisk: diskOf(servers),
        restart: { delayUs: toUs(servers.delayedRestartMs), loadUs: toUs(servers.loadMs) },
        replication: {
          minReplicas: servers.minReplicasToWrite,
          maxLagS: servers.minReplicasMaxLagS,
          loadUs: toUs(servers.loadMs),
        },
      });
      if (plan.scripts.length > 0) server.loadScripts(plan.scripts);
      shard.nodes.push(server);
      this.hosts.push(server);
    }
    const [master, ...replicas] = shard.nodes;
    shard.serving = master!;
    for (const replica of replicas) replica.replication.follow(master!);
    this.shards.push(shard);
  }

  private addSentinels(): readonly SentinelServer[] {
    const { plan, context, network, shards } = this;
    const { sentinels } = plan.scenario.servers;
    if (sentinels === undefined) return [];
    const { flavour, version } = plan;
    return formSentinels(sentinelsOf(plan.scenario), shards, sentinels, (name, directory) => {
      const setting = { network, flavour, version, directory };
      return new SentinelServer(context, name, this.clocks(name), setting);
    });
  }

  private asClientsSee(hosts: readonly SentinelServer[]): Sentinels {
    const server = (name: string) =>
      this.shards.map((shard) => shard.node(name)).find((node) => node !== undefined);
    return { hosts, server };
  }

  start(): void {
    for (const host of this.hosts) host.recordClock('initial');
    for (const program of this.programs) program.start();
    this.injector.start();
  }

  host(name: string): Host {
    const host = this.hosts.find((each) => each.name === name);
    if (host === undefined) throw new Error(`the scenario has no host "${name}"`);
    return host;
  }

  shard(name: string): Shard {
    const shard = this.shards.find((each) => each.name === name || each.node(name) !== undefined);
    if (shard === undefined) throw new Error(`the scenario has no server "${name}"`);
    return shard;
  }

  restart(host: Host): void {
    if (host.up) return;
    if (host instanceof RedisServer) host.restart();
    else if (host instanceof Process) this.programs.find((program) => program.process === host)!.restart();
    else host.revive();
  }

  /** Gives up the instances of processes that ended in the middle of their work. */
  retire(instances: Instances, reason: StopReason): void {
    for (let slot = 0; slot < this.programs.length; slot++) {
      if (reason !== 'done' || this.programs[slot]!.process.life > 0) instances.spent(slot);
    }
  }

  /** Calls of the lock that nothing is left to settle. */
  recordPending(): void {
    for (const program of this.programs) program.recordPending();
  }
}
