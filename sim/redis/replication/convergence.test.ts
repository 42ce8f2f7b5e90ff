/** Whatever happened: when everything works again and all follow one master, all have what it has. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AppendOnlyFile } from '../persistence/append-only.js';
import type { Disk, DiskOwner } from '../persistence/disk.js';
import { Snapshots } from '../persistence/snapshots.js';
import { Nodes } from '../testing/nodes.js';

const REPLICAS = 2;
const node = fc.nat(REPLICAS);
const key = fc.constantFrom('a', 'b', 'c');

type Step = (nodes: Nodes) => void;

function named(name: string, step: Step): Step {
  return Object.assign(step, { [fc.toStringMethod]: () => name });
}

const alive = (nodes: Nodes, index: number) => nodes.node(index).up;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(node, key, fc.nat(9))
      .map(([at, k, v]) =>
        named(`${at}: SET ${k} ${v}`, (nodes) => alive(nodes, at) && nodes.say(at, 'SET', k, String(v))),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(node, key)
      .map(([at, k]) =>
        named(`${at}: PEXPIRE ${k}`, (nodes) => alive(nodes, at) && nodes.say(at, 'PEXPIRE', k, '700')),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(node, key)
      .map(([at, k]) => named(`${at}: DEL ${k}`, (nodes) => alive(nodes, at) && nodes.say(at, 'DEL', k))),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(0.5, 3, 40, 900, 6000, 61_000)
      .map((ms) => named(`${ms} ms`, (nodes) => nodes.until(nodes.kernel.nowUs / 1000 + ms))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(node, node)
      .map(([a, b]) => named(`cut ${a} ${b}`, (nodes) => a !== b && nodes.cut(a, b))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(node, node)
      .map(([a, b]) => named(`heal ${a} ${b}`, (nodes) => a !== b && nodes.heal(a, b))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(node, node)
      .map(([a, b]) =>
        named(`reset ${a} ${b}`, (nodes) => nodes.network.reset(nodes.node(a).name, nodes.node(b).name)),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(node, fc.constantFrom('crash', 'shutdown', 'power'))
      .map(([at, how]) => named(`${how} ${at}`, (nodes) => nodes.crash(at, how as 'crash'))),
  },
  { weight: 2, arbitrary: node.map((at) => named(`restart ${at}`, (nodes) => nodes.node(at).restart())) },
  {
    weight: 1,
    arbitrary: node.map((at) =>
      named(
        `${at}: REPLICAOF NO ONE`,
        (nodes) => alive(nodes, at) && nodes.say(at, 'REPLICAOF', 'NO', 'ONE'),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(node, node)
      .map(([at, of]) =>
        named(
          `${at}: REPLICAOF ${of}`,
          (nodes) => alive(nodes, at) && at !== of && nodes.say(at, 'REPLICAOF', nodes.node(of).name, '6379'),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(node, fc.constantFrom(50, 4000))
      .map(([at, ms]) =>
        named(`pause ${at} ${ms} ms`, (nodes) => alive(nodes, at) && nodes.node(at).pause(ms * 1000)),
      ),
  },
);

const DISKS: Record<string, (owner: DiskOwner) => Disk> = {
  none: (owner) => new Snapshots(owner, []),
  rdb: (owner) => new Snapshots(owner, [{ afterS: 2, changes: 1 }]),
  aof: (owner) => new AppendOnlyFile(owner, 'everysec'),
};

/** Everything works again and follows one master. */
function mend(nodes: Nodes, master: number): void {
  for (let a = 0; a <= REPLICAS; a++)
    for (let b = 0; b < a; b++) for (let times = 0; times < 60; times++) nodes.heal(a, b);
  for (let a = 0; a <= REPLICAS; a++) nodes.node(a).restart();
  // REPLICAOF is refused while a copy is being loaded.
  do nodes.until(nodes.kernel.nowUs / 1000 + 1000);
  while (nodes.shard.nodes.some(({ mode, paused }) => mode.loading || paused));
  nodes.say(master, 'REPLICAOF', 'NO', 'ONE');
  for (let a = 0; a <= REPLICAS; a++)
    if (a !== master) nodes.say(a, 'REPLICAOF', nodes.node(master).name, '6379');
  nodes.until(nodes.kernel.nowUs / 1000 + 15_000);
  nodes.say(master, 'SET', 'last', 'x');
  // Between two turns of the servers' cron nothing is on its way.
  nodes.until(Math.floor(nodes.kernel.nowUs / 1e6) * 1000 + 2500);
}

function contents(nodes: Nodes, index: number): unknown {
  const server = nodes.node(index);
  return [...server.entries()]
    .map(([name, record]) => [name, record, server.setterOf(name)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

describe('replication', () => {
  test.prop(
    [
      fc.array(step, { maxLength: 40 }),
      node,
      fc.constantFrom('none', 'rdb', 'aof'),
      fc.constantFrom(0, 300_000),
    ],
    { numRuns: 300 },
  )('converges', (steps, master, disk, loadUs) => {
    const nodes = new Nodes({ replicas: REPLICAS, latencyMs: 2, loadUs, createDisk: DISKS[disk]! });
    for (const each of steps) each(nodes);
    mend(nodes, master);
    expect(nodes.info(master, 'role')).toBe('master');
    for (let at = 0; at <= REPLICAS; at++) {
      expect(contents(nodes, at)).toEqual(contents(nodes, master));
      expect(nodes.info(at, 'master_repl_offset')).toBe(nodes.info(master, 'master_repl_offset'));
      expect(nodes.info(at, 'master_replid')).toBe(nodes.info(master, 'master_replid'));
      if (at !== master) expect(nodes.info(at, 'master_link_status')).toBe('up');
    }
    expect(nodes.info(master, 'connected_slaves')).toBe(String(REPLICAS));
  });
});
