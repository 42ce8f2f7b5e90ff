import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { judge } from '../judge.js';
import { history, replica, type HistoryBuilder } from '../testing/history.js';
import type { Node } from '../testing/setting.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const permits = (builder: HistoryBuilder) => outcome('permits', builder);
const KEY = { key: 'semaphore:a' };
const setting = (count: number, more: Partial<ScenarioInput> = {}) => ({
  replicas: 1,
  scenario: { lock: { ttlMs: 1000, permits: count }, ...more },
});

/** A semaphore in one key: who comes first makes it, the others change it. */
const semaphore = (count = 2) => history(setting(count));
const takes = (built: HistoryBuilder, hold: string, at: number, until = at + 988, node: Node = 1) =>
  built
    .ask(hold, at)
    .change(hold, node, at + 1, KEY)
    .grant(hold, at + 2, { until });
const begun = (count = 2) => {
  const built = semaphore(count).ask('p1/1/1', 0).set('p1/1/1', 1, 1, KEY).grant('p1/1/1', 2, { until: 988 });
  return built;
};

describe('permits', () => {
  it('holds for as many as there are, and is violated by one more, blame library', () => {
    const two = takes(begun(), 'p2/1/1', 10).ask('p3/1/1', 20);
    expect(verdictOf('permits', two)).toEqual({ verdict: 'holds', evaluated: 2 });
    const three = takes(takes(begun(), 'p2/1/1', 10), 'p3/1/1', 20);
    expect(verdictOf('permits', three)).toMatchObject({
      verdict: 'violated',
      blame: 'library',
      atUs: 22_000,
      holds: ['p1/1/1', 'p2/1/1', 'p3/1/1'],
    });
    expect(permits(takes(takes(begun(3), 'p2/1/1', 10), 'p3/1/1', 20).ask('p4/1/1', 30))).toBe('holds');
  });

  it('counts beliefs of one instant only, and resources by themselves', () => {
    const passed = takes(takes(begun(), 'p2/1/1', 10).release('p1/1/1', 21.999), 'p3/1/1', 20);
    expect(permits(passed)).toBe('holds');
    const other = takes(begun(), 'p2/1/1', 10)
      .held('p3/1/1', { ask: 20, votes: 21, grant: 22, until: 1000, resource: 'b' })
      .ask('p4/1/1', 30);
    expect(permits(other)).toBe('holds');
  });

  it('is unknown where fewer asked than may hold, and of a mutex', () => {
    const asked = takes(begun(), 'p2/1/1', 10);
    expect(verdictOf('permits', asked)).toEqual({
      verdict: 'unknown',
      reason: 'no more than 2 attempts met',
    });
    const mutex = history().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 });
    expect(verdictOf('permits', mutex)).toEqual({
      verdict: 'unknown',
      reason: 'the lock is a plain mutex',
      inapplicable: true,
    });
  });

  it('takes the place of what is asked of a mutex', () => {
    const { verdicts } = judge(takes(takes(begun(), 'p2/1/1', 10), 'p3/1/1', 20).build());
    for (const id of ['mutual-exclusion', 'exclusive-use', 'no-stale-write', 'fencing-order'] as const)
      expect(verdicts[id]).toEqual({
        verdict: 'unknown',
        reason: 'the lock has 2 permits',
        inapplicable: true,
      });
  });

  it('does not ask whose a key is that all share', () => {
    const { verdicts } = judge(takes(begun(), 'p2/1/1', 10).remove('p2/1/1', 1, 20, KEY).build());
    for (const id of [
      'own-key-only',
      'quorum-backed',
      'honest-validity',
      'loss-signalled',
      'no-orphan',
    ] as const)
      expect(verdicts[id]).toEqual({ verdict: 'unknown', reason: 'all holds share the key semaphore:a' });
  });

  it('asks it of keys of their own', () => {
    const slots = semaphore()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 1, { key: 'slot:1' })
      .change('p1/1/1', 1, 1, { key: 'fence' })
      .grant('p1/1/1', 2, { until: 988 })
      .ask('p2/1/1', 0)
      .set('p2/1/1', 1, 1, { key: 'slot:2' })
      .grant('p2/1/1', 2, { until: 988 });
    expect(outcome('quorum-backed', slots)).toBe('holds');
    expect(outcome('own-key-only', slots.remove('p2/1/1', 1, 20, { key: 'slot:1' }))).toBe(
      'violated/library',
    );
  });

  describe('blames', () => {
    const full = () => takes(begun(), 'p2/1/1', 10);
    const third = (built: HistoryBuilder, at = 500) => takes(built, 'p3/1/1', at);

    it('the infrastructure for a key that was lost or evicted', () => {
      expect(permits(third(full().forgotten(1, 100, KEY.key)))).toBe('violated/infrastructure');
      expect(permits(third(full().evicted(1, 100, KEY.key)))).toBe('violated/infrastructure');
      // Gone again before the permits were given: nothing of theirs was lost.
      const before = semaphore().ask('p4/1/1', 0).set('p4/1/1', 1, 0.1, KEY).forgotten(1, 0.2, KEY.key);
      const after = before.ask('p1/1/1', 0).set('p1/1/1', 1, 1, KEY).grant('p1/1/1', 2, { until: 988 });
      expect(permits(third(takes(after, 'p2/1/1', 10)))).toBe('violated/library');
    });

    it('the infrastructure for a step of the server’s clock, within the TTL of a permit', () => {
      expect(permits(third(full().step('redis-1', 100, 900)))).toBe('violated/infrastructure');
      expect(permits(third(full().step('p2', 100, 900)))).toBe('violated/library');
      // By the TTL both were over anyhow: that they still believe is the lock's doing.
      const late = takes(
        semaphore().ask('p1/1/1', 0).set('p1/1/1', 1, 1, KEY).grant('p1/1/1', 2, { until: 5000 }),
        'p2/1/1',
        10,
        5000,
      );
      expect(permits(third(late.step('redis-1', 100, 900), 1500))).toBe('violated/library');
    });

    it('the infrastructure for a server that is too fast', () => {
      const fast = (driftPpm: number) => {
        const built = history({ ...setting(2), clocks: { 'redis-1': { driftPpm } } });
        const first = built.ask('p1/1/1', 0).set('p1/1/1', 1, 1, KEY).grant('p1/1/1', 2, { until: 988 });
        return third(takes(first, 'p2/1/1', 10), 950);
      };
      expect(permits(fast(100_000))).toBe('violated/infrastructure');
      expect(permits(fast(0))).toBe('violated/library');
    });

    it('the infrastructure for holders whose clocks slowed down since', () => {
      const slowed = (driftPpm: number, until: number) => {
        const first = semaphore().ask('p1/1/1', 0).set('p1/1/1', 1, 1, KEY).grant('p1/1/1', 2, { until });
        const both = takes(first, 'p2/1/1', 10, until).drift('p1', 50, driftPpm).drift('p2', 50, driftPpm);
        return third(both, 1050);
      };
      expect(permits(slowed(-150_000, 988))).toBe('violated/infrastructure');
      expect(permits(slowed(-5000, 1200))).toBe('violated/library');
    });

    it('the infrastructure for a promotion that brings back the key as it was', () => {
      const back = (key: string) =>
        full().promote(1, 100, 0).ask('p4/1/1', 0).restored('p4/1/1', replica(1), 100, 900, key);
      expect(permits(takes(back(KEY.key), 'p3/1/1', 500, 1488, replica(1)))).toBe('violated/infrastructure');
      expect(permits(takes(back('semaphore:b'), 'p3/1/1', 500, 1488, replica(1)))).toBe('violated/library');
    });

    it('the infrastructure for a failover', () => {
      const promoted = (unreplicated: number) =>
        takes(full().promote(1, 100, unreplicated), 'p3/1/1', 500, 1488, replica(1));
      expect(permits(promoted(1))).toBe('violated/infrastructure');
      expect(permits(promoted(0))).toBe('violated/library');
      // Back to the old master, which need not have heard of it.
      const back = takes(begun().promote(1, 5, 0), 'p2/1/1', 10, 998, replica(1)).promote(
        1,
        100,
        0,
        'redis-1',
      );
      expect(permits(third(back))).toBe('violated/infrastructure');
      const deposed = semaphore()
        .promote(1, 0, 0)
        .ask('p1/1/1', 1)
        .set('p1/1/1', 1, 2, KEY)
        .grant('p1/1/1', 3, { until: 988 });
      expect(permits(third(takes(deposed, 'p2/1/1', 10)))).toBe('violated/infrastructure');
    });

    it('the lease for a holder that was paused when its permit ran out', () => {
      const claimless = (pauseUntil: number) =>
        takes(
          semaphore()
            .ask('p1/1/1', 0)
            .set('p1/1/1', 1, 1, KEY)
            .grant('p1/1/1', 2)
            .pause('p1', 100, pauseUntil)
            .ask('p2/1/1', 10)
            .change('p2/1/1', 1, 11, KEY)
            .grant('p2/1/1', 12, { until: 3000 }),
          'p3/1/1',
          1200,
        );
      expect(permits(claimless(1500))).toBe('violated/lease');
      expect(permits(claimless(900))).toBe('violated/library');
    });
  });

  it('lets a waiter wait while all permits are held, and not while one is free', () => {
    const bounds = { bounds: { progressMs: 100 } };
    const waiting = (holders: number) => {
      let built = history(setting(2, bounds)).tail(0);
      for (let number = 1; number <= holders; number++)
        built = built
          .ask(`p${number}/1/1`, 0)
          .change(`p${number}/1/1`, 1, 1, KEY)
          .grant(`p${number}/1/1`, 2, { until: 988 });
      return built.ask('p3/1/1', 5).end(900);
    };
    expect(outcome('progress', waiting(2))).toBe('violated/usage');
    expect(outcome('progress', waiting(1))).toBe('violated/library');
  });
});
