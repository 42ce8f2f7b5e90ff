/** Servers of several nodes: promotions, and masters that do not know that they were deposed. */
import { describe, expect, it } from 'vitest';
import { judge } from '../judge.js';
import { history, replica, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const NEW = replica(1);
const exclusion = (builder: HistoryBuilder) => outcome('mutual-exclusion', builder);

/** p1 holds with a claim until 988. */
const held = (setting: Parameters<typeof history>[0] = {}) =>
  history({ replicas: 2, ...setting }).held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 });

/** p2 gets the lock of a node at `at`. */
const taken = (built: HistoryBuilder, at: number, node: string | number = NEW, hold = 'p2/1/1') =>
  built
    .ask(hold, 1)
    .set(hold, node, at)
    .grant(hold, at + 2, { until: at + 985 });

const promoted = (built: HistoryBuilder, unreplicated = 0) =>
  built.crash('redis-1', 100).promote(1, 200, unreplicated, NEW);

describe('a replica that became the master', () => {
  it('without the key: the infrastructure lost it', () => {
    const lost = taken(promoted(held(), 1).forgotten(NEW, 200), 300);
    const { verdicts, coverage } = judge(lost.build());
    expect(verdicts['mutual-exclusion']).toMatchObject({
      verdict: 'violated',
      blame: 'infrastructure',
      reason: expect.stringContaining("redis-1 lost p1/1/1's key at 200 ms"),
    });
    expect(coverage.unreplicatedFailovers).toBe(1);
    expect(verdicts['quorum-backed'].verdict).toBe('holds');
    expect(verdicts['no-orphan'].verdict).toBe('holds');
  });

  it('with the key: it lives on, and whoever is let in beside it was let in by the library', () => {
    const kept = promoted(held());
    expect(exclusion(taken(promoted(held()).expired(NEW, 1003), 1003))).toBe('holds');
    expect(exclusion(taken(kept, 300))).toBe('violated/library');
    expect(outcome('own-key-only', taken(promoted(held()), 300))).toBe('violated/library');
  });

  it('with an older key in its place: the newer one is lost', () => {
    const older = () =>
      history({ replicas: 1 })
        .held('p3/1/1', { ask: 0, votes: 1, grant: 2, until: 988, release: 3, gone: 4 })
        .held('p1/1/1', { ask: 5, votes: 6, grant: 8, until: 990 })
        .promote(1, 100, 2, NEW)
        .restored('p3/1/1', NEW, 100, 900)
        .remove('p3/1/1', NEW, 150);
    expect(exclusion(taken(older(), 200))).toBe('violated/infrastructure');
    expect(verdictOf('mutual-exclusion', taken(older(), 200))).toMatchObject({
      reason: expect.stringContaining("redis-1 lost p1/1/1's key at 100 ms"),
    });
  });

  it('ends the time in which the server was down', () => {
    const late = (built: HistoryBuilder) =>
      built
        .ask('p2/1/1', 210)
        .set('p2/1/1', NEW, 250)
        .fail('p2/1/1', 252)
        .remove('p2/1/1', NEW, 450)
        .end(500);
    const bounds = { scenario: { bounds: { orphanMs: 100 } } };
    expect(outcome('no-orphan', late(promoted(held(bounds), 1).forgotten(NEW, 200)))).toBe(
      'violated/library',
    );
  });

  it('may bring back a key that had been removed: no fault of whoever removed it', () => {
    const back = history({ replicas: 1, scenario: { bounds: { orphanMs: 20 } } })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .remove('p1/1/1', 1, 4, { op: 'acquire' })
      .fail('p1/1/1', 6)
      .promote(1, 100, 1, NEW)
      .restored('p1/1/1', NEW, 100, 900)
      .apply('p1/1/1', NEW, 110)
      .expired(NEW, 1001);
    expect(verdictOf('no-orphan', back)).toMatchObject({
      blame: 'infrastructure',
      reason: expect.stringContaining('redis-1 brought it back at 100 ms'),
    });
  });

  it('is out of reach for a clean-up while its clients have not found it', () => {
    const bounds = { scenario: { bounds: { orphanMs: 20 } } };
    const broken = (found: boolean) => {
      const built = history({ replicas: 1, ...bounds })
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 2)
        .promote(1, 5, 0, NEW)
        .expired(NEW, 1003);
      return found ? built.apply('p1/1/1', NEW, 10) : built;
    };
    expect(outcome('no-orphan', broken(false))).toBe('violated/infrastructure');
    expect(outcome('no-orphan', broken(true))).toBe('violated/library');
  });

  it('expires the key by its own clock: a fast one is a step of the server’s', () => {
    const fast = (offsetMs: number, claimMs = 988) =>
      history({ replicas: 1, clocks: { [NEW]: { offsetMs } } })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: claimMs })
        .promote(1, 200, 0, NEW);
    expect(exclusion(taken(fast(900).expired(NEW, 200.001), 300))).toBe('violated/infrastructure');
    // A hundred milliseconds early, and the claim outlasts even the key as it should have lived.
    expect(exclusion(taken(fast(100, 1500).expired(NEW, 903), 1200))).toBe('violated/library');
    expect(exclusion(taken(fast(100).expired(NEW, 903), 989))).toBe('holds');
  });

  it('goes on by its own clock: a step after the promotion is the server’s, one of the deposed master is not', () => {
    const stepped = (host: string) => {
      const deleted = promoted(held()).ask('p3/1/1', 10).remove('p3/1/1', NEW, 300).step(host, 350, 900);
      return verdictOf('mutual-exclusion', taken(deleted, 400));
    };
    const culprit = "p3/1/1's command deleted its key";
    expect(stepped('redis-1')).toMatchObject({ blame: 'library', reason: expect.stringContaining(culprit) });
    // The key would have been gone by then anyhow.
    expect(stepped(NEW)).toMatchObject({ reason: expect.not.stringContaining(culprit) });
  });

  it('may be followed by another, and each loses what it had not heard of', () => {
    const chained = promoted(held())
      .crash(NEW, 300)
      .promote(1, 400, 1, replica(2))
      .forgotten(replica(2), 400);
    expect(exclusion(taken(chained, 500, replica(2)))).toBe('violated/infrastructure');
    const kept = promoted(held()).crash(NEW, 300).promote(1, 400, 0, replica(2));
    expect(exclusion(taken(kept.expired(replica(2), 1003), 1003, replica(2)))).toBe('holds');
  });

  it('may make way for the old master again, whose own keys and clock then count', () => {
    const back = () =>
      promoted(held(), 1).forgotten(NEW, 200).restart('redis-1', 250, 'kept').promote(1, 300, 0, 'redis-1');
    const returned = () => back().restored('p1/1/1', 1, 300, 703);
    expect(exclusion(taken(returned().expired(1, 1004), 1004, 1))).toBe('holds');
    expect(exclusion(taken(back(), 400, 1))).toBe('violated/infrastructure');
    expect(exclusion(taken(returned().step('redis-1', 350, 800).expired(1, 350), 400, 1))).toBe(
      'violated/infrastructure',
    );
  });

  it('is reached over its own links, and not over those of the old master', () => {
    const asking = (to: string) =>
      promoted(history({ replicas: 1, scenario: { bounds: { progressMs: 100 } } }))
        .link('p1', to, 210, 'cut')
        .tail(220)
        .ask('p1/1/1', 230)
        .end(2000);
    expect(outcome('progress', asking(NEW))).toBe('violated/infrastructure');
    expect(outcome('progress', asking('redis-1'))).toBe('violated/library');
  });
});

