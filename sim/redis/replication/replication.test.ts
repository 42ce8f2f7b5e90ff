import { describe, expect, it } from 'vitest';
import { Snapshots } from '../persistence/snapshots.js';
import { Nodes } from '../testing/nodes.js';

const SET = (key = 'k', ttl = '100000') => ['SET', key, 'v', 'PX', ttl] as const;

describe('the stream', () => {
  it('brings a write to the replica one latency later, and not a microsecond earlier', () => {
    const nodes = new Nodes({ latencyMs: 3 });
    nodes.until(10).say(0, ...SET());
    expect(nodes.until(12.999).say(1, 'GET', 'k')).toBeNull();
    expect(nodes.until(13).say(1, 'GET', 'k')).toBe('v');
  });

  it('a crash of the master after the write left loses nothing, the one that it had not sent is lost', () => {
    const nodes = new Nodes({ latencyMs: 3 });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(13);
    nodes.say(0, ...SET('b'));
    nodes.crash(0);
    nodes.node(1).promote();
    expect([nodes.say(1, 'GET', 'a'), nodes.say(1, 'GET', 'b')]).toEqual(['v', null]);
    expect(nodes.recorder.events.find(({ kind }) => kind === 'promote')).toMatchObject({
      host: 'redis-1',
      replica: 'redis-1-replica-1',
      unreplicated: 1,
    });
  });

  it.each([
    [12.999, null],
    [13.001, 'v'],
  ])('a master that crashes at %s ms leaves %s: the write of 10 ms arrives at 13', (crashMs, left) => {
    const nodes = new Nodes({ latencyMs: 3 });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(crashMs).crash(0);
    nodes.until(100).node(1).promote();
    expect(nodes.say(1, 'GET', 'a')).toBe(left);
  });

  it('costs nothing where nobody replicates', () => {
    const nodes = new Nodes({ replicas: 0 });
    nodes.say(0, 'SET', 'a', 'v');
    nodes.until(10);
    expect([...nodes.kernel.pending()]).toEqual([]);
    expect(nodes.info(0, 'repl_backlog_active')).toBe('0');
    expect(nodes.say(0, 'ROLE')).toEqual(['master', 0, []]);
  });

  it('carries everything that one command changed at once, and deletions', () => {
    const nodes = new Nodes({ latencyMs: 1 });
    nodes.say(0, 'MSET', 'a', '1', 'b', '2', 'c', '3');
    nodes.say(0, 'DEL', 'a', 'c');
    nodes.until(1);
    expect(nodes.say(1, 'KEYS', '*')).toEqual(['b']);
    expect(nodes.info(1, 'slave_repl_offset')).toBe('2');
  });

  it('a replica refuses writes, hides what has expired by its own clock and waits for the DEL of its master', () => {
    const nodes = new Nodes({ latencyMs: 1 });
    nodes.say(0, ...SET('k', '100'));
    nodes.until(50);
    expect(nodes.say(1, ...SET())).toMatch(/^READONLY/);
    nodes.node(1).stepClock(60_000);
    expect(nodes.say(1, 'GET', 'k')).toBeNull();
    expect(nodes.say(1, 'DBSIZE')).toBe(1);
    expect(nodes.say(0, 'GET', 'k')).toBe('v');
    nodes.until(101.999);
    expect(nodes.say(1, 'DBSIZE')).toBe(1);
    nodes.until(102);
    expect(nodes.say(1, 'DBSIZE')).toBe(0);
  });
});

