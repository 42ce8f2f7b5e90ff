import { describe, expect, it } from 'vitest';
import { history, replica, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const judged = (builder: HistoryBuilder) => outcome('no-stale-write', builder);

const handOver = () =>
  history()
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
    .use('p1/1/1', 5, 6, 'write')
    .ask('p2/1/1', 1)
    .expired(1, 1003)
    .set('p2/1/1', 1, 1003)
    .grant('p2/1/1', 1005, { until: 1990 })
    .use('p2/1/1', 1005, 1006, 'read')
    .use('p2/1/1', 1009, 1010, 'write');

describe('no-stale-write', () => {
  it('holds for writes in the order of holds', () => {
    expect(verdictOf('no-stale-write', handOver())).toEqual({ verdict: 'holds', evaluated: 2 });
  });

  it("is violated by an accepted write after a newer hold's", () => {
    const stale = verdictOf('no-stale-write', handOver().use('p1/1/1', 1100, 1101, 'write'));
    expect(stale).toMatchObject({
      verdict: 'violated',
      blame: 'usage',
      atUs: 1_101_000,
      holds: ['p1/1/1', 'p2/1/1'],
    });
  });

  it('allows a stale write before the first of the newer hold, though after its read', () => {
    const before = handOver().use('p1/1/1', 1006.5, 1007, 'write');
    expect(judged(before)).toBe('holds');
    expect(outcome('exclusive-use', before)).toBe('violated/usage');
  });

  it('allows a stale write that the storage refused, and stale reads', () => {
    expect(judged(handOver().use('p1/1/1', 1100, 1101, 'write', { refused: true }))).toBe('holds');
    expect(judged(handOver().use('p1/1/1', 1100, 1101, 'read'))).toBe('holds');
  });

  it('takes the order from the SETs that completed the quorum, not from the returns', () => {
    const late = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .held('p2/1/1', { ask: 1, votes: 1003, grant: 1005, until: 1990 })
      .expired(1, 1002)
      .use('p2/1/1', 1005, 1006, 'write')
      .grant('p1/1/1', 1050, { until: 988 })
      .use('p1/1/1', 1050, 1051, 'write');
    expect(judged(late)).toBe('violated/library');
    expect(verdictOf('no-stale-write', late)).toMatchObject({ holds: ['p1/1/1', 'p2/1/1'] });
  });

  it('is not misled by a key that a promotion brings back after its release: that is no vote', () => {
    const NEW = replica(1);
    const back = (restored: boolean) => {
      const built = history({ replicas: 2 })
        .promote(1, 1, 0, NEW)
        .held('p1/1/1', { ask: 2, votes: 4, grant: 6, until: 988, release: 20, gone: 22 })
        .use('p1/1/1', 7, 8, 'write')
        .held('p2/1/1', { ask: 3, votes: 30, grant: 32, until: 1015 })
        .use('p2/1/1', 33, 34, 'write')
        .promote(1, 50, 1, replica(2));
      return restored ? built.restored('p1/1/1', replica(2), 50, 900) : built;
    };
    expect(judged(back(false))).toBe('holds');
    expect(judged(back(true))).toBe('holds');
  });

  it('takes the last quorum before the return: a retry may have completed one before', () => {
    const retried = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .remove('p1/1/1', 1, 20, { op: 'acquire' })
      .held('p2/1/1', { ask: 1, votes: 30, grant: 32, until: 900, release: 40, gone: 42 })
      .use('p2/1/1', 33, 34, 'write')
      .set('p1/1/1', 1, 50)
      .grant('p1/1/1', 52, { until: 1000 })
      .use('p1/1/1', 53, 54, 'write');
    expect(judged(retried)).toBe('holds');
  });

  it('counts a vote given again after the server lost the first', () => {
    const lost = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .crash('redis-1', 5)
      .restart('redis-1', 10)
      .forgotten(1, 10)
      .held('p2/1/1', { ask: 1, votes: 30, grant: 32, until: 900, release: 40, gone: 42 })
      .use('p2/1/1', 33, 34, 'write')
      .set('p1/1/1', 1, 50)
      .grant('p1/1/1', 52, { until: 1000 })
      .use('p1/1/1', 53, 54, 'write');
    expect(judged(lost)).toBe('holds');
  });

  it("blames a server that forgot a key, even if by then it is down and in nobody's way", () => {
    const forgot = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .ask('p2/1/1', 1)
      .crash('redis-1', 5)
      .restart('redis-1', 10)
      .forgotten(1, 10)
      .set('p2/1/1', 1, 30)
      .grant('p2/1/1', 32, { until: 900 })
      .use('p2/1/1', 33, 34, 'write')
      .use('p1/1/1', 50, 51, 'write');
    expect(judged(forgot)).toBe('violated/infrastructure');
    expect(judged(forgot.crash('redis-1', 40))).toBe('violated/infrastructure');
  });

  it('blames by the first use that came too late, even if that is a read', () => {
    const paused = handOver()
      .pause('p1', 100, 1100, true)
      .use('p1/1/1', 1100, 1101, 'read')
      .use('p1/1/1', 1102, 1103, 'write');
    expect(judged(paused)).toBe('violated/lease');
  });

  it('is unknown without writes', () => {
    const reads = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 10, gone: 12 })
      .use('p1/1/1', 5, 6, 'read')
      .held('p2/1/1', { ask: 1, votes: 13, grant: 14, until: 988 })
      .use('p2/1/1', 15, 16, 'read');
    expect(judged(reads)).toBe('unknown');
  });
});
