/** Times follow from the Redis Cluster specification; links take 1 ms, so that a PING is answered 2 ms after it was sent. */
import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing.js';

const TIMEOUT_MS = 1000;
const CRON_MS = 100;
const DOWN = 'CLUSTERDOWN The cluster is down';

function standing(cluster: TestCluster, viewer: string, of: string): string {
  return cluster.node(viewer).view.members.find(({ name }) => name === of)!.standing;
}

function isMaster(cluster: TestCluster, name: string): boolean {
  return !cluster.server(name).mode.replica && cluster.server(name).shard.serving.name === name;
}

/** The member that `viewer` knows by a name. */
function member(cluster: TestCluster, viewer: string, of: string) {
  return cluster.node(viewer).view.members.find(({ name }) => name === of)!;
}

describe('a master that crashes', () => {
  it('is suspected when a PING has been unanswered for longer than the node time-out, at the next look', () => {
    const cluster = new TestCluster();
    cluster.until(5000).crash('redis-3');
    const suspectedMs = cluster.whenMs(() => standing(cluster, 'redis-1', 'redis-3') !== 'well');
    const { pingSentMs } = member(cluster, 'redis-1', 'redis-3');
    const sentMs = pingSentMs - (cluster.node('redis-1').nowMs - suspectedMs);
    expect(suspectedMs - sentMs).toBeGreaterThan(TIMEOUT_MS);
    expect(suspectedMs - sentMs).toBeLessThanOrEqual(TIMEOUT_MS + CRON_MS + 1);
    // A PING leaves half a time-out after the last answer at the latest; hearsay about it is as old as its last second.
    expect(suspectedMs).toBeLessThanOrEqual(5000 + 1.5 * TIMEOUT_MS + 2 * CRON_MS);
  });

  it('fails when a majority of the masters suspects it; its replica is elected and serves its slots', () => {
    const cluster = new TestCluster();
    cluster.say('redis-3', 'SET', 'a', 'kept');
    cluster.until(5000).crash('redis-3');
    const failedMs = cluster.whenMs(() => standing(cluster, 'redis-3-replica-1', 'redis-3') === 'failed');
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBe(DOWN);
    const electedMs = cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'));
    // 500 ms and up to 500 more, each from a look to a look ten times a second, and the votes' way.
    expect(electedMs - failedMs).toBeGreaterThanOrEqual(500);
    expect(electedMs - failedMs).toBeLessThanOrEqual(1000 + 2 * CRON_MS + 4);
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBe('kept');
    cluster.until(electedMs + 2);
    for (const name of ['redis-1', 'redis-2', 'redis-1-replica-1']) {
      expect(cluster.say(name, 'GET', 'a')).toBe('MOVED 15495 redis-3-replica-1:6379');
      expect(cluster.info(name, 'cluster_current_epoch')).toBe('7');
    }
    expect(cluster.info('redis-3-replica-1', 'cluster_my_epoch')).toBe('7');
    const promotions = cluster.recorder.events.filter(({ kind }) => kind === 'promote');
    expect(promotions).toEqual([
      expect.objectContaining({ host: 'redis-3', replica: 'redis-3-replica-1', unreplicated: 0 }),
    ]);
  });

  it('comes back as a replica of the one that took its place', () => {
    const cluster = new TestCluster();
    cluster.until(5000).crash('redis-3');
    cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'));
    cluster.say('redis-3-replica-1', 'SET', 'a', 'new');
    cluster.server('redis-3').restart();
    // Before it has heard of it, it does not serve.
    expect(cluster.say('redis-3', 'GET', 'a')).toBe(DOWN);
    cluster.whenMs(() => cluster.server('redis-3').mode.replica);
    expect(cluster.say('redis-3', 'GET', 'a')).toBe('MOVED 15495 redis-3-replica-1:6379');
    cluster.until(20_000).say('redis-3', 'READONLY');
    expect(cluster.say('redis-3', 'GET', 'a')).toBe('new');
  });

  it('without a replica takes the cluster down, or its slots alone where full coverage is not asked for', () => {
    for (const requireFullCoverage of [true, false]) {
      const cluster = new TestCluster({ replicas: 0, requireFullCoverage });
      cluster.until(5000).crash('redis-3');
      cluster.whenMs(() => standing(cluster, 'redis-1', 'redis-3') === 'failed');
      expect(cluster.say('redis-1', 'GET', 'b')).toBe(requireFullCoverage ? DOWN : null);
      expect(cluster.say('redis-1', 'GET', 'a')).toBe(
        requireFullCoverage ? DOWN : 'MOVED 15495 redis-3:6379',
      );
      expect(cluster.info('redis-1', 'cluster_slots_fail')).toBe('5461');
    }
  });

  it('and is back before anybody replaced it serves again, two seconds after its start', () => {
    const cluster = new TestCluster({ replicas: 0 });
    cluster.until(5000).crash('redis-3');
    cluster.until(5200).server('redis-3').restart();
    const servesMs = cluster.whenMs(() => cluster.say('redis-3', 'GET', 'a') === null);
    expect(servesMs).toBeGreaterThanOrEqual(7200);
    expect(servesMs).toBeLessThanOrEqual(7200 + CRON_MS + 1);
  });
});

