import { describe, expect, it } from 'vitest';
import { Nodes, type TestClient } from '../testing/nodes.js';

/** A client that has written and waits; replies take the latency to come back to it. */
function writer(nodes: Nodes): TestClient {
  const client = nodes.newClient(0);
  client.say('SET', 'k', 'v');
  return client;
}

describe('WAIT', () => {
  it('returns when the acknowledgement comes: there and back after the question', () => {
    const nodes = new Nodes({ latencyMs: 3 });
    nodes.until(10);
    const client = writer(nodes);
    client.say('WAIT', '1', '0');
    nodes.until(18.999);
    expect(client.answers).toHaveLength(1);
    nodes.until(19);
    // Written at 10, asked at 10, acknowledged at 16, heard of at 19.
    expect(client.answers.at(-1)).toEqual({ atMs: 19, value: 1 });
  });

  it('returns what it has when its time is over: in the first millisecond after it', () => {
    const nodes = new Nodes({ replicas: 2, latencyMs: 1 });
    nodes.until(10).cut(0, 2);
    const client = writer(nodes);
    client.say('WAIT', '2', '100');
    nodes.until(200);
    expect(client.answers.at(-1)).toEqual({ atMs: 112, value: 1 });
  });

  it('with 0 waits for ever, until the replica is back', () => {
    const nodes = new Nodes({ latencyMs: 1 });
    nodes.until(10).cut(0, 1);
    const client = writer(nodes);
    client.say('WAIT', '1', '0');
    nodes.until(50_000);
    expect(client.answers).toHaveLength(1);
    nodes.heal(0, 1);
    nodes.until(50_010);
    expect(client.answers.at(-1)?.value).toBe(1);
  });

  it('answers at once when enough replicas have it, or nothing was written', () => {
    const nodes = new Nodes({ replicas: 2 });
    const client = writer(nodes);
    expect(client.say('WAIT', '0', '0')).toBe(0);
    expect(nodes.newClient(0).say('WAIT', '2', '0')).toBe(2);
    nodes.until(1100);
    expect(client.say('WAIT', '2', '0')).toBe(2);
  });

  it('does not wait within a transaction', () => {
    const nodes = new Nodes();
    const client = nodes.newClient(0);
    client.say('MULTI');
    client.say('SET', 'k', 'v');
    client.say('WAIT', '1', '0');
    expect(client.say('EXEC')).toEqual(['OK', 1]);
  });

  it('keeps back what the connection sends meanwhile, and nobody else', () => {
    const nodes = new Nodes();
    const client = writer(nodes);
    client.say('WAIT', '1', '0');
    client.say('GET', 'k');
    expect(nodes.newClient(0).say('GET', 'k')).toBe('v');
    nodes.until(10);
    expect(client.answers.map(({ value }) => value)).toEqual(['OK', 1, 'v']);
  });

  it('what was sent meanwhile is not executed when the role changes: the connection ends', () => {
    const nodes = new Nodes();
    nodes.cut(0, 1);
    const client = writer(nodes);
    client.say('WAIT', '1', '0');
    client.say('SET', 'k', 'later');
    nodes.until(10).say(0, 'REPLICAOF', 'redis-1-replica-1', '6379');
    nodes.until(20);
    expect(client.answers.map(({ value }) => value)).toEqual(['OK', expect.stringMatching(/^UNBLOCKED/)]);
    expect(nodes.say(0, 'GET', 'k')).toBe('v');
  });

  it('is refused on a replica', () => {
    expect(new Nodes().say(1, 'WAIT', '1', '0')).toMatch(/^ERR WAIT cannot be used with replica instances/);
  });

  it('is forgotten with a connection that ends, and with a crash', () => {
    const nodes = new Nodes();
    nodes.cut(0, 1);
    const client = writer(nodes);
    client.say('WAIT', '1', '100');
    nodes.until(10).network.reset('p1', 'redis-1');
    nodes.until(20);
    const other = writer(nodes);
    other.say('WAIT', '1', '100');
    nodes.until(30).crash(0);
    nodes.until(40).node(0).restart();
    nodes.until(1000);
    expect([...client.answers, ...other.answers].map(({ value }) => value)).toEqual(['OK', 'OK']);
  });

  it('a clock that steps forward ends it early', () => {
    const nodes = new Nodes({ latencyMs: 1 });
    nodes.until(10).cut(0, 1);
    const client = writer(nodes);
    client.say('WAIT', '1', '5000');
    nodes.until(20).node(0).stepClock(10_000_000);
    nodes.until(21);
    expect(client.answers.at(-1)).toEqual({ atMs: 21, value: 0 });
  });
});

describe('min-replicas-to-write', () => {
  const SET = ['SET', 'k', 'v'] as const;

  it('refuses from the first second after the lag on, and not before', () => {
    // The last acknowledgement arrives at 2.001 s, in second 2; with a lag of 3 it is too old in second 6.
    const nodes = new Nodes({ minReplicas: 1, maxLagS: 3, latencyMs: 1 });
    nodes.until(2500).cut(0, 1);
    expect(nodes.until(5999.999).say(0, ...SET)).toBe('OK');
    expect(nodes.until(6000).say(0, ...SET)).toBe('NOREPLICAS Not enough good replicas to write.');
    expect(nodes.say(0, 'GET', 'k')).toBe('v');
    nodes.until(7000).heal(0, 1);
    // What was kept back arrives now, and the next count is in second 8.
    expect(nodes.until(7999.999).say(0, ...SET)).toMatch(/^NOREPLICAS/);
    expect(nodes.until(8000).say(0, ...SET)).toBe('OK');
  });

  it('refuses at once when the connection of the last good replica ends', () => {
    const nodes = new Nodes({ minReplicas: 1, maxLagS: 10 });
    expect(nodes.until(100).say(0, ...SET)).toBe('OK');
    nodes.crash(1);
    expect(nodes.say(0, ...SET)).toMatch(/^NOREPLICAS/);
    nodes.node(1).restart();
    nodes.until(10_000);
    expect(nodes.say(0, ...SET)).toBe('OK');
  });

  it('refuses a new master until its replicas have found it', () => {
    const nodes = new Nodes({ replicas: 2, minReplicas: 1, maxLagS: 10 });
    nodes.until(100).crash(0);
    nodes.say(1, 'REPLICAOF', 'NO', 'ONE');
    expect(nodes.say(1, ...SET)).toMatch(/^NOREPLICAS/);
    nodes.say(2, 'REPLICAOF', 'redis-1-replica-1', '6379');
    nodes.until(120);
    expect(nodes.say(1, ...SET)).toBe('OK');
  });

  it('also within transactions and scripts', () => {
    const nodes = new Nodes({ replicas: 0, minReplicas: 1 });
    expect(nodes.say(0, 'EVAL', "return redis.call('SET', 'k', 'v')", '0')).toMatch(/NOREPLICAS/);
    nodes.say(0, 'MULTI');
    expect(nodes.say(0, ...SET)).toMatch(/^NOREPLICAS/);
    expect(nodes.say(0, 'EXEC')).toMatch(/^EXECABORT/);
  });

  it('is a parameter that can be changed', () => {
    const nodes = new Nodes({ replicas: 1 });
    expect(nodes.say(0, 'CONFIG', 'SET', 'min-replicas-to-write', '2')).toBe('OK');
    expect(nodes.say(0, ...SET)).toMatch(/^NOREPLICAS/);
    expect(nodes.say(0, 'CONFIG', 'SET', 'min-replicas-max-lag', '0')).toBe('OK');
    expect(nodes.say(0, ...SET)).toBe('OK');
  });
});
