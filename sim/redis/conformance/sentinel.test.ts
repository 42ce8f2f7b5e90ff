/**
 * Three real Sentinels beside three simulated ones: the same questions and the same answers, and at a failover the same
 * messages in the same order, with the real ones' addresses and ids put into the simulated ones' words.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inResp2 } from '../resp.js';
import type { Bytes, Reply } from '../keyspace.js';
import { Watched, type Listener } from '../sentinel/testing.js';
import { plain } from '../testing/nodes.js';
import { freePort, installedRedis, RealConnection, RealRedis } from './real-redis.js';

const NODES = ['redis-1', 'redis-1-replica-1', 'redis-1-replica-2'];
/** Longer than the wait for a new connection, or a new master may be found down at first. */
const DOWN_AFTER_MS = 2000;
const SENTINELS = ['sentinel-1', 'sentinel-2', 'sentinel-3'];

/** A reply without classes: maps as flat lists, errors and statuses as texts. */
function words(reply: unknown): unknown {
  if (typeof reply === 'object' && reply !== null && 'pairs' in reply) return words(reply.pairs);
  if (Array.isArray(reply)) return reply.map(words);
  return plain(inResp2(reply as Reply));
}

interface RealSentinel {
  readonly process: ChildProcess;
  readonly port: number;
  readonly asking: RealConnection;
  readonly listening: RealConnection;
}

class RealTrio {
  private readonly directory = mkdtempSync(path.join(tmpdir(), 'lockpick-sentinel-'));
  private readonly nodes = new Map<string, RealRedis>();
  private readonly sentinels = new Map<string, RealSentinel>();

  async start(): Promise<void> {
    for (const name of NODES) {
      const master = this.nodes.get('redis-1');
      const follow = master === undefined ? [] : ['--replicaof', '127.0.0.1', String(master.port)];
      this.nodes.set(name, await RealRedis.start(['--repl-diskless-sync-delay', '0', ...follow]));
    }
    for (const name of SENTINELS) this.sentinels.set(name, await this.startSentinel(name));
    await this.until(async (name) => {
      const [row] = (await this.ask(name, ['SENTINEL', 'MASTERS'])) as string[][];
      const shown = fields(row!);
      return shown['num-slaves'] === '2' && shown['num-other-sentinels'] === '2';
    });
    // The replicas' own INFO, and the other Sentinels connected.
    await this.until(async (name) => {
      const replicas = (await this.ask(name, ['SENTINEL', 'REPLICAS', 'redis-1'])) as string[][];
      const others = (await this.ask(name, ['SENTINEL', 'SENTINELS', 'redis-1'])) as string[][];
      return (
        replicas.every((row) => fields(row)['master-link-status'] === 'ok') &&
        others.every((row) => fields(row)['flags'] === 'sentinel')
      );
    });
    for (const { listening } of this.sentinels.values()) listening.post(['PSUBSCRIBE', '*']);
  }