describe('after a broken connection', () => {
  it('a replica is fed from where it was', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(20).network.reset('redis-1', 'redis-1-replica-1');
    nodes.say(0, ...SET('b'));
    // Three exchanges to introduce itself, one to ask: at once, and no copy.
    nodes.until(27.999);
    expect(nodes.info(1, 'master_link_status')).toBe('down');
    nodes.until(28);
    expect(nodes.info(1, 'master_link_status')).toBe('up');
    expect(nodes.say(1, 'GET', 'b')).toBe('v');
    expect(nodes.info(0, 'slave0')).toBe('ip=redis-1-replica-1,port=6379,state=online,offset=0,lag=0');
  });

  it('it gets a full copy when the backlog has not everything any more, five seconds later', () => {
    const nodes = new Nodes();
    nodes.until(100).cut(1, 0);
    nodes.network.reset('redis-1', 'redis-1-replica-1');
    const long = 'x'.repeat(1000);
    for (let i = 0; i < 1000; i++) nodes.say(0, 'SET', `${long}${i}`, 'v');
    nodes.until(200).heal(1, 0);
    // It asks in second 0, and five seconds by the master's whole seconds are over when it looks in second 5.
    nodes.until(4999.999);
    expect(nodes.info(0, 'slave0')).toMatch(/state=wait_bgsave/);
    expect(nodes.say(1, 'DBSIZE')).toBe(0);
    nodes.until(5002);
    expect(nodes.info(0, 'slave0')).toMatch(/state=online/);
    expect(nodes.say(1, 'DBSIZE')).toBe(1000);
  });

  it('the wait for a copy is a parameter', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    expect(nodes.say(0, 'CONFIG', 'SET', 'repl-diskless-sync-delay', '0')).toBe('OK');
    nodes.until(100).crash(1);
    nodes.until(200).node(1).restart();
    nodes.until(1000.999);
    expect(nodes.say(1, 'GET', 'a')).toBeNull();
    nodes.until(1001);
    expect(nodes.say(1, 'GET', 'a')).toBe('v');
  });

  it('it answers LOADING while it loads a copy, and has what was written meanwhile', () => {
    const nodes = new Nodes({ loadUs: 500_000 });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(100).crash(1);
    nodes.until(200).node(1).restart();
    expect(nodes.until(300).say(1, 'GET', 'a')).toBeNull();
    nodes.until(5500.999);
    expect(nodes.say(1, 'GET', 'a')).toMatch(/^LOADING/);
    expect(nodes.say(1, 'REPLICAOF', 'NO', 'ONE')).toMatch(/^LOADING/);
    nodes.say(0, ...SET('b'));
    // It asks for what was held back when it has loaded.
    nodes.until(5503);
    expect([nodes.say(1, 'GET', 'a'), nodes.say(1, 'GET', 'b')]).toEqual(['v', 'v']);
  });

  it('a replica gives a silent master up after repl-timeout, and the master the replica', () => {
    const nodes = new Nodes();
    nodes.until(100).cut(1, 0);
    nodes.until(59_000);
    expect(nodes.info(1, 'master_link_status')).toBe('up');
    expect(nodes.info(0, 'connected_slaves')).toBe('1');
    nodes.until(63_000);
    expect(nodes.info(1, 'master_link_status')).toBe('down');
    expect(nodes.info(0, 'connected_slaves')).toBe('0');
    nodes.say(0, ...SET('late'));
    nodes.until(70_000).heal(1, 0);
    nodes.until(71_100);
    expect(nodes.info(1, 'master_link_status')).toBe('up');
    expect(nodes.say(1, 'GET', 'late')).toBe('v');
  });
});

