import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const judged = (builder: HistoryBuilder) => outcome('exclusive-use', builder);

/** p1 holds from 4 ms, its key is gone at 1003 ms; p2 holds from 1005 ms and reads at 1006, writes at 1010 ms. */
const handOver = () =>
  history()
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
    .use('p1/1/1', 5, 6, 'read')
    .ask('p2/1/1', 1)
    .expired(1, 1003)
    .set('p2/1/1', 1, 1003)
    .grant('p2/1/1', 1005, { until: 1990 })
    .use('p2/1/1', 1005, 1006, 'read')
    .use('p2/1/1', 1009, 1010, 'write')
    .release('p2/1/1', 1012);

describe('exclusive-use', () => {
  it('holds while spans are disjoint, also where the older hold comes second', () => {
    expect(verdictOf('exclusive-use', handOver())).toEqual({ verdict: 'holds', evaluated: 2 });
    expect(judged(handOver().use('p1/1/1', 1002, 1005, 'write'))).toBe('holds');
  });

  it('is violated by a use that arrives inside the span of another', () => {
    const found = verdictOf('exclusive-use', handOver().use('p1/1/1', 995, 1008, 'write'));
    expect(found).toMatchObject({ verdict: 'violated', atUs: 1_008_000, holds: ['p1/1/1', 'p2/1/1'] });
  });

  it('counts a use that was refused', () => {
    expect(judged(handOver().use('p1/1/1', 995, 1008, 'write', { refused: true }))).toBe('violated/lease');
  });

  it('is violated where one span encloses another', () => {
    expect(judged(handOver().use('p1/1/1', 1400, 1401, 'write'))).toBe('violated/usage');
  });

  it('finds a span that encloses a later one but not the next', () => {
    const three = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .held('p2/1/1', { ask: 0, votes: 6, grant: 8, until: 988 })
      .held('p3/1/1', { ask: 0, votes: 10, grant: 12, until: 988 })
      .use('p1/1/1', 5, 5)
      .use('p2/1/1', 6, 6)
      .use('p2/1/1', 7, 7)
      .use('p3/1/1', 8, 8)
      .use('p1/1/1', 9, 9);
    expect(verdictOf('exclusive-use', three)).toMatchObject({ verdict: 'violated', atUs: 9000 });
  });

  it('blames the servers also where the last use arrives at the instant of the release', () => {
    const stolen = (released: number) =>
      history({ servers: 3 })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, servers: [1, 2] })
        .use('p1/1/1', 5, 5, 'read')
        .step('redis-2', 100, 950)
        .expired(2, 100)
        .held('p2/1/1', { ask: 101, votes: 102, grant: 104, until: 1080, servers: [2, 3] })
        .use('p2/1/1', 105, 106)
        .use('p1/1/1', 200, 200)
        .release('p1/1/1', released)
        .remove('p1/1/1', 1, released);
    expect(judged(stolen(200.001))).toBe('violated/infrastructure');
    expect(judged(stolen(200))).toBe('violated/infrastructure');
  });

  it('blames the lease for a packet whose key ran out on the way', () => {
    // Sent in the last microsecond of the key's life, and one later.
    expect(judged(handOver().use('p1/1/1', 1002.999, 1008, 'write'))).toBe('violated/lease');
    expect(judged(handOver().use('p1/1/1', 1003, 1008, 'write'))).toBe('violated/usage');
  });

  it('blames the lease for a pause between read and write, only if the use is sent the instant it ends', () => {
    const paused = (until: number, sent: number) =>
      handOver()
        .pause('p1', 100, until, true)
        .use('p1/1/1', sent, sent + 1, 'write');
    expect(judged(paused(1100, 1100))).toBe('violated/lease');
    expect(judged(paused(1100, 1101))).toBe('violated/usage');
    // The key outlived the pause: the holder might have looked.
    expect(judged(paused(1000, 1007))).toBe('violated/usage');
  });

  it('blames the lease for a pause inside the step in which acquire returned, the library for one before it', () => {
    const paused = (inStep: boolean, replyStep: number) =>
      history()
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 2)
        .reply('p1/1/1', 1, 4, { step: replyStep })
        .pause('p1', 4, 1100, inStep)
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1003)
        .grant('p2/1/1', 1005, { until: 1990 })
        .use('p2/1/1', 1005, 1006, 'read')
        .use('p2/1/1', 1200, 1210, 'write')
        .grant('p1/1/1', 1100, { until: 988, step: 7 })
        .use('p1/1/1', 1100, 1101, 'write');
    expect(judged(paused(true, 7))).toBe('violated/lease');
    expect(outcome('honest-validity', paused(true, 7))).toBe('violated/lease');
    // The reply was handled before the pause, the return came in a later step: the lock could have looked.
    expect(outcome('honest-validity', paused(false, 6))).toBe('violated/library');
    expect(judged(paused(false, 6))).toBe('violated/library');
  });

  it('blames the library while its claim still runs when the late use is sent', () => {
    const claiming = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .expireIn('p1/1/1', 1, 500, 600)
      // The extension is claimed to last longer than it does.
      .extended('p1/1/1', 502, 3000)
      .use('p1/1/1', 5, 6, 'read')
      .ask('p2/1/1', 1)
      .expired(1, 1101)
      .set('p2/1/1', 1, 1101)
      .grant('p2/1/1', 1105, { until: 1990 })
      .use('p2/1/1', 1105, 1106, 'read')
      .use('p1/1/1', 1200, 1201, 'write')
      .release('p1/1/1', 1202);
    expect(judged(claiming)).toBe('violated/library');
  });

  it('blames the library whose promised signal was late, usage where it came in time', () => {
    const watched = (lost: number) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, signals: true, renews: true })
        .use('p1/1/1', 5, 6, 'read')
        .lost('p1/1/1', lost)
        .ask('p2/1/1', 1)
        .expired(1, 1003)
        .set('p2/1/1', 1, 1003)
        .grant('p2/1/1', 1005, { until: 1990 })
        .use('p2/1/1', 1005, 1006, 'read')
        .use('p1/1/1', 1200, 1201, 'write')
        .release('p1/1/1', 1300);
    expect(judged(watched(988))).toBe('violated/usage');
    expect(judged(watched(1150))).toBe('violated/library');
  });

  it('blames the infrastructure for a key lost while it would have lived', () => {
    const lost = (late: number) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
        .use('p1/1/1', 5, 6, 'read')
        .crash('redis-1', 100)
        .restart('redis-1', 200)
        .forgotten(1, 200)
        .held('p2/1/1', { ask: 1, votes: 300, grant: 302, until: 1290 })
        .use('p2/1/1', 303, 304, 'read')
        .use('p1/1/1', late, late + 1, 'write');
    expect(judged(lost(500))).toBe('violated/infrastructure');
    // By then the TTL would be over in any case, and the holder knew it.
    expect(judged(lost(1100))).toBe('violated/usage');
  });

  it('is unknown without two holds that use the same resource', () => {
    const apart = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .held('p2/1/1', { ask: 0, votes: 2, grant: 4, until: 988, resource: 'b' })
      .use('p1/1/1', 5, 6)
      .use('p2/1/1', 5, 6, 'write', { resource: 'b' });
    expect(judged(apart)).toBe('unknown');
  });
});