  private async startSentinel(name: string): Promise<RealSentinel> {
    const port = await freePort();
    const file = path.join(this.directory, `${name}.conf`);
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor redis-1 127.0.0.1 ${this.nodes.get('redis-1')!.port} 2`,
      `sentinel down-after-milliseconds redis-1 ${DOWN_AFTER_MS}`,
      'sentinel failover-timeout redis-1 5000',
    ];
    writeFileSync(file, lines.join('\n'));
    const process = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore', cwd: this.directory });
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        const asking = await RealConnection.open(port);
        return { process, port, asking, listening: await RealConnection.open(port) };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
    process.kill('SIGKILL');
    throw new Error('the real Sentinel did not start');
  }

  /** Waits until something holds at every Sentinel. */
  async until(holds: (name: string) => Promise<boolean> | boolean): Promise<void> {
    for (let attempt = 0; attempt < 400; attempt++) {
      const found = await Promise.all(SENTINELS.map(holds));
      if (found.every(Boolean)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the real Sentinels did not get there');
  }

  async ask(name: string, args: readonly Bytes[]): Promise<unknown> {
    return this.renamed(words(await this.sentinels.get(name)!.asking.send(args)));
  }

  /** Channels and messages that a Sentinel has published. */
  heard(name: string): string[] {
    const { unclaimed } = this.sentinels.get(name)!.listening;
    return (this.renamed(words(unclaimed)) as string[][])
      .filter(([word]) => word === 'pmessage')
      .map(([, , channel, message]) => `${channel} ${message}`);
  }

  private renamed(reply: unknown): unknown {
    let text = JSON.stringify(reply);
    for (const [name, { port }] of [...this.nodes, ...this.sentinels])
      text = text
        .replaceAll(`127.0.0.1:${port}`, `${name}:<port>`)
        .replaceAll(`127.0.0.1 ${port}`, `${name} <port>`)
        .replaceAll(`"127.0.0.1","port","${port}"`, `"${name}","port","<port>"`)
        .replaceAll(`"127.0.0.1","master-port","${port}"`, `"${name}","master-port","<port>"`)
        .replaceAll(`"127.0.0.1","${port}"`, `"${name}","<port>"`);
    return JSON.parse(text);
  }

  crash(name: string): void {
    this.nodes.get(name)!.stop();
  }

  async stop(): Promise<void> {
    for (const { process, asking, listening } of this.sentinels.values()) {
      asking.close();
      listening.close();
      process.kill('SIGKILL');
      if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
    }
    for (const node of this.nodes.values()) node.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

class SimulatedTrio {
  readonly watched = new Watched({ downAfterMs: DOWN_AFTER_MS }).until(11_000);
  private readonly listeners = new Map<string, Listener>();
  private readonly asking = new Map<string, Listener>();

  constructor() {
    for (const [index, name] of SENTINELS.entries()) {
      this.asking.set(name, this.watched.listen(index + 1));
      const listener = this.watched.listen(index + 1);
      listener.say('PSUBSCRIBE', '*');
      this.listeners.set(name, listener);
    }
  }

  ask(name: string, args: readonly Bytes[]): unknown {
    return this.renamed(words(this.asking.get(name)!.say(...args)));
  }

  heard(name: string): string[] {
    const { heard } = this.listeners.get(name)!;
    return (this.renamed(words(heard)) as string[][])
      .filter(([word]) => word === 'pmessage')
      .map(([, , channel, message]) => `${channel} ${message}`);
  }

  private renamed(reply: unknown): unknown {
    return JSON.parse(JSON.stringify(reply).replaceAll(/\b2?6379\b/g, '<port>'));
  }
}

/** Names and values in turn, as an object. */
function fields(row: readonly string[]): Record<string, string> {
  return Object.fromEntries(row.flatMap((name, at) => (at % 2 === 0 ? [[name, row[at + 1]!]] : [])));
}

/** A reply without what is another one each time: ids, ages, offsets; rows in the order of their names. */
function steady(reply: unknown): unknown {
  if (!Array.isArray(reply)) return typeof reply === 'string' ? withoutIds(reply) : reply;
  if (reply[0] === 'name') {
    const row = fields(reply as string[]);
    const varying =
      /^(runid|name|.*ping.*|info-refresh|role-reported-time|last-hello-message|link-pending.*|.*offset)$/;
    return Object.entries(row).map(([name, value]) => [name, varying.test(name) ? '-' : withoutIds(value)]);
  }
  const items = reply.map(steady);
  return Array.isArray(reply[0]) ? items.map((item) => JSON.stringify(item)).sort() : items;
}

function withoutIds(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{40}\b/g, '<id>');
}

const QUESTIONS: readonly string[] = [
  'PING',
  'PING x',
  'PING x y',
  'ROLE',
  'SENTINEL',
  'SENTINEL x',
  'SENTINEL MYID',
  'SENTINEL MASTERS',
  'SENTINEL MASTERS x',
  'SENTINEL MASTER redis-1',
  'SENTINEL MASTER x',
  'SENTINEL REPLICAS redis-1',
  'SENTINEL SLAVES redis-1',
  'SENTINEL SLAVES x',
  'SENTINEL SENTINELS redis-1',
  'SENTINEL SENTINELS x',
  'SENTINEL SENTINELS',
  'SENTINEL GET-MASTER-ADDR-BY-NAME redis-1',
  'SENTINEL GET-MASTER-ADDR-BY-NAME x',
  'SENTINEL CKQUORUM redis-1',
  'SENTINEL CKQUORUM x',
  'SENTINEL FAILOVER x',
  'SENTINEL IS-MASTER-DOWN-BY-ADDR nobody 1 0 *',
  'SENTINEL IS-MASTER-DOWN-BY-ADDR nobody x 0 *',
  'SENTINEL IS-MASTER-DOWN-BY-ADDR nobody 1 x *',
  'PUBLISH a b',
  'GET k',
  'SET k v',
  'AUTH x',
  'CLIENT',
  'CLIENT x',
  'CLIENT SETNAME x',
  'CLIENT GETNAME',
  'HELLO x',
  'HELLO 4',
];

/** What a Sentinel publishes from this line on, without what depends on how others are timed. */
function story(heard: readonly string[], first: string): string[] {
  const [promoted, other] = rolesIn(heard);
  return heard
    .slice(heard.findLastIndex((line) => line.startsWith(first)))
    .filter((line) => !/^([+-]role-change|[+-]sdown|[+-]odown|\+sentinel|[+-]new-epoch)/.test(line))
    .map((line) => withoutIds(line).replaceAll(promoted, 'PROMOTED').replaceAll(other, 'OTHER'))
    .map((line) => line.replace(/^(\+vote-for-leader <id>) \d+/, '$1').replace(/sentinel-\d/, 'LEADER'));
}

function rolesIn(heard: readonly string[]): [string, string] {
  const switched = heard.find((line) => line.startsWith('+switch-master'));
  const promoted = /redis-1-replica-\d/.exec(switched ?? '')?.[0] ?? '?';
  return [promoted, NODES.find((name) => name !== 'redis-1' && name !== promoted)!];
}

const hasSwitched = (heard: readonly string[]): boolean =>
  heard.some((line) => line.startsWith('+switch-master'));
const leads = (heard: readonly string[]): boolean => heard.some((line) => line.startsWith('+elected-leader'));

describe.runIf(installedRedis() !== undefined)('real Sentinels and simulated ones', () => {
  const real = new RealTrio();
  const simulated = new SimulatedTrio();

  beforeAll(() => real.start(), 60_000);
  afterAll(() => real.stop());

  it('answer the same questions alike', async () => {
    const [theirs, ours]: unknown[][] = [[], []];
    for (const name of SENTINELS)
      for (const line of QUESTIONS) {
        const args = line.split(' ');
        theirs!.push([name, line, steady(await real.ask(name, args))]);
        ours!.push([name, line, steady(simulated.ask(name, args))]);
      }
    expect(ours).toEqual(theirs);
  });

  it('publish the same failover', async () => {
    real.crash('redis-1');
    simulated.watched.down('redis-1');
    await real.until((name) => hasSwitched(real.heard(name)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    simulated.watched.until(20_000);
    const leaders = [real, simulated].map((trio) => SENTINELS.filter((name) => leads(trio.heard(name))));
    expect(leaders.map((names) => names.length)).toEqual([1, 1]);
    const lead = [real.heard(leaders[0]![0]!), simulated.heard(leaders[1]![0]!)] as const;
    expect(story(lead[1], '+try-failover')).toEqual(story(lead[0], '+try-failover'));
    const follow = [real, simulated].map((trio, index) =>
      trio.heard(SENTINELS.find((name) => name !== leaders[index]![0])!),
    );
    expect(story(follow[1]!, '+config-update-from')).toEqual(story(follow[0]!, '+config-update-from'));
    expect([story(lead[0], '+try-failover').length, story(follow[0]!, '+config-update-from').length]).toEqual(
      [16, 4],
    );
  }, 60_000);
});