describe('an election', () => {
  it('needs a majority of all masters, failed ones included', () => {
    const cluster = new TestCluster();
    cluster.until(5000);
    for (const name of ['redis-2', 'redis-3']) cluster.crash(name);
    cluster.until(15_000);
    expect(isMaster(cluster, 'redis-2-replica-1')).toBe(false);
    expect(isMaster(cluster, 'redis-3-replica-1')).toBe(false);
    // One of them is back: two of three vote.
    cluster.server('redis-2').restart();
    cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'));
  });

  it('goes to the replica that is furthest; the other follows it', () => {
    const cluster = new TestCluster({ replicas: 2, seed: 3 });
    cluster.until(5000);
    // What the first replica does not get any more makes the second one's offset the greater.
    cluster.network.partition('redis-3', 'redis-3-replica-1');
    cluster.say('redis-3', 'SET', 'a', '1');
    cluster.until(5010).crash('redis-3');
    cluster.network.heal('redis-3', 'redis-3-replica-1');
    const electedMs = cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-2'));
    expect(cluster.say('redis-3-replica-2', 'GET', 'a')).toBe('1');
    cluster.until(electedMs + 5);
    expect(cluster.server('redis-3-replica-1').replication.link?.masterName).toBe('redis-3-replica-2');
  });

  it('is not stood for by a replica whose data is older than the validity factor allows', () => {
    const elected = (cutForMs: number): boolean => {
      const cluster = new TestCluster({ replicaValidityFactor: 2 });
      cluster.until(5000);
      for (const [from, to] of [
        ['redis-3', 'redis-3-replica-1'],
        ['redis-3-replica-1', 'redis-3'],
      ] as const)
        cluster.network.partition(from, to);
      cluster.network.reset('redis-3', 'redis-3-replica-1');
      cluster.until(5000 + cutForMs).crash('redis-3');
      cluster.until(5000 + cutForMs + 6000);
      return isMaster(cluster, 'redis-3-replica-1');
    };
    // 10 s + 2 × 1 s, of which the first second is not counted: 13 s, and the failure itself takes one to two.
    expect(elected(8000)).toBe(true);
    expect(elected(14_000)).toBe(false);
  });

  it('gives each master one vote an epoch, and replicas of one master one vote in two time-outs', () => {
    const cluster = new TestCluster({ replicas: 2 });
    cluster.until(5000).crash('redis-3');
    cluster.whenMs(() => standing(cluster, 'redis-1', 'redis-3') === 'failed');
    const voter = cluster.node('redis-1');
    const candidate = member(cluster, 'redis-1', 'redis-3-replica-1');
    const other = member(cluster, 'redis-1', 'redis-3-replica-2');
    const ask = (who: typeof candidate, currentEpoch: number, atMs: number): boolean => {
      voter.view.currentEpoch = Math.max(voter.view.currentEpoch, currentEpoch);
      const header = {
        sender: who.index,
        currentEpoch,
        configEpoch: 3,
        master: 2,
        ranges: [2],
        offset: 0,
        ready: true,
        paused: false,
      };
      return voter.ballot.cast(who, header, false, atMs);
    };
    const { nowMs } = voter;
    expect(ask(candidate, 10, nowMs)).toBe(true);
    expect(ask(other, 10, nowMs)).toBe(false);
    expect(ask(other, 11, nowMs + 2 * TIMEOUT_MS - 1)).toBe(false);
    expect(ask(other, 11, nowMs + 2 * TIMEOUT_MS)).toBe(true);
    expect(ask(candidate, 10, nowMs + 9 * TIMEOUT_MS)).toBe(false);
  });
});

