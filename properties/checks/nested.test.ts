/** Holds of one task, one inside the other: of several resources, or of one that its holder enters again. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { judge } from '../judge.js';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const nesting = { resources: ['a', 'b'], nested: true };

/** p1 holds the resource and asks for it again. */
const outer = (more: Partial<ScenarioInput> = {}) =>
  history({ scenario: { workload: nesting, ...more } }).held('p1/1/1', {
    ask: 0,
    votes: 2,
    grant: 4,
    until: 988,
  });
const again = (built: HistoryBuilder, at: number, until = 988) =>
  built.ask('p1/1/2', at).grant('p1/1/2', at, { until });
const other = (built: HistoryBuilder, at: number) =>
  built
    .ask('p2/1/1', 10)
    .set('p2/1/1', 1, at)
    .grant('p2/1/1', at + 2, { until: at + 986 });

describe('a holder that enters again', () => {
  it('is one holder, backed by the key it has', () => {
    const twice = again(outer(), 100)
      .use('p1/1/1', 50, 55)
      .use('p1/1/2', 150, 155)
      .use('p1/1/1', 200, 205)
      .release('p1/1/2', 250)
      .release('p1/1/1', 300)
      .remove('p1/1/1', 1, 302);
    const { verdicts } = judge(other(twice, 310).use('p2/1/1', 320, 325).build());
    const ids = [
      'mutual-exclusion',
      'exclusive-use',
      'no-stale-write',
      'quorum-backed',
      'honest-validity',
    ] as const;
    for (const id of [...ids, 'own-key-only', 'no-orphan'] as const)
      expect([id, verdicts[id].verdict]).toEqual([id, 'holds']);
  });

  it('does not contend with itself', () => {
    expect(verdictOf('mutual-exclusion', again(outer(), 100))).toEqual({
      verdict: 'unknown',
      reason: 'no two attempts contended',
    });
  });

  it('may not be let in when its key has gone to another: blame library', () => {
    const late = () => other(again(outer().expired(1, 1003), 1100), 1003);
    expect(outcome('quorum-backed', late())).toBe('violated/library');
    expect(verdictOf('mutual-exclusion', late())).toMatchObject({
      verdict: 'violated',
      blame: 'library',
      holds: ['p1/1/2', 'p2/1/1'],
    });
    expect(outcome('mutual-exclusion', other(again(outer().expired(1, 1003), 900), 1003))).toBe('holds');
  });

  it('waits for itself for ever: usage', () => {
    const bounds = { bounds: { progressMs: 100 } };
    expect(outcome('progress', outer(bounds).tail(0).ask('p1/1/2', 50).end(900))).toBe('violated/usage');
  });

  it('is let in by the key of another attempt only while that one is held', () => {
    const after = history({ scenario: { workload: nesting } })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 50, gone: 52 })
      .ask('p1/1/2', 60)
      .grant('p1/1/2', 60, { until: 988 });
    expect(outcome('quorum-backed', after)).toBe('violated/library');
  });

  it('is two holders of a semaphore', () => {
    const scenario = { lock: { ttlMs: 1000, permits: 2 }, workload: nesting };
    const slots = history({ scenario })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 1, { key: 'slot:1' })
      .grant('p1/1/1', 2, { until: 988 })
      .ask('p1/1/2', 5)
      .grant('p1/1/2', 7, { until: 988 });
    expect(outcome('quorum-backed', slots)).toBe('violated/library');
  });
});

describe('a task that holds one thing and asks for another', () => {
  const nested = () =>
    history({ scenario: { workload: nesting } })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .ask('p1/1/2', 50, { resource: 'b' });

  it('renews what it holds meanwhile, though the command counts for the asking', () => {
    const renewed = nested().expireIn('p1/1/2', 1, 400, 1000, 'acquire');
    expect(outcome('own-key-only', renewed)).toBe('holds');
    // Another task's command is another matter.
    const foreign = outer().ask('p1/2/1', 50).expireIn('p1/2/1', 1, 400, 1000, 'acquire');
    expect(outcome('own-key-only', foreign)).toBe('violated/library');
  });

  it('that goes round in a circle waits for holders that do not let go: usage', () => {
    const bounds = {
      servers: 1,
      scenario: { bounds: { progressMs: 100 }, workload: nesting },
    };
    const circle = history(bounds)
      .tail(0)
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, resource: 'a' })
      .held('p2/1/1', { ask: 0, votes: 2, grant: 4, until: 988, resource: 'b' })
      .ask('p1/1/2', 50, { resource: 'b' })
      .ask('p2/1/2', 50, { resource: 'a' })
      .end(900);
    expect(verdictOf('progress', circle)).toMatchObject({
      verdict: 'violated',
      blame: 'usage',
      reason: expect.stringContaining('blocked until ttl'),
    });
  });
});
