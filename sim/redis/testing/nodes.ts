/** For tests of servers among themselves: the nodes of one shard on a network, a client that talks to them, and time to pass. */
import { Moments } from '../../faults/moments.js';
import { Recorder } from '../../history/recorder.js';
import { Host } from '../../host/host.js';
import type { ProcessContext } from '../../host/process.js';
import { Clocks } from '../../kernel/clock.js';
import type { KernelEvent, Pausable } from '../../kernel/heap.js';
import { Kernel } from '../../kernel/kernel.js';
import { Streams } from '../../kernel/random.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import { LinkPlans } from '../../network/link-plans.js';
import { Network } from '../../network/network.js';
import { ErrorReply, modeOf, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { createNativeKeyspace } from '../native/keyspace.js';
import type { Disk, DiskOwner, Ending } from '../persistence/disk.js';
import { Snapshots } from '../persistence/snapshots.js';
import { NO_REPLICATION, type ReplicationPlan } from '../replication/settings.js';
import type { CommandServer, Request } from '../request.js';
import { inResp2 } from '../resp.js';
import { RedisServer } from '../server.js';
import { Shard } from '../shard.js';

const ms = (value: number): number => Math.round(value * 1000);

/** Runs as far as a test wants: nothing but the test keeps it going. */
export class SteppingKernel extends Kernel {
  override at<A, B>(
    tUs: number,
    target: Pausable | null,
    action: (a: A, b: B) => void,
    a: A,
    b: B,
  ): KernelEvent {
    return super.at(tUs, target, action, a, b, false);
  }

  override setReferenced(): void {}

  until(tUs: number): void {
    do {
      super.at(tUs, null, () => undefined, null, null, true);
      this.run({ virtualUs: Infinity, events: Infinity });
    } while ([...this.pending()].some((event) => event.tUs <= tUs));
  }
}

export interface NodesSetting extends Partial<ReplicationPlan> {
  readonly seed?: number;
  readonly replicas?: number;
  readonly latencyMs?: number;
  readonly createDisk?: (owner: DiskOwner) => Disk;
}

/** What a test client needs of its world. */
export interface Surroundings {
  readonly kernel: Kernel;
  readonly recorder: Recorder;
  readonly network: Network;
}

/** What a test client was told, in the words of a test. */
export interface Answer {
  readonly atMs: number;
  readonly value: unknown;
}

export class Nodes {
  readonly kernel = new SteppingKernel(true);
  readonly recorder = new Recorder();
  readonly shard = new Shard('redis-1');
  readonly network: Network;
  protected readonly context: ProcessContext;
  private readonly clients = new Map<string, TestClient>();

  constructor(private readonly setting: NodesSetting = {}) {
    const streams = new Streams(setting.seed ?? 1);
    this.context = {
      kernel: this.kernel,
      recorder: this.recorder,
      streams,
      moments: new Moments([], streams),
      eventsPerMs: 1000,
      trace: false,
      bundle: undefined as unknown as ProcessContext['bundle'],
      running: null,
    };
    const latencyUs = ms(setting.latencyMs ?? 1);
    this.network = new Network(
      this.kernel,
      this.recorder,
      streams,
      {
        links: new LinkPlans([latencyUs, latencyUs], new Map(), new Map()),
        loss: 0,
        retransmitUs: 200_000,
        giveUpUs: 600_000_000,
      },
      false,
    );
    const replicas = setting.replicas ?? 1;
    const names = ['redis-1', ...Array.from({ length: replicas }, (_, i) => `redis-1-replica-${i + 1}`)];
    for (const name of names) this.shard.nodes.push(this.createServer(name));
    const [master, ...others] = this.shard.nodes;
    this.shard.serving = master!;
    for (const replica of others) replica.replication.follow(master!);
  }

  private createServer(name: string): RedisServer {
    const { minReplicas, maxLagS, loadUs } = { ...NO_REPLICATION, ...this.setting };
    return new RedisServer(this.context, name, new Clocks(0, 0), this.shard, {
      createKeyspace: createNativeKeyspace,
      mode: modeOf(),
      network: this.network,
      createDisk: this.setting.createDisk ?? ((owner) => new Snapshots(owner, [])),
      restart: { delayUs: 0, loadUs: 0 },
      replication: { minReplicas, maxLagS, loadUs },
    });
  }

  /** 0: the first master; n: replica n. */
  node(index: number): RedisServer {
    return this.shard.nodes[index]!;
  }

  /** The present client of a node; after its connection broke, a new one. */
  client(index: number): TestClient {
    const server = this.node(index);
    const known = this.clients.get(server.name);
    if (known !== undefined && !known.closed) return known;
    const client = this.newClient(index);
    this.clients.set(server.name, client);
    return client;
  }

  newClient(index: number): TestClient {
    return new TestClient(this, this.node(index));
  }

  /** Executes a command on a node at this very instant. */
  say(index: number, ...args: Bytes[]): unknown {
    return this.client(index).say(...args);
  }

  /** One field of INFO replication. */
  info(index: number, field: string): string | undefined {
    const lines = this.node(index).services.info('replication');
    return lines.find((line) => line.startsWith(`${field}:`))?.slice(field.length + 1);
  }

  /** Lets time pass up to this instant, and everything happen that is due by then. */
  until(atMs: number): this {
    this.kernel.until(ms(atMs));
    return this;
  }

  crash(index: number, how: Ending = 'crash'): void {
    if (!this.node(index).up) return;
    this.node(index).crash(how);
    this.network.sever(this.node(index).name);
  }

  /** Cuts a node off from other nodes, both ways. */
  cut(index: number, ...others: number[]): void {
    this.each(index, others, (from, to) => this.network.partition(from, to));
  }

  heal(index: number, ...others: number[]): void {
    this.each(index, others, (from, to) => this.network.heal(from, to));
  }

  private each(index: number, others: number[], verb: (from: string, to: string) => void): void {
    for (const other of others) {
      verb(this.node(index).name, this.node(other).name);
      verb(this.node(other).name, this.node(index).name);
    }
  }
}

/** A client beside its server: no time passes between them, and nothing delays what they say. */
export class TestClient implements ClientEnd {
  readonly host: Host;
  readonly answers: Answer[] = [];
  closed = false;
  private readonly channel: Channel;

  constructor(
    private readonly nodes: Surroundings,
    readonly server: CommandServer,
  ) {
    this.host = new Host({ kernel: nodes.kernel, recorder: nodes.recorder }, 'p1', new Clocks(0, 0));
    this.channel = nodes.network.open(this, server);
    server.accept(this.channel);
  }

  /** The reply if it comes at once; else undefined, and it will be among the {@link answers}. */
  say(...args: Bytes[]): unknown {
    const request: Request = {
      what: 'request',
      id: undefined,
      background: false,
      args,
      reply: null,
      voted: false,
      sender: null,
      by: 'p1',
      task: '1',
      hold: null,
      op: 'idle',
      served: () => {},
      answered: () =>
        this.answers.push({ atMs: this.nodes.kernel.nowUs / 1000, value: plain(request.reply) }),
    };
    this.server.receive(this.channel, request);
    return plain(request.reply);
  }

  broke(): void {
    this.closed = true;
  }
}

/** A reply in the words of a test. */
export function plain(given: Reply): unknown {
  const reply = inResp2(given);
  if (reply instanceof StatusReply || reply instanceof ErrorReply) return reply.text;
  if (Array.isArray(reply)) return (reply as readonly Reply[]).map(plain);
  return reply;
}