describe('a master in the minority', () => {
  const minority = ['redis-3'];

  it('takes queries until the look at which both others have been silent for the time-out, and none after it', () => {
    const cluster = new TestCluster();
    cluster.until(5000).isolate(...minority);
    const downMs = cluster.whenMs(() => cluster.say('redis-3', 'SET', 'a', '1') === DOWN);
    const view = cluster.node('redis-3').view;
    const silentMs = ['redis-1', 'redis-2'].map((name) => {
      const { pingSentMs, heardMs } = member(cluster, 'redis-3', name);
      return cluster.node('redis-3').nowMs - Math.max(pingSentMs, heardMs);
    });
    expect(Math.min(...silentMs)).toBeGreaterThan(TIMEOUT_MS);
    expect(Math.min(...silentMs)).toBeLessThanOrEqual(TIMEOUT_MS + CRON_MS + 1);
    expect(view.size).toBe(3);
    expect(downMs - 5000).toBeGreaterThan(TIMEOUT_MS - 2);
    expect(downMs - 5000).toBeLessThanOrEqual(1.5 * TIMEOUT_MS + 2 * CRON_MS);
  });

  it('is replaced, and follows when it is back: what it took meanwhile is lost', () => {
    const cluster = new TestCluster();
    cluster.until(5000).isolate(...minority);
    expect(cluster.say('redis-3', 'SET', 'a', 'minority')).toBe('OK');
    cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'));
    expect(cluster.say('redis-3-replica-1', 'GET', 'a')).toBeNull();
    expect(cluster.recorder.events).toContainEqual(
      expect.objectContaining({ kind: 'promote', unreplicated: 1 }),
    );
    expect(cluster.server('redis-3').mode.replica).toBe(false);
    cluster.rejoin(...minority);
    cluster.whenMs(() => cluster.server('redis-3').mode.replica);
    cluster.until(20_000);
    expect(cluster.server('redis-3').record('a')).toBeUndefined();
  });

  it('that nobody replaced serves again, a node time-out after it has the majority', () => {
    const cluster = new TestCluster({ replicas: 0 });
    cluster.until(5000).isolate(...minority);
    cluster.whenMs(() => cluster.say('redis-3', 'GET', 'a') === DOWN);
    cluster.until(8000).rejoin(...minority);
    const reachedMs = cluster.whenMs(
      () =>
        standing(cluster, 'redis-3', 'redis-1') === 'well' ||
        standing(cluster, 'redis-3', 'redis-2') === 'well',
    );
    const servesMs = cluster.whenMs(() => cluster.say('redis-3', 'GET', 'a') === null);
    expect(servesMs - reachedMs).toBeGreaterThanOrEqual(TIMEOUT_MS - CRON_MS);
    expect(servesMs - reachedMs).toBeLessThanOrEqual(TIMEOUT_MS + 2 * CRON_MS);
  });

  it('is left alone when the partition is shorter than the time-out', () => {
    const cluster = new TestCluster();
    cluster.until(5000).isolate(...minority);
    cluster.until(5000 + TIMEOUT_MS - 10).rejoin(...minority);
    cluster.until(20_000);
    expect(cluster.recorder.events.some(({ kind }) => kind === 'promote')).toBe(false);
    expect(cluster.say('redis-3', 'GET', 'a')).toBeNull();
  });
});

