import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const judged = (builder: HistoryBuilder) => outcome('loss-signalled', builder);
const claimed = { ask: 0, votes: 2, grant: 4, until: 988, signals: true };
const open = { ask: 0, votes: 2, grant: 4, signals: true, renews: true };
/** The end of the run must lie beyond what is due. */
const watched = (options: typeof claimed | typeof open) => history().held('p1/1/1', options).end(9000);

describe('loss-signalled', () => {
  it('holds for a signal at the claimed end, or a release or crash before it', () => {
    expect(verdictOf('loss-signalled', watched(claimed).lost('p1/1/1', 988))).toEqual({
      verdict: 'holds',
      evaluated: 1,
    });
    expect(judged(watched(claimed).release('p1/1/1', 900))).toBe('holds');
    expect(judged(watched(claimed).crash('p1', 900))).toBe('holds');
  });

  it('is violated by a signal after the claimed end, or none', () => {
    expect(judged(watched(claimed).lost('p1/1/1', 988.001))).toBe('violated/library');
    expect(judged(watched(claimed))).toBe('violated/library');
  });

  it('grants the millisecond that Date.now() cannot tell to claims on the wall clock', () => {
    const onTheWall = { ...claimed, clock: 'wall' as const };
    expect(judged(watched(onTheWall).lost('p1/1/1', 988.999))).toBe('holds');
    expect(judged(watched(onTheWall).lost('p1/1/1', 989))).toBe('violated/library');
  });

  it('waits for a paused process to resume, then no longer', () => {
    const paused = (lost: number) => watched(claimed).pause('p1', 500, 1500).lost('p1/1/1', lost);
    expect(judged(paused(1500))).toBe('holds');
    expect(judged(paused(1501))).toBe('violated/library');
  });

  it('follows the end as renewals move it', () => {
    const renewed = (lost: number) =>
      watched(claimed).expireIn('p1/1/1', 1, 600, 1000).extended('p1/1/1', 602, 1588).lost('p1/1/1', lost);
    expect(judged(renewed(1588))).toBe('holds');
    expect(judged(renewed(1589))).toBe('violated/library');
    // A renewal that returns after the end cannot undo that it had come.
    expect(judged(watched(claimed).extended('p1/1/1', 1000, 2000).lost('p1/1/1', 2000))).toBe(
      'violated/library',
    );
  });

  it('takes a renewal that returns as a pause over the end is over for one in time', () => {
    const renewed = (returned: number) =>
      watched(claimed)
        .pause('p1', 500, 1500)
        .expireIn('p1/1/1', 1, 600, 2000)
        .extended('p1/1/1', returned, 2400)
        .lost('p1/1/1', 2400);
    expect(judged(renewed(1500))).toBe('holds');
    expect(judged(renewed(1501))).toBe('violated/library');
  });

  it('gives a lock without a claimed end two latencies and a time-out from the lapse of its quorum', () => {
    // Latency 5 ms, the one server's default time-out of the ttl; the key is gone at 1003 ms.
    const lapsed = (lost: number) => watched(open).expired(1, 1003).lost('p1/1/1', lost);
    expect(judged(lapsed(2013))).toBe('holds');
    expect(judged(lapsed(2013.001))).toBe('violated/library');
    const paused = (lost: number) => lapsed(lost).pause('p1', 900, 2000);
    expect(judged(paused(3010))).toBe('holds');
    expect(judged(paused(3010.001))).toBe('violated/library');
  });

  it('is violated by a false signal: claim runs, keys stand, no renewal failed', () => {
    expect(judged(watched(claimed).lost('p1/1/1', 500))).toBe('violated/library');
    expect(verdictOf('loss-signalled', watched(open).lost('p1/1/1', 500))).toMatchObject({ atUs: 500_000 });
  });

  it('excuses an early signal after a failed renewal, without keys, or within the grain of a timer', () => {
    expect(judged(watched(claimed).extendFailed('p1/1/1', 400).lost('p1/1/1', 500))).toBe('holds');
    expect(
      judged(watched(open).reply('p1/1/1', 1, 450, { op: 'hold', outcome: 'timeout' }).lost('p1/1/1', 500)),
    ).toBe('holds');
    expect(
      judged(watched(open).apply('p1/1/1', 1, 450, { op: 'hold', reply: '0' }).lost('p1/1/1', 500)),
    ).toBe('holds');
    expect(judged(watched(claimed).remove('p2/1/1', 1, 400).lost('p1/1/1', 500))).toBe('holds');
    expect(judged(watched(claimed).lost('p1/1/1', 987))).toBe('holds');
    expect(judged(watched(claimed).lost('p1/1/1', 986.9))).toBe('violated/library');
  });

  it('does not take a failure after the signal, or while acquiring, for an excuse', () => {
    expect(judged(watched(claimed).extendFailed('p1/1/1', 600).lost('p1/1/1', 500))).toBe('violated/library');
    expect(judged(watched(claimed).apply('p1/1/1', 1, 1, { reply: '0' }).lost('p1/1/1', 500))).toBe(
      'violated/library',
    );
  });

  it('ignores a signal after release', () => {
    expect(judged(watched(claimed).release('p1/1/1', 400).lost('p1/1/1', 500))).toBe('holds');
  });

  it('is unknown where the lock promises none', () => {
    expect(judged(history().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 }))).toBe('unknown');
  });
});
