/**
 * A real Redis Cluster of six nodes beside a simulated one: the same commands at the same nodes, and the same replies, with
 * the real nodes' addresses and ids put into the simulated ones' words. First in good order, then with most masters dead.
 */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCluster } from '../cluster/testing.js';
import { inResp2 } from '../resp.js';
import type { Bytes, Reply } from '../keyspace.js';
import { plain } from '../testing/nodes.js';
import { freePort, installedRedis, RealRedis, type RealConnection } from './real-redis.js';

const MASTERS = ['redis-1', 'redis-2', 'redis-3'];
const NAMES = [...MASTERS, ...MASTERS.map((name) => `${name}-replica-1`)];
const RANGES = ['0 5460', '5461 10922', '10923 16383'];

/** A reply without classes: maps as flat lists, errors and statuses as texts. */
function words(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'pairs' in reply) return words(reply.pairs);
  if (Array.isArray(reply)) return reply.map(words);
  return plain(inResp2(reply as Reply));
}

class RealCluster {
  private readonly nodes = new Map<string, { redis: RealRedis; connection: RealConnection; id: string }>();
  private readonly files: string[] = [];

  async start(): Promise<void> {
    for (const name of NAMES) {
      const file = `lockpick-cluster-${process.pid}-${name}.conf`;
      this.files.push(path.join(tmpdir(), file));
      const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', file];
      const bus = ['--cluster-port', String(await freePort()), '--cluster-node-timeout', '1000'];
      const redis = await RealRedis.start([...cluster, ...bus]);
      const connection = await redis.connect();
      const id = String(await connection.send(['CLUSTER', 'MYID']));
      this.nodes.set(name, { redis, connection, id });
      await connection.send(['CLUSTER', 'SET-CONFIG-EPOCH', String(this.nodes.size)]);
      const place = MASTERS.indexOf(name);
      if (place >= 0) await connection.send(['CLUSTER', 'ADDSLOTSRANGE', ...RANGES[place]!.split(' ')]);
      const bus1 = bus[1]!;
      const first = this.nodes.get('redis-1')!.connection;
      await first.send(['CLUSTER', 'MEET', '127.0.0.1', String(redis.port), bus1]);
    }
    await this.until(async (name) => (await this.info(name)).includes('cluster_known_nodes:6'));
    for (const name of MASTERS)
      await this.until(async (replica) => {
        if (replica !== `${name}-replica-1`) return true;
        return (await this.say(replica, ['CLUSTER', 'REPLICATE', this.nodes.get(name)!.id])) === 'OK';
      });
    await this.until(async (name) => {
      const slots = words(await this.nodes.get(name)!.connection.send(['CLUSTER', 'SLOTS'])) as unknown[][];
      return (
        (await this.info(name)).includes('cluster_state:ok') &&
        slots.length === 3 &&
        slots.every((slot) => slot.length === 4)
      );
    });
  }

  private async info(name: string): Promise<string> {
    return String(await this.say(name, ['CLUSTER', 'INFO']));
  }

  /** Waits until something holds at every node that is up. */
  async until(holds: (name: string) => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const found = await Promise.all([...this.nodes.keys()].map(holds));
      if (found.every(Boolean)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the real cluster did not get there');
  }

  async say(name: string, args: readonly Bytes[]): Promise<unknown> {
    return this.renamed(words(await this.nodes.get(name)!.connection.send(args)));
  }

  /** Addresses and ids of the real nodes as those of the simulated ones. */
  private renamed(reply: unknown): unknown {
    let text = JSON.stringify(reply);
    for (const [name, { redis, id }] of this.nodes) {
      text = text
        .replaceAll(`127.0.0.1:${redis.port}@`, `${name}:6379@`)
        .replaceAll(`127.0.0.1:${redis.port}`, `${name}:6379`)
        .replaceAll(`"127.0.0.1",${redis.port},`, `"${name}",6379,`)
        .replaceAll(id, `<${name}>`);
    }
    return JSON.parse(text);
  }

  kill(name: string): void {
    const { redis, connection } = this.nodes.get(name)!;
    connection.close();
    redis.stop();
    this.nodes.delete(name);
  }

  stop(): void {
    for (const name of [...this.nodes.keys()]) this.kill(name);
    for (const file of this.files) rmSync(file, { force: true });
  }
}

class SimulatedCluster {
  readonly cluster = new TestCluster();
  private readonly ids = NAMES.map((name) => [name, this.cluster.node(name).view.self.id] as const);

