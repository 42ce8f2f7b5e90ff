/**
 * A real master with a real replica beside simulated ones: the same commands at the same nodes, and the same replies, with
 * addresses, offsets and names of histories left out of ROLE and INFO.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bytes, Reply } from '../keyspace.js';
import { Nodes, plain } from '../testing/nodes.js';
import { freePort, installedRedis, RealRedis, type RealConnection } from './real-redis.js';

/** Words of a command that stand for the address of a node, host and port; NOWHERE is where nobody listens. */
const ADDRESS: Readonly<Record<string, 0 | 1>> = { MASTER: 0, REPLICA: 1 };

/** A command at a node (0: the first master), or time for everything to arrive. */
type Step = readonly [at: 0 | 1, ...command: Bytes[]] | 'settle';

const INFO = ['INFO', 'replication'] as const;
const WRITING = "return redis.call('SET', KEYS[1], 'script')";
const READING = "return redis.call('GET', KEYS[1])";

/** Every way to read and to write, at one node. */
function everything(at: 0 | 1): Step[] {
  return [
    [at, 'PING'],
    [at, 'GET', 'k'],
    [at, 'SET', 'k', 'w'],
    [at, 'EVAL', WRITING, '1', 'k'],
    [at, 'EVAL', READING, '1', 'k'],
    [at, 'EVAL_RO', READING, '1', 'k'],
    [at, 'MULTI'],
    [at, 'GET', 'k'],
    [at, 'EXEC'],
    [at, 'MULTI'],
    [at, 'SET', 'k', 'x'],
    [at, 'EXEC'],
    [at, 'CONFIG', 'GET', 'min-replicas-to-write'],
    [at, 'ECHO', 'hello'],
  ];
}

const CONVERSATIONS: Record<string, Step[]> = {
  'a master and its replica': [
    [0, 'ROLE'],
    [1, 'ROLE'],
    [0, ...INFO],
    [1, ...INFO],
    [0, 'SET', 'k', 'v'],
    [0, 'WAIT', '1', '2000'],
    [1, 'GET', 'k'],
    ...everything(0),
    'settle',
    ...everything(1),
  ],
  WAIT: [
    [0, 'SET', 'k', 'v'],
    [0, 'WAIT', '1', '0'],
    [0, 'WAIT', '2', '50'],
    [0, 'WAIT', '1', '0'],
    'settle',
    [0, 'WAIT', '0', '0'],
    [0, 'WAIT', '-1', '0'],
    [0, 'WAIT', 'x', '0'],
    [0, 'WAIT', '1', 'x'],
    [0, 'WAIT', '1', '-1'],
    [0, 'EVAL', "return redis.call('WAIT', 1, 0)", '0'],
    [1, 'WAIT', '0', '0'],
    [1, 'WAIT', 'x', '0'],
  ],
  'REPLICAOF and REPLCONF': [
    [1, 'REPLICAOF', 'MASTER'],
    [1, 'SLAVEOF', 'somewhere', 'port'],
    [1, 'SLAVEOF', 'somewhere', '65536'],
    [1, 'SLAVEOF', 'somewhere', '-1'],
    [1, 'REPLICAOF', 'NO'],
    [0, 'REPLCONF', 'what'],
    [0, 'REPLCONF', 'what', 'ever'],
    [0, 'REPLCONF', 'listening-port', '1'],
    [0, 'REPLICAOF', 'no', 'one'],
    [0, 'ROLE'],
  ],
  'too few replicas': [
    [0, 'CONFIG', 'SET', 'min-replicas-to-write', '2'],
    ...everything(0),
    [0, ...INFO],
    [0, 'CONFIG', 'SET', 'min-replicas-max-lag', '0'],
    [0, 'SET', 'k', 'v'],
    [0, 'CONFIG', 'SET', 'min-replicas-max-lag', '10'],
    [0, 'CONFIG', 'SET', 'min-replicas-to-write', '1'],
    [0, 'SET', 'k', 'v'],
    [1, 'CONFIG', 'SET', 'min-replicas-to-write', '2'],
    [1, 'SET', 'k', 'v'],
    [1, 'CONFIG', 'SET', 'min-replicas-to-write', '0'],
    [0, 'CONFIG', 'SET', 'min-replicas-to-write', '0'],
    [0, 'CONFIG', 'GET', 'repl-ping-*-period'],
    [0, 'CONFIG', 'SET', 'repl-ping-replica-period', '0'],
    [0, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '-1'],
    [0, 'CONFIG', 'SET', 'replica-serve-stale-data', 'perhaps'],
  ],
  'a replica without a master': [
    [1, 'CONFIG', 'SET', 'replica-serve-stale-data', 'no'],
    [1, 'GET', 'k'],
    [1, 'REPLICAOF', 'NOWHERE'],
    'settle',
    [1, 'ROLE'],
    [1, ...INFO],
    ...everything(1),
    [1, 'CONFIG', 'SET', 'replica-serve-stale-data', 'yes'],
    ...everything(1),
    [1, 'REPLICAOF', 'MASTER'],
    'settle',
    [1, 'ROLE'],
    [1, 'GET', 'k'],
  ],
  'a promotion': [
    [0, 'SET', 'k', 'before'],
    'settle',
    [1, 'REPLICAOF', 'NO', 'ONE'],
    [1, 'REPLICAOF', 'NO', 'ONE'],
    [1, 'ROLE'],
    [1, ...INFO],
    [1, 'SET', 'k', 'after'],
    [0, 'REPLICAOF', 'REPLICA'],
    'settle',
    [0, 'ROLE'],
    [1, 'ROLE'],
    [0, ...INFO],
    [1, ...INFO],
    [0, 'GET', 'k'],
    ...everything(0),
    [1, 'SET', 'k', 'last'],
    [1, 'WAIT', '1', '2000'],
    [0, 'GET', 'k'],
  ],
};

