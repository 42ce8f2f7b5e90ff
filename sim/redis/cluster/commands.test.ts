/** Texts as redis-server 7.0.15 has them (see `conformance/cluster.test.ts`, which asks it). */
import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing.js';

const CROSS_SLOT = "CROSSSLOT Keys in request don't hash to the same slot";

describe('a node of a cluster', () => {
  it('sends whoever asks for a key of others to its master, by the slot of the key', () => {
    const cluster = new TestCluster();
    expect(cluster.say('redis-1', 'GET', 'b')).toBeNull();
    expect(cluster.say('redis-1', 'GET', 'a')).toBe('MOVED 15495 redis-3:6379');
    expect(cluster.say('redis-1', 'SET', 'foo', '1')).toBe('MOVED 12182 redis-3:6379');
    expect(cluster.say('redis-1', 'EVAL', 'return 1', '1', 'lock:a')).toBe('MOVED 6035 redis-2:6379');
    expect(cluster.say('redis-3', 'SET', 'a', '1')).toBe('OK');
  });

  it('refuses keys of several slots, its own or not', () => {
    const cluster = new TestCluster();
    expect(cluster.say('redis-1', 'MGET', 'a', 'b')).toBe(CROSS_SLOT);
    expect(cluster.say('redis-1', 'MGET', 'b', 'f')).toBe(CROSS_SLOT);
    expect(cluster.say('redis-1', 'EVAL', 'return 1', '2', 'b', 'f')).toBe(CROSS_SLOT);
    expect(cluster.say('redis-1', 'MGET', '{b}1', '{b}2')).toEqual([null, null]);
  });

  it('lets a script touch what is here and nothing else', () => {
    const cluster = new TestCluster();
    const get = (key: string): unknown =>
      cluster.say('redis-1', 'EVAL', `return redis.pcall('get', '${key}')`, '1', 'b');
    expect(get('b')).toBeNull();
    expect(get('a')).toBe('ERR Script attempted to access a non local key in a cluster node');
  });

  it('breaks a transaction at the key of another node, and at EXEC when its slots differ', () => {
    const cluster = new TestCluster();
    cluster.say('redis-1', 'MULTI');
    expect(cluster.say('redis-1', 'SET', 'b', '1')).toBe('QUEUED');
    expect(cluster.say('redis-1', 'SET', 'a', '1')).toBe('MOVED 15495 redis-3:6379');
    expect(cluster.say('redis-1', 'EXEC')).toBe(
      'EXECABORT Transaction discarded because of previous errors.',
    );
    cluster.say('redis-1', 'MULTI');
    cluster.say('redis-1', 'SET', 'b', '1');
    cluster.say('redis-1', 'SET', 'f', '1');
    expect(cluster.say('redis-1', 'EXEC')).toBe(CROSS_SLOT);
    expect(cluster.say('redis-1', 'GET', 'b')).toBeNull();
  });

  it('has one database', () => {
    const cluster = new TestCluster();
    expect(cluster.say('redis-1', 'SELECT', '0')).toBe('OK');
    expect(cluster.say('redis-1', 'SELECT', '1')).toBe('ERR SELECT is not allowed in cluster mode');
  });

  it('as a replica reads for a connection that asked for it, and never writes', () => {
    const cluster = new TestCluster();
    cluster.say('redis-3', 'SET', 'a', '1');
    cluster.until(10);
    const moved = 'MOVED 15495 redis-3:6379';
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBe(moved);
    cluster.say('redis-3-replica-1', 'READONLY');
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBe('1');
    expect(cluster.say('redis-3-replica-1', 'SET', 'a', '2')).toBe(moved);
    expect(cluster.say('redis-3-replica-1', 'GET', 'b')).toBe('MOVED 3300 redis-1:6379');
    cluster.say('redis-3-replica-1', 'READWRITE');
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBe(moved);
  });

  it('shows who serves what', () => {
    const cluster = new TestCluster();
    const slots = cluster.say('redis-1', 'CLUSTER', 'SLOTS') as [number, number, ...[string, number][]][];
    expect(slots.map(([first, last, ...nodes]) => [first, last, nodes.map(([name]) => name)])).toEqual([
      [0, 5460, ['redis-1', 'redis-1-replica-1']],
      [5461, 10_922, ['redis-2', 'redis-2-replica-1']],
      [10_923, 16_383, ['redis-3', 'redis-3-replica-1']],
    ]);
    const id = String(cluster.say('redis-2', 'CLUSTER', 'MYID'));
    expect(id).toMatch(/^[0-9a-f]{40}$/);
    const lines = String(cluster.say('redis-2', 'CLUSTER', 'NODES')).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe(`${id} redis-2:6379@16379 myself,master - 0 0 2 connected 5461-10922`);
    expect(lines[4]).toMatch(
      new RegExp(`^[0-9a-f]{40} redis-2-replica-1:6379@16379 slave ${id} 0 \\d+ 2 connected$`),
    );
  });

  it('counts the keys of a slot', () => {
    const cluster = new TestCluster();
    for (const key of ['b', '{b}1', 'f']) cluster.say('redis-1', 'SET', key, '1');
    const count = (slot: string): unknown => cluster.say('redis-1', 'CLUSTER', 'COUNTKEYSINSLOT', slot);
    expect([count('3300'), count('3168'), count('3301')]).toEqual([2, 1, 0]);
    expect([count('16384'), count('-1')]).toEqual(['ERR Invalid slot', 'ERR Invalid slot']);
    expect(count('1.5')).toBe('ERR value is not an integer or out of range');
  });
});
