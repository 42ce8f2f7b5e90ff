/** quorum-backed and honest-validity: what is true of a grant at the instant it is returned. */
import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const quorum = (builder: HistoryBuilder) => outcome('quorum-backed', builder);
const honest = (builder: HistoryBuilder) => outcome('honest-validity', builder);
const grant = { ask: 0, votes: 2, grant: 4, until: 988 };

describe('quorum-backed', () => {
  const voted = (servers: number[]) => history({ servers: 5 }).held('p1/1/1', { ...grant, servers });

  it('holds with a majority of keys, is violated with less, blame library', () => {
    expect(verdictOf('quorum-backed', voted([1, 2, 3]))).toEqual({ verdict: 'holds', evaluated: 1 });
    expect(quorum(voted([1, 2]))).toBe('violated/library');
  });

  it('does not count a server that is down: it gives its vote to nobody else', () => {
    expect(quorum(voted([1, 2]).crash('redis-3', 1))).toBe('holds');
    expect(quorum(voted([1, 2]).crash('redis-3', 1).restart('redis-3', 3))).toBe('violated/library');
  });

  it('counts servers, not keys', () => {
    const twice = history({ servers: 3 })
      .set('p1/1/1', 1, 2, { key: 'lock:a:second' })
      .held('p1/1/1', { ...grant, servers: [1] });
    expect(quorum(twice)).toBe('violated/library');
  });

  it('is violated by a return after the keys are gone', () => {
    const late = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .expired(1, 1003)
      .grant('p1/1/1', 1200, { until: 988 });
    expect(quorum(late)).toBe('violated/library');
  });

  it('blames the infrastructure that lost the key before the return', () => {
    const lost = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .crash('redis-1', 3)
      .restart('redis-1', 4)
      .forgotten(1, 4)
      .grant('p1/1/1', 5, { until: 988 });
    expect(quorum(lost)).toBe('violated/infrastructure');
    expect(honest(lost)).toBe('violated/infrastructure');
  });

  it('blames the library whose command took the key of another', () => {
    const taken = history()
      .ask('p1/1/1', 0)
      .ask('p2/1/1', 0)
      .set('p1/1/1', 1, 2)
      .remove('p2/1/1', 1, 3)
      .grant('p1/1/1', 4, { until: 988 });
    expect(quorum(taken)).toBe('violated/library');
  });

  it('blames the lease for a pause inside the step of the return', () => {
    const paused = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2)
      .reply('p1/1/1', 1, 4, { step: 5 })
      .pause('p1', 4, 1200, true)
      .expired(1, 1003)
      .grant('p1/1/1', 1200, { until: 988, step: 5 });
    expect(quorum(paused)).toBe('violated/lease');
    expect(honest(paused)).toBe('violated/lease');
  });

  it('is unknown without a grant', () => {
    expect(quorum(history().ask('p1/1/1', 0))).toBe('unknown');
  });
});

describe('honest-validity', () => {
  const until = (end: number) => history().held('p1/1/1', { ...grant, until: end });

  it('holds up to the very end of the key, by whole milliseconds, and not beyond', () => {
    // Set at 2 ms with a TTL of 1000 ms: gone once the server's clock shows 1003.
    expect(honest(until(988))).toBe('holds');
    expect(honest(until(1003))).toBe('holds');
    expect(honest(until(1003.001))).toBe('violated/library');
  });

  it('is violated by a claim that is past at the return, not by one that ends there', () => {
    expect(honest(until(4))).toBe('holds');
    expect(honest(until(3.999))).toBe('violated/library');
  });

  it('reads the claim on the clock the lock names', () => {
    const offset = (end: number) =>
      history({ clocks: { p1: { offsetMs: 500_000 } } }).held('p1/1/1', {
        ...grant,
        until: end,
        clock: 'wall',
      });
    expect(honest(offset(500_988))).toBe('holds');
    expect(honest(offset(501_100))).toBe('violated/library');
  });

  it('goes by the server whose key makes the difference', () => {
    const uneven = (end: number) =>
      history({ servers: 3 })
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 2, { ttlMs: 500 })
        .set('p1/1/1', 2, 2, { ttlMs: 1000 })
        .set('p1/1/1', 3, 2, { ttlMs: 2000 })
        .grant('p1/1/1', 4, { until: end });
    expect(honest(uneven(1003))).toBe('holds');
    expect(honest(uneven(1004))).toBe('violated/library');
  });

  it('holds without a claimed end while the keys live', () => {
    expect(honest(history().held('p1/1/1', { ...grant, until: undefined }))).toBe('holds');
  });

  it('uses the present rates of the clocks; blames the infrastructure beyond the bound', () => {
    const fast = (driftPpm: number) =>
      history({ clocks: { 'redis-1': { driftPpm } } }).held('p1/1/1', { ...grant, until: 990 });
    expect(honest(fast(9_000))).toBe('holds');
    expect(honest(fast(20_000))).toBe('violated/infrastructure');
    const careless = history({ clocks: { 'redis-1': { driftPpm: 9_000 } } }).held('p1/1/1', {
      ...grant,
      until: 1000,
    });
    expect(honest(careless)).toBe('violated/library');
  });

  it("takes a client that is slow beyond the bound for the infrastructure's, too", () => {
    const slow = history({ clocks: { p1: { driftPpm: -50_000 } } }).held('p1/1/1', { ...grant, until: 988 });
    expect(honest(slow)).toBe('violated/infrastructure');
  });

  it('blames the infrastructure for a step of the server clock before the return', () => {
    const stepped = history().held('p1/1/1', grant).step('redis-1', 3, 600);
    expect(honest(stepped)).toBe('violated/infrastructure');
    expect(honest(history().held('p1/1/1', grant).step('redis-1', 5, 600))).toBe('holds');
  });

  it('goes by the rates at the return: what clocks do later is no matter of the grant', () => {
    const later = history().held('p1/1/1', grant).step('redis-1', 3, 1100).expired(1, 3);
    expect(honest(later)).toBe('violated/infrastructure');
    expect(honest(later.drift('p1', 14, 130_000))).toBe('violated/infrastructure');
  });

  it('blames the library that counts its validity from the reply', () => {
    const fromReply = history().ask('p1/1/1', 0).set('p1/1/1', 1, 2).grant('p1/1/1', 100, { until: 1088 });
    expect(honest(fromReply)).toBe('violated/library');
  });
});
