/** Which node is the master of its shard, in the history: as roles change by commands, in whatever order. */
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../history/events.js';
import { Nodes } from '../testing/nodes.js';

const SET = (key: string) => ['SET', key, 'v', 'PX', '100000'] as const;

const promotions = ({ recorder }: Nodes) =>
  recorder.events
    .filter((event): event is EventOf<'promote'> => event.kind === 'promote')
    .map(({ replica, unreplicated }) => [replica, unreplicated]);

/** What promotions did to keys, as node, key and effect. */
const changes = ({ recorder }: Nodes) =>
  recorder.events
    .filter((event): event is EventOf<'key'> => event.kind === 'key' && event.by === undefined)
    .map(({ host, key, effect }) => [host, key, effect]);

/** The replica was promoted behind a cut; each of the two has a key that the other lacks. */
function split(): Nodes {
  const nodes = new Nodes();
  nodes.until(10).cut(0, 1);
  nodes.say(1, 'REPLICAOF', 'NO', 'ONE');
  nodes.say(0, ...SET('old'));
  nodes.say(1, ...SET('new'));
  return nodes;
}

describe('a deposed master that nobody has told yet', () => {
  it('is the master again when it is told to lead, with its own keys', () => {
    const nodes = split();
    nodes.say(0, 'REPLICAOF', 'NO', 'ONE');
    expect(nodes.shard.serving.name).toBe('redis-1');
    expect(promotions(nodes)).toEqual([
      ['redis-1-replica-1', 0],
      ['redis-1', 1],
    ]);
    expect(changes(nodes)).toEqual([
      ['redis-1', 'old', 'restored'],
      ['redis-1', 'new', 'lost'],
    ]);
  });

  it('lacks what the other acknowledged meanwhile', () => {
    const nodes = split();
    nodes.say(1, ...SET('more'));
    nodes.say(0, 'REPLICAOF', 'NO', 'ONE');
    expect(promotions(nodes).at(-1)).toEqual(['redis-1', 2]);
  });

  it('is the master again when the new one is told to follow it', () => {
    const nodes = split();
    nodes.heal(0, 1);
    nodes.say(1, 'REPLICAOF', 'redis-1', '6379');
    expect(nodes.shard.serving.name).toBe('redis-1');
    expect(promotions(nodes).map(([replica]) => replica)).toEqual(['redis-1-replica-1', 'redis-1']);
    nodes.until(10_000);
    expect([nodes.say(1, 'GET', 'old'), nodes.say(1, 'GET', 'new')]).toEqual(['v', null]);
  });

  it('leaves the shard alone when it follows the new one', () => {
    const nodes = split();
    nodes.say(0, 'REPLICAOF', 'redis-1-replica-1', '6379');
    expect(promotions(nodes)).toHaveLength(1);
    expect(nodes.shard.serving.name).toBe('redis-1-replica-1');
  });

  it('does not get the shard while it is down', () => {
    const nodes = split();
    nodes.crash(0);
    nodes.say(1, 'REPLICAOF', 'redis-1', '6379');
    expect(promotions(nodes)).toHaveLength(1);
  });
});

it('a replica that has not heard of its master since that restarted lacks all that it wrote since', () => {
  const nodes = new Nodes();
  for (const key of ['a', 'b', 'c']) nodes.say(0, ...SET(key));
  nodes.until(10).crash(0);
  nodes.node(0).restart();
  for (const key of ['d', 'e']) nodes.say(0, ...SET(key));
  nodes.node(1).promote();
  expect(promotions(nodes)).toEqual([['redis-1-replica-1', 2]]);
});

it('a master that follows its own replica leaves the shard to nobody', () => {
  const nodes = new Nodes();
  nodes.until(10).say(0, 'REPLICAOF', 'redis-1-replica-1', '6379');
  expect(promotions(nodes)).toEqual([]);
  expect(nodes.shard.serving.name).toBe('redis-1');
});