describe('a deposed master that is still alive', () => {
  /** Cut off with p1, which got its key replicated; from 200 on the other side has a master of its own. */
  const split = (unreplicated = 0) => held().promote(1, 200, unreplicated, NEW);

  it('acknowledges a key that is lost: blame infrastructure, whoever comes first', () => {
    const alone = () => history({ replicas: 1 }).promote(1, 1, 0, NEW);
    const cutOff = (built: HistoryBuilder, at: number) =>
      built
        .ask('p1/1/1', 1)
        .set('p1/1/1', 1, at)
        .grant('p1/1/1', at + 2, { until: 988 });
    for (const [mine, others] of [
      [10, 20],
      [20, 10],
    ] as const) {
      const both = taken(cutOff(alone(), mine), others);
      expect(verdictOf('mutual-exclusion', both)).toMatchObject({
        verdict: 'violated',
        blame: 'infrastructure',
        holds: ['p1/1/1', 'p2/1/1'],
      });
      expect(outcome('quorum-backed', both)).toBe('violated/infrastructure');
      expect(outcome('honest-validity', both)).toBe('violated/infrastructure');
      expect(outcome('own-key-only', both)).toBe('holds');
      expect(outcome('no-orphan', both)).toBe('holds');
    }
  });

  it('gives no vote: two of three do not make up for it', () => {
    const voted = history({ servers: 3, replicas: 1 })
      .promote(1, 1, 0, NEW)
      .held('p1/1/1', { ask: 1, votes: 2, grant: 4, until: 988, servers: [1, 2] });
    expect(outcome('quorum-backed', voted)).toBe('violated/infrastructure');
    const enough = history({ servers: 3, replicas: 1 })
      .promote(1, 1, 0, NEW)
      .held('p1/1/1', { ask: 1, votes: 2, grant: 4, until: 988, servers: [1, 2, 3] });
    expect(outcome('quorum-backed', enough)).toBe('holds');
  });

  it('cannot excuse a hold that never had enough votes anyhow', () => {
    const few = history({ servers: 5, replicas: 1 })
      .promote(1, 1, 0, NEW)
      .held('p1/1/1', { ask: 1, votes: 2, grant: 4, until: 988, servers: [1, 2] });
    expect(outcome('quorum-backed', few)).toBe('violated/library');
  });

  it('extends a key that ends elsewhere: the extension was acknowledged', () => {
    const extended = (ttlMs: number) =>
      taken(split().expireIn('p1/1/1', 1, 500, ttlMs).extended('p1/1/1', 502, 1480).expired(NEW, 1003), 1003);
    expect(exclusion(extended(1000))).toBe('violated/infrastructure');
    // Too short to carry the claim even where it was made.
    expect(exclusion(extended(100))).toBe('violated/library');
  });

  it('makes no grant dishonest by what is done on it after the return', () => {
    const released = history({ replicas: 1 })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .promote(1, 3, 1, NEW)
      .forgotten(NEW, 3)
      .grant('p1/1/1', 4, { until: 988 })
      .release('p1/1/1', 100)
      .remove('p1/1/1', 1, 102);
    expect(outcome('honest-validity', released)).toBe('violated/infrastructure');
  });

  it('shows who deletes a stranger’s key, and a release there frees nothing else', () => {
    const deleted = split().ask('p2/1/1', 300).remove('p2/1/1', 1, 310);
    expect(verdictOf('own-key-only', deleted)).toMatchObject({
      verdict: 'violated',
      blame: 'library',
      holds: ['p1/1/1', 'p2/1/1'],
    });
    expect(outcome('own-key-only', split().release('p1/1/1', 300).remove('p1/1/1', 1, 310))).toBe('holds');
    // With one server only, p1's release would have freed the lock for p2: nothing was lost by that.
    const bounds = { replicas: 1, scenario: { bounds: { orphanMs: 50 } } };
    const released = held(bounds)
      .promote(1, 200, 0, NEW)
      .release('p1/1/1', 300)
      .remove('p1/1/1', 1, 310)
      .expired(NEW, 1003);
    expect(outcome('no-orphan', released)).toBe('violated/infrastructure');
  });

  it('may give and take a key in one instant', () => {
    const brief = history({ replicas: 1 })
      .promote(1, 1, 0, NEW)
      .ask('p1/1/1', 2)
      .set('p1/1/1', 1, 2)
      .grant('p1/1/1', 2, { until: 988 })
      .release('p1/1/1', 2)
      .remove('p1/1/1', 1, 2);
    expect(outcome('quorum-backed', brief)).toBe('violated/infrastructure');
  });

  it('gives a token twice', () => {
    const tokens = history({ replicas: 1 })
      .promote(1, 1, 0, NEW)
      .held('p1/1/1', { ask: 1, votes: 10, grant: 12, until: 988, fence: 7 })
      .ask('p2/1/1', 1)
      .set('p2/1/1', NEW, 20)
      .grant('p2/1/1', 22, { until: 1005, fence: 7 });
    expect(outcome('fencing-order', tokens)).toBe('violated/infrastructure');
  });

  it('does not excuse a promotion that forgot nothing', () => {
    const tokens = (unreplicated: number) =>
      history({ replicas: 1 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 20, gone: 22, fence: 7 })
        .promote(1, 50, unreplicated, NEW)
        .ask('p2/1/1', 60)
        .set('p2/1/1', NEW, 70)
        .grant('p2/1/1', 72, { until: 1055, fence: 7 });
    expect(outcome('fencing-order', tokens(1))).toBe('violated/infrastructure');
    expect(outcome('fencing-order', tokens(0))).toBe('violated/library');
  });
});