describe('a promotion', () => {
  it('takes what had arrived; the other replica goes on without a copy', () => {
    const nodes = new Nodes({ replicas: 2 });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(100).crash(0);
    expect(nodes.say(1, 'REPLICAOF', 'NO', 'ONE')).toBe('OK');
    expect(nodes.say(2, 'REPLICAOF', 'redis-1-replica-1', '6379')).toBe('OK');
    nodes.say(1, ...SET('b'));
    nodes.until(110);
    expect(nodes.info(2, 'master_link_status')).toBe('up');
    expect([nodes.say(2, 'GET', 'a'), nodes.say(2, 'GET', 'b')]).toEqual(['v', 'v']);
    expect(nodes.info(2, 'master_replid')).toBe(nodes.info(1, 'master_replid'));
    expect(nodes.info(1, 'second_repl_offset')).toBe('2');
    expect(nodes.say(1, 'ROLE')).toEqual(['master', 2, [['redis-1-replica-2', '6379', '0']]]);
  });

  it('lets the new master expire what it has, by its own clock', () => {
    const nodes = new Nodes();
    nodes.node(1).stepClock(-50_000);
    nodes.until(10).say(0, ...SET('k', '100'));
    nodes.until(100).crash(0);
    nodes.say(1, 'REPLICAOF', 'NO', 'ONE');
    nodes.until(1000);
    // Its clock is 50 ms behind: the deadline of 110 is over there at 161.
    const expired = nodes.recorder.events.filter(
      (event) => event.kind === 'key' && event.effect === 'expired',
    );
    expect(expired).toMatchObject([{ tUs: 161_000, host: 'redis-1-replica-1', key: 'k' }]);
  });

  it('lets what had expired on the replica go at once', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('k', '100'));
    nodes.until(50).node(1).stepClock(1_000_000);
    nodes.crash(0);
    nodes.say(1, 'REPLICAOF', 'NO', 'ONE');
    nodes.until(50);
    expect(nodes.say(1, 'DBSIZE')).toBe(0);
  });

  it('happens once, whoever repeats the command', () => {
    const nodes = new Nodes();
    for (let i = 0; i < 3; i++) expect(nodes.say(1, 'SLAVEOF', 'NO', 'ONE')).toBe('OK');
    expect(nodes.recorder.events.filter(({ kind }) => kind === 'promote')).toHaveLength(1);
    expect(nodes.say(1, ...SET())).toBe('OK');
    expect(nodes.shard.serving.name).toBe('redis-1-replica-1');
  });

  it('a deposed master loses what it had alone', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(20).cut(0, 1);
    nodes.say(0, ...SET('alone'));
    nodes.node(1).promote();
    nodes.until(1000).heal(0, 1);
    nodes.say(0, 'SLAVEOF', 'redis-1-replica-1', '6379');
    expect(nodes.say(0, 'GET', 'alone')).toBe('v');
    nodes.until(10_000);
    expect([nodes.say(0, 'GET', 'a'), nodes.say(0, 'GET', 'alone')]).toEqual(['v', null]);
    expect(nodes.say(0, ...SET())).toMatch(/^READONLY/);
  });

  it('a deposed master that had nothing alone goes on without a copy', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(20).node(1).promote();
    nodes.say(0, 'SLAVEOF', 'redis-1-replica-1', '6379');
    nodes.until(28);
    expect(nodes.info(0, 'master_link_status')).toBe('up');
  });

  it('may follow another', () => {
    const nodes = new Nodes({ replicas: 2 });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(20).crash(0);
    nodes.node(1).promote();
    nodes.say(2, 'REPLICAOF', 'redis-1-replica-1', '6379');
    nodes.until(50).say(1, ...SET('b'));
    nodes.until(60).crash(1);
    nodes.node(2).promote();
    expect([nodes.say(2, 'GET', 'a'), nodes.say(2, 'GET', 'b')]).toEqual(['v', 'v']);
    nodes.node(0).restart();
    nodes.say(0, 'REPLICAOF', 'redis-1-replica-2', '6379');
    nodes.until(8000);
    expect(nodes.say(0, 'GET', 'b')).toBe('v');
    const promoted = nodes.recorder.events.filter(({ kind }) => kind === 'promote');
    expect(promoted).toMatchObject([{ unreplicated: 0 }, { unreplicated: 0 }]);
  });

  it('interrupts those who wait on a master that becomes a replica', () => {
    const nodes = new Nodes();
    const popping = nodes.newClient(0);
    const waiting = nodes.newClient(0);
    nodes.cut(0, 1);
    popping.say('BLPOP', 'list', '0');
    waiting.say(...SET());
    waiting.say('WAIT', '1', '0');
    nodes.until(10).say(0, 'REPLICAOF', 'redis-1-replica-1', '6379');
    nodes.until(12);
    for (const client of [popping, waiting]) {
      expect(client.answers.at(-1)?.value).toMatch(/^UNBLOCKED force unblock/);
      expect(client.closed).toBe(true);
    }
  });
});

describe('replicas of replicas', () => {
  it('get the same stream, one latency later, and their master goes on feeding them when it is promoted', () => {
    const nodes = new Nodes({ replicas: 2 });
    nodes.until(10).say(2, 'REPLICAOF', 'redis-1-replica-1', '6379');
    nodes.until(50).say(0, ...SET('a'));
    nodes.until(51.999);
    expect(nodes.say(2, 'GET', 'a')).toBeNull();
    nodes.until(52);
    expect(nodes.say(2, 'GET', 'a')).toBe('v');
    nodes.say(1, 'REPLICAOF', 'NO', 'ONE');
    nodes.say(1, ...SET('b'));
    nodes.until(70);
    expect(nodes.say(2, 'GET', 'b')).toBe('v');
    expect(nodes.info(2, 'master_link_status')).toBe('up');
  });
});