  say(name: string, args: readonly Bytes[]): unknown {
    let text = JSON.stringify(words(this.cluster.say(name, ...args)));
    for (const [node, id] of this.ids) text = text.replaceAll(id, `<${node}>`);
    return JSON.parse(text);
  }
}

/** CLUSTER NODES without times, ports of the bus and order. */
function table(nodes: unknown): string[] {
  return String(nodes)
    .split('\n')
    .map((line) => line.replace(/@\d+/, '').replace(/ \d+ \d+ (\d+ (dis)?connected)/, ' - - $1'))
    .sort();
}

const node = fc.constantFrom(...NAMES);
const word = fc.constantFrom('a', 'b', 'c', 'f', '{a}', '{b}', '{', '}', 'foo', '{}', 'lock:');
const key = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const keys = fc.array(key, { minLength: 1, maxLength: 3 });
const command = fc.oneof(
  keys.map((names) => ['EXISTS', ...names]),
  keys.map((names) => ['DEL', ...names]),
  key.map((name) => ['SET', name, 'x']),
  key.map((name) => ['GET', name]),
  key.map((name) => ['SET', name, 'x', 'NX', 'PX', '5000000']),
  keys.map((names) => ['EVAL', 'return #KEYS', String(names.length), ...names]),
  fc.tuple(key, key).map(([one, other]) => ['EVAL', `return redis.call('exists', '${other}')`, '1', one]),
  key.map((name) => ['EVAL', `return redis.call('exists', '${name}')`, '0']),
  key.map((name) => ['CLUSTER', 'KEYSLOT', name]),
  key.map((name) => ['OBJECT', 'ENCODING', name]),
  fc.constantFrom(['READONLY'], ['READWRITE'], ['ASKING'], ['MULTI'], ['EXEC'], ['DISCARD'], ['PING']),
);
const script = fc.array(fc.tuple(node, command), { minLength: 5, maxLength: 25 });

const FIXED: readonly string[] = [
  'SELECT 0',
  'SELECT 1',
  'CLUSTER',
  'CLUSTER x',
  'CLUSTER KEYSLOT',
  'CLUSTER KEYSLOT a b',
  'CLUSTER COUNTKEYSINSLOT -1',
  'CLUSTER COUNTKEYSINSLOT 16384',
  'CLUSTER COUNTKEYSINSLOT x',
  'CLUSTER COUNTKEYSINSLOT 1',
  'CLUSTER MYID x',
  'CLUSTER MYID',
  'CLUSTER FAILOVER x',
  'CLUSTER FAILOVER x y',
  'CLUSTER SLOTS',
  'READONLY x',
  'REPLICAOF NO ONE',
];

describe.runIf(installedRedis() !== undefined)('a real cluster and a simulated one', () => {
  const real = new RealCluster();
  const simulated = new SimulatedCluster();

  beforeAll(() => real.start(), 60_000);
  afterAll(() => real.stop());

  it('have the same slots, and the same words for the same mistakes', async () => {
    for (const name of NAMES)
      for (const line of FIXED) {
        const args = line.split(' ');
        expect([name, line, await real.say(name, args)]).toEqual([name, line, simulated.say(name, args)]);
      }
  });

  it('show the same nodes in the same form', async () => {
    for (const name of NAMES) {
      const args = ['CLUSTER', 'NODES'];
      expect(table(await real.say(name, args))).toEqual(table(simulated.say(name, args)));
    }
  });

  it('answer and redirect the same commands alike', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        for (const [name, args] of steps)
          expect([name, args, await real.say(name, args)]).toEqual([name, args, simulated.say(name, args)]);
        for (const name of NAMES)
          for (const args of [['DISCARD'], ['READWRITE'], ['FLUSHALL']]) {
            await real.say(name, args);
            simulated.say(name, args);
          }
      }),
      { numRuns: 100, seed: 1 },
    );
  }, 60_000);

  it('refuse alike when most masters are gone', async () => {
    for (const name of ['redis-2', 'redis-2-replica-1', 'redis-3', 'redis-3-replica-1']) {
      real.kill(name);
      simulated.cluster.crash(name);
    }
    await real.until(async (name) =>
      String(await real.say(name, ['CLUSTER', 'INFO'])).includes('state:fail'),
    );
    simulated.cluster.until(10_000);
    for (const line of [
      'GET b',
      'GET a',
      'MGET a b',
      'PING',
      'EVAL return(1) 0',
      'EVAL return(1) 1 b',
      "EVAL return(redis.call('get','b')) 0",
      "EVAL return(redis.call('set','b',1)) 0",
      'MULTI',
      'SET b 1',
      'EXEC',
      'DBSIZE',
      'CLUSTER COUNTKEYSINSLOT 3300',
    ]) {
      const args = line.split(' ');
      expect([line, await real.say('redis-1', args)]).toEqual([line, simulated.say('redis-1', args)]);
    }
  }, 60_000);
});
