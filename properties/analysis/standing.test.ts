import { describe, expect, it } from 'vitest';
import { history, replica } from '../testing/history.js';
import { outcome } from '../testing/verdicts.js';

const NEW = replica(1);

describe('a key that a promotion took and the next one brought back', () => {
  /** p1 extends at 300 for `ttlMs`, on the old master, which is deposed again at 425; p2 gets the lock of the new one at `at`. */
  const overlap = (ttlMs: number, at: number) =>
    history({ replicas: 1 })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 488, ttlMs: 500 })
      .promote(1, 150, 1, NEW)
      .forgotten(NEW, 150)
      .promote(1, 200, 0, 'redis-1')
      .restored('p1/1/1', 1, 200, 302)
      .expireIn('p1/1/1', 1, 300, ttlMs)
      .extended('p1/1/1', 302, 1280)
      .promote(1, 425, 1, NEW)
      .forgotten(NEW, 425)
      .held('p2/1/1', { ask: 10, votes: at, grant: at + 2, until: at + 985, servers: [] })
      .set('p2/1/1', NEW, at);

  it('lives on without the servers’ faults, for as long as it was extended there', () => {
    expect(outcome('mutual-exclusion', overlap(1000, 600))).toBe('violated/infrastructure');
    expect(outcome('mutual-exclusion', overlap(250, 600))).toBe('violated/library');
  });

  it('ends by its own deadline where it was not extended, and by its removal', () => {
    const kept = (removed: boolean) => {
      const built = history({ replicas: 1 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
        .promote(1, 150, 1, NEW)
        .forgotten(NEW, 150)
        .promote(1, 200, 0, 'redis-1')
        .restored('p1/1/1', 1, 200, 802);
      if (removed) built.remove('p1/1/1', 1, 300);
      else built.promote(1, 425, 1, NEW).forgotten(NEW, 425);
      const node = removed ? 1 : NEW;
      return built.ask('p2/1/1', 10).set('p2/1/1', node, 600).grant('p2/1/1', 602, { until: 1585 });
    };
    expect(outcome('mutual-exclusion', kept(false))).toBe('violated/infrastructure');
    expect(outcome('mutual-exclusion', kept(true))).toBe('violated/library');
  });
});