describe('a replica that was down', () => {
  it('comes back empty, asks for a copy and has everything', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(100).crash(1);
    nodes.until(1100).node(1).restart();
    expect(nodes.until(1200).say(1, 'GET', 'a')).toBeNull();
    expect(nodes.until(8000).say(1, 'GET', 'a')).toBe('v');
    expect(nodes.info(1, 'master_link_status')).toBe('up');
  });

  it('goes on where its file ends, if it has one', () => {
    const nodes = new Nodes({ createDisk: (owner) => new Snapshots(owner, [{ afterS: 3600, changes: 1 }]) });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(100).node(1).crash('shutdown');
    nodes.network.sever('redis-1-replica-1');
    nodes.until(200).say(0, ...SET('b'));
    nodes.until(1100).node(1).restart();
    expect(nodes.say(1, 'GET', 'a')).toBe('v');
    nodes.until(1108);
    expect(nodes.say(1, 'GET', 'b')).toBe('v');
  });

  it('a master that was down with its file feeds the replicas that waited', () => {
    const nodes = new Nodes({ createDisk: (owner) => new Snapshots(owner, [{ afterS: 3600, changes: 1 }]) });
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(100).node(0).crash('shutdown');
    nodes.network.sever('redis-1');
    nodes.until(1100).node(0).restart();
    nodes.say(0, ...SET('b'));
    // Its second history is not that of the replica, but begins where that ends.
    nodes.until(2008);
    expect(nodes.info(1, 'master_link_status')).toBe('up');
    expect(nodes.info(1, 'master_replid')).toBe(nodes.info(0, 'master_replid'));
    expect([nodes.say(1, 'GET', 'a'), nodes.say(1, 'GET', 'b')]).toEqual(['v', 'v']);
  });

  it('tries a master that is down once a second', () => {
    const nodes = new Nodes();
    nodes.until(100).crash(0);
    nodes.until(5500);
    expect(nodes.say(1, 'ROLE')).toEqual(['slave', 'redis-1', 6379, 'connect', -1]);
    nodes.node(0).restart();
    nodes.until(6008);
    expect(nodes.say(1, 'ROLE')).toMatchObject(['slave', 'redis-1', 6379, 'handshake', -1]);
  });
});

describe('REPLICAOF', () => {
  it('answers as Redis', () => {
    const nodes = new Nodes();
    expect(nodes.say(1, 'REPLICAOF', 'redis-1', '6379')).toBe('OK Already connected to specified master');
    expect(nodes.say(1, 'REPLICAOF', 'redis-1', 'x')).toBe('ERR Invalid master port');
    expect(nodes.say(1, 'SLAVEOF', 'nowhere', '6379')).toBe('OK');
    expect(nodes.until(5000).say(1, 'ROLE')).toEqual(['slave', 'nowhere', 6379, 'connect', -1]);
  });

  it('works within a transaction, as Sentinel sends it', () => {
    const nodes = new Nodes();
    const client = nodes.newClient(1);
    client.say('MULTI');
    client.say('SLAVEOF', 'NO', 'ONE');
    client.say('CONFIG', 'REWRITE');
    client.say('CLIENT', 'KILL', 'TYPE', 'normal');
    client.say('CLIENT', 'KILL', 'TYPE', 'pubsub');
    expect(client.say('EXEC')).toEqual(['OK', expect.anything(), 0, 0]);
    expect(nodes.info(1, 'role')).toBe('master');
  });

  it('without replica-serve-stale-data a replica that lost its master serves nothing', () => {
    const nodes = new Nodes();
    nodes.until(10).say(0, ...SET('a'));
    nodes.until(20);
    expect(nodes.say(1, 'CONFIG', 'SET', 'replica-serve-stale-data', 'no')).toBe('OK');
    expect(nodes.say(1, 'GET', 'a')).toBe('v');
    nodes.crash(0);
    expect(nodes.until(30).say(1, 'GET', 'a')).toMatch(/^MASTERDOWN/);
    expect(nodes.say(1, 'CONFIG', 'SET', 'replica-serve-stale-data', 'yes')).toBe('OK');
    expect(nodes.say(1, 'GET', 'a')).toBe('v');
  });
});