/** Of ROLE and INFO only what is the same everywhere: not addresses, counts of seconds and offsets, names of histories. */
function comparable(step: Exclude<Step, string>, reply: unknown): unknown {
  const command = step[1]!;
  // What CONFIG GET finds by a pattern comes in the order of a hash table whose seed is drawn anew in each process.
  if (command === 'CONFIG' && step[2] === 'GET') return inPairs(reply as readonly Reply[]);
  if (command !== 'ROLE' && command !== 'INFO') return reply;
  return JSON.stringify(reply)
    .replaceAll(/127\.0\.0\.1|redis-1-replica-1|redis-1|nowhere/g, 'host')
    .replaceAll(/\b(?!0{40})[0-9a-f]{40}\b/g, 'history')
    .replaceAll(/(?<![-\d])\d+\b/g, 'n');
}

function inPairs(reply: readonly Reply[]): string[] {
  return reply
    .flatMap((name, at) => (at % 2 === 0 ? [`${String(name)} ${String(reply[at + 1])}`] : []))
    .sort();
}

class RealPair {
  private readonly nodes: { redis: RealRedis; connection: RealConnection }[] = [];
  private nowhere = '';

  async start(): Promise<void> {
    this.nowhere = String(await freePort());
    for (let at = 0; at < 2; at++) {
      const redis = await RealRedis.start(['--repl-diskless-sync-delay', '0']);
      this.nodes.push({ redis, connection: await redis.connect() });
    }
    await this.say([1, 'REPLICAOF', 'MASTER']);
    await this.settle();
  }

  say([at, ...words]: Exclude<Step, string>): Promise<Reply> {
    const command = words.flatMap((word) => {
      if (word === 'NOWHERE') return ['127.0.0.1', this.nowhere];
      const node = ADDRESS[word];
      return node === undefined ? [word] : ['127.0.0.1', String(this.nodes[node]!.redis.port)];
    });
    return this.nodes[at]!.connection.send(command);
  }

  /** Until no replica is at work; what tries in vain has tried by then. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    for (let attempt = 0; attempt < 100; attempt++) {
      const infos = await Promise.all(([0, 1] as const).map((at) => this.say([at, ...INFO])));
      const busy = /connecting|handshake|sync_in_progress:1|state=wait_bgsave/.test(infos.join('\n'));
      const offsets = infos.map((info) => /master_repl_offset:(\d+)/.exec(String(info))![1]);
      const linked = infos.some((info) => String(info).includes('master_link_status:up'));
      if (!busy && (!linked || offsets[0] === offsets[1])) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  stop(): void {
    for (const { redis } of this.nodes) redis.stop();
  }
}

class SimulatedPair {
  private readonly nodes = new Nodes({ latencyMs: 1 });
  private readonly clients = [this.nodes.newClient(0), this.nodes.newClient(1)] as const;

  private get nowMs(): number {
    return this.nodes.kernel.nowUs / 1000;
  }

  say([at, ...words]: Exclude<Step, string>): unknown {
    const command = words.flatMap((word) => {
      if (word === 'NOWHERE') return ['nowhere', '6379'];
      const node = ADDRESS[word];
      return node === undefined ? [word] : [this.nodes.node(node).name, '6379'];
    });
    const client = this.clients[at];
    const before = client.answers.length;
    client.say(...command);
    while (client.answers.length === before) this.nodes.until(this.nowMs + 1);
    return client.answers.at(-1)!.value;
  }

  settle(): void {
    this.nodes.until(this.nowMs + 12_000);
  }
}

describe.runIf(installedRedis()?.startsWith('7.0'))('beside a real master and its replica', () => {
  const real = new RealPair();
  const simulated = new SimulatedPair();
  beforeAll(() => real.start(), 30_000);
  afterAll(() => real.stop());

  it.each(Object.keys(CONVERSATIONS))('%s', async (name) => {
    const expected: unknown[] = [];
    const found: unknown[] = [];
    for (const step of CONVERSATIONS[name]!) {
      if (step === 'settle') {
        await real.settle();
        simulated.settle();
        continue;
      }
      const label = step.join(' ');
      expected.push([label, comparable(step, plain(await real.say(step)))]);
      found.push([label, comparable(step, simulated.say(step))]);
    }
    expect(found).toEqual(expected);
  });
});
