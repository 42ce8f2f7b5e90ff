import { describe, expect, it } from 'vitest';
import { judge } from '../judge.js';
import { history, type HistoryBuilder } from '../testing/history.js';

const verdict = (builder: HistoryBuilder) => judge(builder.build()).verdicts['mutual-exclusion'];
const blamed = (blame: string) => expect.objectContaining({ verdict: 'violated', blame });
const holds = expect.objectContaining({ verdict: 'holds' });

/** p1 holds until its claim ends; p2 gets the lock at `grant`, after p1's key is gone. */
const handOver = (grant: number, until = 988) =>
  history()
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until })
    .ask('p2/1/1', 1)
    .expired(1, 1003)
    .set('p2/1/1', 1, 1003)
    .grant('p2/1/1', grant, { until: 1990 })
    .release('p2/1/1', grant + 10);

describe('mutual-exclusion', () => {
  it('holds for holds one after the other, and counts them', () => {
    const passed = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 20, gone: 22 })
      .held('p2/1/1', { ask: 1, votes: 23, grant: 25, until: 1010, release: 40, gone: 42 });
    expect(verdict(passed)).toEqual({ verdict: 'holds', evaluated: 2 });
  });

  it('is violated by a claim that outlasts the key, blame library, from the instant of the second grant', () => {
    const found = verdict(handOver(1005, 1500));
    expect(found).toEqual(blamed('library'));
    expect(found).toMatchObject({ atUs: 1_005_000, holds: ['p1/1/1', 'p2/1/1'] });
  });

  it('takes beliefs as half-open: a grant at the very end of another claim is no overlap', () => {
    expect(verdict(handOver(1005, 1005))).toEqual(holds);
    expect(verdict(handOver(1004.999, 1005))).toEqual(blamed('library'));
  });

  it('a hold returned after its claimed end believes at that one instant', () => {
    const late = (grant: number) =>
      history()
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 2)
        .expired(1, 1003)
        .held('p2/1/1', { ask: 1, votes: 1003, grant: 1005, until: 1990, release: 1100, gone: 1102 })
        .grant('p1/1/1', grant, { until: 988 })
        .release('p1/1/1', grant);
    expect(verdict(late(1050))).toEqual(blamed('library'));
    expect(verdict(late(1005))).toEqual(blamed('library'));
    expect(verdict(late(1100))).toEqual(holds);
  });

  it('a step back of the wall clock revives a claim on it, and only on it', () => {
    const stepped = (clock: 'wall' | 'monotonic') =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, clock })
        .step('p1', 1020, -500)
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1003)
        .grant('p2/1/1', 1005, { until: 1990 })
        .release('p2/1/1', 1100);
    expect(verdict(stepped('wall'))).toMatchObject({
      verdict: 'violated',
      blame: 'library',
      atUs: 1_020_000,
    });
    expect(verdict(stepped('monotonic'))).toEqual(holds);
  });

  it('a step forward of the wall clock ends a claim on it early', () => {
    const stepped = handOver(1005, 1500);
    expect(verdict(stepped)).toEqual(blamed('library'));
    const ended = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 1500, clock: 'wall' })
      .step('p1', 900, 700)
      .ask('p2/1/1', 1)
      .expired(1, 1003)
      .set('p2/1/1', 1, 1003)
      .grant('p2/1/1', 1005, { until: 1990 });
    expect(verdict(ended)).toEqual(holds);
  });

  it('a successful extend moves the end, but only when it returns', () => {
    const extended = (returned: number) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 500 })
        .expireIn('p1/1/1', 1, 400, 200)
        .extended('p1/1/1', returned, 2000)
        .ask('p2/1/1', 1)
        .expired(1, 601)
        .set('p2/1/1', 1, 601)
        .grant('p2/1/1', 603, { until: 1590 })
        .release('p2/1/1', 620);
    expect(verdict(extended(402))).toMatchObject({ verdict: 'violated', atUs: 603_000, blame: 'library' });
    expect(verdict(extended(610))).toMatchObject({ verdict: 'violated', atUs: 610_000 });
    expect(verdict(extended(620))).toEqual(holds);
  });

  it('a loss signal or a crash ends the belief of a lock that claims no end', () => {
    const open = () =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, signals: true, renews: true })
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1003)
        .grant('p2/1/1', 1005, { until: 1990 });
    expect(verdict(open())).toEqual(blamed('library'));
    expect(verdict(open().lost('p1/1/1', 1005))).toEqual(holds);
    expect(verdict(open().crash('p1', 1000))).toEqual(holds);
  });

  it('blames usage where the lock claims no end and never renews', () => {
    const worked = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, release: 1200 })
      .ask('p2/1/1', 1)
      .expired(1, 1003)
      .set('p2/1/1', 1, 1003)
      .grant('p2/1/1', 1005, {});
    expect(verdict(worked)).toEqual(blamed('usage'));
  });

  it('blames the lease where the key ran out in a pause, up to the first reply after it', () => {
    const paused = (until: number, reply?: number) => {
      const built = history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, renews: true, release: 3000 })
        .pause('p1', 500, until)
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1010)
        .grant('p2/1/1', 1012, {});
      return reply === undefined ? built : built.reply('p1/1/1', 1, reply, { op: 'hold' });
    };
    expect(verdict(paused(1020))).toEqual(blamed('lease'));
    expect(verdict(paused(1005))).toEqual(blamed('lease'));
    expect(verdict(paused(1005, 1011))).toEqual(blamed('library'));
    expect(verdict(paused(1005, 1013))).toEqual(blamed('lease'));
    // The pause ends before the key does.
    expect(verdict(paused(1000))).toEqual(blamed('library'));
  });

  it('takes pauses with no time between as one', () => {
    const paused = (gapMs: number) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, renews: true, release: 3000 })
        .pause('p1', 500, 1005)
        .pause('p1', 1005 + gapMs, 1100)
        .reply('p1/1/1', 1, 1005.5, { op: 'hold' })
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1010)
        .grant('p2/1/1', 1050, {});
    expect(verdict(paused(0))).toEqual(blamed('lease'));
    expect(verdict(paused(1))).toEqual(blamed('library'));
  });

  it("blames the library whose command deleted another hold's key", () => {
    const deleted = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .ask('p2/1/1', 1)
      .ask('p3/1/1', 1)
      .expired(1, 1003)
      .set('p2/1/1', 1, 1003)
      .grant('p2/1/1', 1005, { until: 1990 })
      .release('p1/1/1', 1010)
      .remove('p1/1/1', 1, 1012)
      .set('p3/1/1', 1, 1020)
      .grant('p3/1/1', 1022, { until: 2000 });
    const found = verdict(deleted);
    expect(found).toMatchObject({ verdict: 'violated', blame: 'library', holds: ['p2/1/1', 'p3/1/1'] });
    expect(found).toHaveProperty(
      'reason',
      expect.stringContaining("p1/1/1's command deleted its key on redis-1"),
    );
  });

  it("blames the library whose command shortened another hold's key, though it then expired", () => {
    // The lock claims nothing, so that only the shortened key accuses it.
    const shortened = (by: string) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4 })
        .ask('p2/1/1', 1)
        .ask('p3/1/1', 1)
        .expireIn(by, 1, 100, 50)
        .expired(1, 151)
        .set('p3/1/1', 1, 160)
        .grant('p3/1/1', 162);
    expect(verdict(shortened('p2/1/1'))).toEqual(blamed('library'));
    expect(verdict(shortened('p1/1/1'))).toEqual(blamed('usage'));
  });

  describe('blames the infrastructure', () => {
    const second = (built: HistoryBuilder, at: number) =>
      built
        .ask('p2/1/1', 1)
        .set('p2/1/1', 1, at)
        .grant('p2/1/1', at + 2, { until: 5000 });
    const first = () => history().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 });

    it('for a key lost at a restart', () => {
      const lost = second(first().crash('redis-1', 100).restart('redis-1', 200).forgotten(1, 200), 300);
      expect(verdict(lost)).toEqual(blamed('infrastructure'));
    });

    it('for a step of the server clock, while the key would still live without it', () => {
      const stepped = (at: number, until = 988) =>
        second(
          history()
            .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until })
            .step('redis-1', 100, 950)
            .expired(1, 100),
          at,
        );
      expect(verdict(stepped(300))).toEqual(blamed('infrastructure'));
      // Without the step the key would have been gone by then: the claim is too long.
      expect(verdict(stepped(1100, 1500))).toEqual(blamed('library'));
    });

    it('for rates that differ by more than the bound, the library for less', () => {
      const drifting = (driftPpm: number, gone: number) =>
        second(
          history({ clocks: { 'redis-1': { driftPpm } } })
            .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 1000 })
            .expired(1, gone),
          gone,
        );
      expect(verdict(drifting(20_000, 982))).toEqual(blamed('infrastructure'));
      expect(verdict(drifting(9_000, 994))).toEqual(blamed('library'));
    });

    it('for a client that is slower than the servers by more than the bound', () => {
      const slow = second(
        history({ clocks: { p1: { driftPpm: -200_000 } } })
          .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
          .expired(1, 1003),
        1003,
      );
      expect(verdict(slow)).toEqual(blamed('infrastructure'));
    });
  });

  it('asks, too, whether the claim would have ended at the rate of the servers', () => {
    // At half the servers' rate a claim of 1200 ms lasts 2400 ms, and the key, at that rate, 2000 ms.
    const slow = (claimMs: number) =>
      history({ clocks: { p1: { driftPpm: -500_000 } } })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 450 })
        .expireIn('p1/1/1', 1, 500, 1000)
        .extended('p1/1/1', 500, 250 + claimMs)
        .ask('p2/1/1', 1)
        .expired(1, 1501)
        .set('p2/1/1', 1, 2590)
        .grant('p2/1/1', 2600, { until: 9000 });
    expect(verdict(slow(1200))).toEqual(blamed('infrastructure'));
    // This claim would be too long at any rate.
    expect(verdict(slow(2200))).toEqual(blamed('library'));
  });

  describe('on several servers', () => {
    it('blames the library whose hold never had a majority, though the other one stands', () => {
      const half = history({ servers: 5 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, servers: [1, 2, 3] })
        .held('p2/1/1', { ask: 0, votes: 3, grant: 5, until: 989, servers: [4, 5] });
      const found = verdict(half);
      expect(found).toMatchObject({ verdict: 'violated', blame: 'library', holds: ['p2/1/1', 'p1/1/1'] });
    });

    it('blames the library for half the votes of an even number, though nobody else can have a majority', () => {
      const half = history({ servers: 4 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, servers: [1, 2] })
        .held('p2/1/1', { ask: 0, votes: 3, grant: 5, servers: [3, 4] });
      expect(verdict(half)).toEqual(blamed('library'));
      expect(judge(half.build()).verdicts['quorum-backed']).toEqual(holds);
    });

    it('counts a vote as given that a server lost before the last one came', () => {
      const early = history({ servers: 3 })
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 2)
        .crash('redis-1', 3)
        .restart('redis-1', 4)
        .forgotten(1, 4)
        .set('p1/1/1', 2, 5)
        .grant('p1/1/1', 6, { until: 988 })
        .held('p2/1/1', { ask: 1, votes: 7, grant: 9, until: 990, servers: [1, 3] });
      expect(verdict(early)).toEqual(blamed('infrastructure'));
    });

    it('blames the infrastructure when one of three votes is lost and makes the second majority', () => {
      const lost = history({ servers: 5 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, servers: [1, 2, 3] })
        .crash('redis-3', 50)
        .restart('redis-3', 60)
        .forgotten(3, 60)
        .held('p2/1/1', { ask: 1, votes: 70, grant: 75, until: 1050, servers: [3, 4, 5] });
      expect(verdict(lost)).toEqual(blamed('infrastructure'));
    });
  });

  it('keeps resources apart', () => {
    const apart = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, resource: 'a' })
      .held('p2/1/1', { ask: 1, votes: 2, grant: 4, until: 988, resource: 'b' });
    expect(verdict(apart)).toEqual({ verdict: 'unknown', reason: 'no two attempts contended' });
  });

  it('is unknown without contention or without a grant', () => {
    expect(verdict(history().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 }))).toMatchObject({
      verdict: 'unknown',
    });
    expect(verdict(history().ask('p1/1/1', 0).ask('p2/1/1', 1))).toMatchObject({
      verdict: 'unknown',
      reason: 'no lock was granted',
    });
  });
});
