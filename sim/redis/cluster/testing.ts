/** For tests: the nodes of a Redis Cluster on a network, clients beside them, and time to pass. */
import { Moments } from '../../faults/moments.js';
import { Recorder } from '../../history/recorder.js';
import type { ProcessContext } from '../../host/process.js';
import { Clocks } from '../../kernel/clock.js';
import { Streams } from '../../kernel/random.js';
import { LinkPlans } from '../../network/link-plans.js';
import { Network } from '../../network/network.js';
import { nodeNames } from '../../scenario/hosts.js';
import { modeOf, type Bytes } from '../keyspace.js';
import { createNativeKeyspace } from '../native/keyspace.js';
import { Snapshots } from '../persistence/snapshots.js';
import { NO_REPLICATION } from '../replication/settings.js';
import { RedisServer } from '../server.js';
import { Shard } from '../shard.js';
import { SteppingKernel, TestClient } from '../testing/nodes.js';
import { formCluster } from './cluster.js';
import type { ClusterNode, ClusterSetting } from './node.js';

export interface ClusterTestSetting extends Partial<ClusterSetting> {
  readonly masters?: number;
  readonly replicas?: number;
  readonly seed?: number;
}

const LATENCY_US = 1000;
const PATIENCE_US = 600_000_000;

export class TestCluster {
  readonly kernel = new SteppingKernel(true);
  readonly recorder = new Recorder();
  readonly network: Network;
  readonly servers: RedisServer[];
  private readonly context: ProcessContext;
  private readonly clients = new Map<string, TestClient>();

  constructor(setting: ClusterTestSetting = {}) {
    const { masters = 3, replicas = 1, seed = 1, nodeTimeoutMs = 1000 } = setting;
    const { replicaValidityFactor = 10, requireFullCoverage = true } = setting;
    const { kernel, recorder } = this;
    const streams = new Streams(seed);
    this.context = {
      kernel,
      recorder,
      streams,
      moments: new Moments([], streams),
      eventsPerMs: 1000,
      trace: false,
      bundle: undefined as unknown as ProcessContext['bundle'],
      running: null,
    };
    const links = new LinkPlans([LATENCY_US, LATENCY_US], new Map(), new Map());
    const plan = { links, loss: 0, retransmitUs: 200_000, giveUpUs: PATIENCE_US };
    this.network = new Network(kernel, recorder, streams, plan, false);
    const shards = Array.from({ length: masters }, (_, index) =>
      this.createShard(`redis-${index + 1}`, replicas),
    );
    this.servers = shards.flatMap(({ nodes }) => nodes);
    formCluster(shards, { nodeTimeoutMs, replicaValidityFactor, requireFullCoverage }, streams);
  }

  private createShard(name: string, replicas: number): Shard {
    const shard = new Shard(name);
    for (const node of nodeNames(name, replicas)) {
      const server = new RedisServer(this.context, node, new Clocks(0, 0), shard, {
        createKeyspace: createNativeKeyspace,
        mode: modeOf(),
        network: this.network,
        createDisk: (owner) => new Snapshots(owner, []),
        restart: { delayUs: 0, loadUs: 0 },
        replication: NO_REPLICATION,
      });
      shard.nodes.push(server);
    }
    shard.serving = shard.nodes[0]!;
    for (const replica of shard.nodes.slice(1)) replica.replication.follow(shard.serving);
    return shard;
  }

  server(name: string): RedisServer {
    const server = this.servers.find((each) => each.name === name);
    if (server === undefined) throw new Error(`no node ${name}`);
    return server;
  }

  node(name: string): ClusterNode {
    return this.server(name).cluster!;
  }

  /** Executes a command on a node at this very instant. */
  say(name: string, ...args: Bytes[]): unknown {
    let client = this.clients.get(name);
    if (client === undefined || client.closed)
      this.clients.set(name, (client = new TestClient(this, this.server(name))));
    return client.say(...args);
  }

  /** One field of CLUSTER INFO. */
  info(name: string, field: string): string | undefined {
    const lines = String(this.say(name, 'CLUSTER', 'INFO')).split('\r\n');
    return lines.find((line) => line.startsWith(`${field}:`))?.slice(field.length + 1);
  }

  until(atMs: number): this {
    this.kernel.until(Math.round(atMs * 1000));
    return this;
  }

  /** Lets time pass until something is so, in steps of a millisecond; returns when that was. */
  whenMs(holds: () => boolean, limitMs = 60_000): number {
    let atMs = Math.ceil(this.kernel.nowUs / 1000);
    while (!holds()) {
      if (atMs > limitMs) throw new Error(`not within ${limitMs} ms`);
      this.until(++atMs);
    }
    return atMs;
  }

  crash(name: string): void {
    this.server(name).crash();
    this.network.sever(name);
  }

  /** Cuts nodes off from all others, both ways; they still reach each other. */
  isolate(...names: string[]): void {
    this.each(names, (from, to) => this.network.partition(from, to));
  }

  rejoin(...names: string[]): void {
    this.each(names, (from, to) => this.network.heal(from, to));
  }

  private each(names: string[], verb: (from: string, to: string) => void): void {
    for (const name of names)
      for (const other of this.servers) {
        if (names.includes(other.name)) continue;
        verb(name, other.name);
        verb(other.name, name);
      }
  }
}