describe('a server short of memory', () => {
  it('that evicts the key has lost an acknowledged write', () => {
    const evicted = taken(
      history().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 }).evicted(1, 50),
      100,
      1,
    );
    expect(verdictOf('mutual-exclusion', evicted)).toMatchObject({
      blame: 'infrastructure',
      reason: expect.stringContaining('evicted'),
    });
  });

  it('before the last vote came: the vote was given', () => {
    const early = history({ servers: 3 })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .evicted(1, 3)
      .set('p1/1/1', 2, 4)
      .grant('p1/1/1', 6, { until: 985 });
    expect(outcome('quorum-backed', early)).toBe('violated/infrastructure');
  });
});

describe('a Redis Cluster', () => {
  const cluster = { servers: 3, replicas: 1, scenario: { servers: { count: 3, cluster: {} } } };
  const second = replica(1, 2);

  it('is one server to the lock: the shard of the key gives the only vote', () => {
    const granted = history(cluster).held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, servers: [2] });
    expect(outcome('quorum-backed', granted)).toBe('holds');
    expect(outcome('honest-validity', granted)).toBe('holds');
  });

  it('fails over shard by shard: only that of the key concerns the hold', () => {
    const failover = (number: number, node: string, lost: boolean) => {
      const built = history(cluster)
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, servers: [2] })
        .crash(`redis-${number}`, 100)
        .promote(number, 200, lost ? 1 : 0, node);
      return lost ? built.forgotten(node, 200) : built;
    };
    expect(exclusion(taken(failover(2, second, true), 300, second))).toBe('violated/infrastructure');
    expect(exclusion(taken(failover(1, replica(1, 1), false), 300, 2))).toBe('violated/library');
    expect(exclusion(taken(failover(2, second, false).expired(second, 1003), 1003, second))).toBe('holds');
  });
});