describe('CLUSTER FAILOVER', () => {
  it('lets a replica take over without losing what its master was told meanwhile', () => {
    const cluster = new TestCluster();
    cluster.until(5000);
    expect(cluster.say('redis-3-replica-1', 'CLUSTER', 'FAILOVER')).toBe('OK');
    cluster.until(5001.5);
    // Its clients wait, and learn of the new master.
    expect(cluster.say('redis-3', 'SET', 'a', '1')).not.toBe('OK');
    const electedMs = cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'));
    expect(electedMs).toBeLessThan(5000 + 3 * CRON_MS);
    cluster.until(electedMs + 3);
    expect(cluster.server('redis-3').mode.replica).toBe(true);
    expect(cluster.say('redis-1', 'GET', 'a')).toBe('MOVED 15495 redis-3-replica-1:6379');
  });

  it('TAKEOVER asks nobody, FORCE not the master', () => {
    for (const how of ['TAKEOVER', 'FORCE']) {
      const cluster = new TestCluster();
      cluster.until(5000);
      expect(cluster.say('redis-3-replica-1', 'CLUSTER', 'FAILOVER', how)).toBe('OK');
      expect(isMaster(cluster, 'redis-3-replica-1')).toBe(how === 'TAKEOVER');
      cluster.whenMs(() => isMaster(cluster, 'redis-3-replica-1'), 5500);
      cluster.until(6000);
      expect(cluster.server('redis-3').mode.replica).toBe(true);
      expect(cluster.say('redis-2', 'GET', 'a')).toBe('MOVED 15495 redis-3-replica-1:6379');
    }
  });

  it("is a replica's, and needs a master that is there", () => {
    const cluster = new TestCluster();
    expect(cluster.say('redis-3', 'CLUSTER', 'FAILOVER')).toBe(
      'ERR You should send CLUSTER FAILOVER to a replica',
    );
    expect(cluster.say('redis-3-replica-1', 'CLUSTER', 'FAILOVER', 'x')).toBe('ERR syntax error');
    cluster.until(5000).crash('redis-3');
    expect(cluster.say('redis-3-replica-1', 'CLUSTER', 'FAILOVER')).toBe(
      'ERR Master is down or failed, please use CLUSTER FAILOVER FORCE',
    );
  });
});

describe('a cluster', () => {
  it('does the same for the same seed, and not for another one', () => {
    const electedUs = (seed: number): number => {
      const cluster = new TestCluster({ seed });
      cluster.until(5000).crash('redis-3');
      cluster.until(10_000);
      return cluster.recorder.events.find(({ kind }) => kind === 'promote')!.tUs;
    };
    expect(electedUs(1)).toBe(electedUs(1));
    expect(new Set([1, 2, 3, 4, 5].map(electedUs)).size).toBeGreaterThan(1);
  });

  it('takes no notice of a node that paused for less than the time-out', () => {
    const cluster = new TestCluster();
    cluster
      .until(5000)
      .server('redis-3')
      .pause((TIMEOUT_MS - 100) * 1000);
    cluster.until(10_000);
    for (const { name } of cluster.servers) expect(cluster.info(name, 'cluster_state')).toBe('ok');
    expect(cluster.recorder.events.some(({ kind }) => kind === 'promote')).toBe(false);
  });

  it('takes a node that steps its wall clock forward for what it is: one that suspects everybody for a moment', () => {
    const cluster = new TestCluster();
    cluster.until(5000).server('redis-3').stepClock(10_000_000);
    cluster.until(10_000);
    expect(cluster.info('redis-3', 'cluster_state')).toBe('ok');
    expect(cluster.recorder.events.some(({ kind }) => kind === 'promote')).toBe(false);
  });
});
