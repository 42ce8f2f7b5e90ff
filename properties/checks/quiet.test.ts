import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

describe('quiet', () => {
  const judged = (builder: HistoryBuilder) => outcome('quiet', builder);

  it('holds without trouble, is unknown without calls', () => {
    expect(judged(history().ask('p1/1/1', 0))).toBe('holds');
    expect(judged(history())).toBe('unknown');
  });

  it.each(['unhandled-rejection', 'uncaught', 'masked-error', 'hot-loop'])('is violated by %s', (what) => {
    expect(judged(history().ask('p1/1/1', 0).trouble('p1', 10, what))).toBe('violated/library');
  });

  it('says what was hidden, and by what', () => {
    const reasonOf = (builder: HistoryBuilder) => verdictOf('quiet', builder);
    const by = { name: 'ExecutionError', message: 'no quorum' };
    expect(reasonOf(history().ask('p1/1/1', 0).trouble('p1', 10, 'masked-error', by))).toMatchObject({
      reason: 'masked-error in p1 at 10 ms: Error: no; its caller heard ExecutionError: no quorum',
    });
    expect(reasonOf(history().ask('p1/1/1', 0).trouble('p1', 10, 'masked-error'))).toMatchObject({
      reason: 'masked-error in p1 at 10 ms: Error: no; its caller heard nothing',
    });
  });

  it('blames the infrastructure where no majority is reachable', () => {
    const cut = history()
      .ask('p1/1/1', 0)
      .link('p1', 'redis-1', 1, 'cut')
      .trouble('p1', 10, 'unhandled-rejection');
    expect(judged(cut)).toBe('violated/infrastructure');
  });
});
