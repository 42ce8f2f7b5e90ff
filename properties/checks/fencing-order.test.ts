import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const judged = (builder: HistoryBuilder) => outcome('fencing-order', builder);

/** Two holds one after the other, with a counter beside the lock. */
const fenced = (first: number | undefined, second: number | undefined) =>
  history()
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 10, gone: 12, fence: first })
    .set('p1/1/1', 1, 2, { key: 'fence', ttlMs: null })
    .held('p2/1/1', { ask: 1, votes: 113, grant: 115, until: 1100, fence: second })
    .change('p2/1/1', 1, 113, { key: 'fence' });

describe('fencing-order', () => {
  it('holds for rising tokens', () => {
    expect(verdictOf('fencing-order', fenced(1, 2))).toEqual({ verdict: 'holds', evaluated: 1 });
  });

  it('is violated by equal and by falling tokens, blame library', () => {
    expect(judged(fenced(1, 1))).toBe('violated/library');
    expect(judged(fenced(2, 1))).toBe('violated/library');
  });

  it('goes by the order of holds, not of returns', () => {
    // p1's SET comes first, its token late: it gets the higher one.
    const separate = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .held('p2/1/1', { ask: 1, votes: 1003, grant: 1005, until: 1990, fence: 1 })
      .expired(1, 1002)
      .grant('p1/1/1', 1007, { until: 2000, fence: 2 });
    expect(verdictOf('fencing-order', separate)).toMatchObject({
      verdict: 'violated',
      blame: 'library',
      holds: ['p1/1/1', 'p2/1/1'],
    });
  });

  it('compares with the highest before, not only with the last', () => {
    const three = fenced(5, 6)
      .release('p2/1/1', 120)
      .remove('p2/1/1', 1, 121)
      .held('p3/1/1', { ask: 1, votes: 130, grant: 132, until: 1100, fence: 6 });
    expect(verdictOf('fencing-order', three)).toMatchObject({
      verdict: 'violated',
      holds: ['p2/1/1', 'p3/1/1'],
    });
  });

  it('blames the infrastructure that forgot the counter in between', () => {
    const forgotten = fenced(1, 1).crash('redis-1', 50).restart('redis-1', 60).forgotten(1, 60, 'fence');
    expect(judged(forgotten)).toBe('violated/infrastructure');
    const before = fenced(1, 1).forgotten(1, 1, 'fence');
    expect(judged(before)).toBe('violated/library');
  });

  it('is unknown where the lock gives no token, or only one', () => {
    expect(verdictOf('fencing-order', fenced(undefined, undefined))).toEqual({
      verdict: 'unknown',
      reason: 'the lock gives no token',
    });
    expect(judged(fenced(1, undefined))).toBe('unknown');
  });
});
