/** progress, no-orphan, settles. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

/** Defaults: T 1000 ms, retries of at most 300 ms, latency 5 ms. */
const PROGRESS_MS = 1000 + 2 * 300 + 10 * 5;

describe('progress', () => {
  const judged = (builder: HistoryBuilder) => outcome('progress', builder);
  const asking = (until: number) => history().ask('p2/1/1', 100).fail('p2/1/1', until);

  it('holds up to the bound and not beyond', () => {
    expect(judged(asking(100 + PROGRESS_MS))).toBe('holds');
    expect(judged(asking(100.001 + PROGRESS_MS))).toBe('violated/library');
  });

  it('counts from the beginning of the tail', () => {
    expect(judged(asking(5000).tail(5000 - PROGRESS_MS))).toBe('holds');
    expect(judged(asking(5000).tail(4999.999 - PROGRESS_MS))).toBe('violated/library');
  });

  it('starts anew at each grant and at the end of each belief', () => {
    const busy = history()
      .held('p1/1/1', { ask: 0, votes: 500, grant: 1500, until: 2400 })
      .ask('p2/1/1', 100)
      .fail('p2/1/1', 2400 + PROGRESS_MS);
    expect(judged(busy)).toBe('holds');
    expect(judged(busy.ask('p3/1/1', 100).fail('p3/1/1', 2401 + PROGRESS_MS))).toBe('violated/library');
  });

  it('is violated by a key that nobody will ever delete', () => {
    const eternal = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, ttlMs: null })
      .crash('p1', 10)
      .ask('p2/1/1', 100)
      .end(60_000);
    const found = verdictOf('progress', eternal);
    expect(found).toMatchObject({ verdict: 'violated', blame: 'library' });
    expect(found).toHaveProperty('reason', expect.stringContaining('blocked until never'));
  });

  it('blames usage where a live holder never lets go', () => {
    const endless = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, renews: true })
      .ask('p2/1/1', 100)
      .end(60_000);
    expect(judged(endless)).toBe('violated/usage');
  });

  it('blames the infrastructure where no majority is reachable', () => {
    const cut = (state: 'cut' | 'held') => asking(5000).link('p2', 'redis-1', 50, state);
    expect(judged(cut('cut'))).toBe('violated/infrastructure');
    expect(judged(cut('held'))).toBe('violated/infrastructure');
    expect(judged(cut('cut').link('p2', 'redis-1', 90, 'whole'))).toBe('violated/library');
    expect(judged(asking(5000).crash('redis-1', 50))).toBe('violated/infrastructure');
  });

  it('blames servers that refuse, also beside others that are out of reach', () => {
    const OOM = { reply: '-OOM command not allowed' };
    const refused = (servers: readonly number[], of = 'p2/1/1') => {
      const builder = history({ servers: 3 }).ask('p2/1/1', 100).fail('p2/1/1', 5000);
      for (const server of servers) builder.apply(of, server, 200, OOM);
      return builder;
    };
    expect(judged(refused([1]))).toBe('violated/library');
    expect(judged(refused([1, 2]))).toBe('violated/infrastructure');
    expect(judged(refused([1, 2], 'p2/?'))).toBe('violated/infrastructure');
    expect(judged(refused([1, 2]).apply('p2/1/1', 2, 300, { reply: '(nil)' }))).toBe('violated/library');
    // What only removes is taken all the same: a clean-up of what another command had set.
    const cleaned = refused([1, 2]).set('p2/1/1', 2, 150).remove('p2/1/1', 2, 300, { op: 'acquire' });
    expect(judged(cleaned)).toBe('violated/infrastructure');
    // The vote of the attempt that is under way; once it is over without a refusal, the server takes the work.
    expect(judged(cleaned.set('p2/1/1', 2, 400))).toBe('violated/infrastructure');
    expect(judged(cleaned.remove('p2/1/1', 2, 500, { op: 'acquire' }))).toBe('violated/library');
    const looks = refused([1, 2]).apply('p2/1/1', 2, 300, { reply: '(nil)', args: ['GET', 'lock:a'] });
    expect(judged(looks)).toBe('violated/infrastructure');
    // Another asks beside it, and its vote, which is refused in the end, keeps this one out.
    const beside = refused([]).ask('p1/1/1', 50).apply('p1/1/1', 1, 200, OOM).apply('p1/1/1', 2, 200, OOM);
    expect(judged(beside.end(5000))).toBe('violated/infrastructure');
    const evicted = refused([1]).set('p2/1/1', 2, 150).evicted(2, 160);
    expect(judged(evicted)).toBe('violated/infrastructure');
    expect(verdictOf('progress', evicted)).toHaveProperty(
      'reason',
      expect.stringContaining('redis-2 evicts its key'),
    );
    expect(judged(evicted.apply('p2/1/1', 2, 300, { reply: '(nil)' }))).toBe('violated/library');
    expect(judged(refused([1]).crash('redis-3', 50))).toBe('violated/infrastructure');
    expect(judged(refused([3]).crash('redis-3', 50))).toBe('violated/library');
    expect(verdictOf('progress', refused([1]).crash('redis-3', 50))).toHaveProperty(
      'reason',
      expect.stringMatching(/redis-1 refuses \(OOM .*\), p2 does not reach redis-3$/),
    );
  });

  it('blames the infrastructure whose clock stepped back over a live key', () => {
    const back = (byMs: number) =>
      history()
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
        .crash('p1', 10)
        .step('redis-1', 500, byMs)
        .ask('p2/1/1', 600)
        .tail(600)
        .end(60_000);
    expect(judged(back(-5000))).toBe('violated/infrastructure');
    expect(judged(back(50))).toBe('violated/library');
  });

  it('is unknown where nobody asks in the tail', () => {
    expect(judged(asking(500).tail(600))).toBe('unknown');
  });

  it('takes the bound of the scenario', () => {
    const bounded = history({ scenario: { bounds: { progressMs: 50 } } })
      .ask('p1/1/1', 0)
      .fail('p1/1/1', 51);
    expect(judged(bounded)).toBe('violated/library');
  });
});

describe('no-orphan', () => {
  const judged = (builder: HistoryBuilder) => outcome('no-orphan', builder);
  const bounded = () => history({ scenario: { bounds: { orphanMs: 10 } } });
  const ungranted = () => bounded().ask('p1/1/1', 0).set('p1/1/1', 1, 10);

  it('holds for a key that goes in time, is violated by one that stays', () => {
    expect(judged(ungranted().remove('p1/1/1', 1, 20, { op: 'acquire' }))).toBe('holds');
    expect(judged(ungranted().remove('p1/1/1', 1, 20.001, { op: 'acquire' }))).toBe('violated/library');
  });

  it("allows two latencies and a time-out by default: the one given, or the lock's", () => {
    const kept = (
      until: number,
      commandTimeoutMs: number | null = null,
      { servers = 3, lock = 'redlock' }: { servers?: number; lock?: string } = {},
    ) =>
      history({
        servers,
        scenario: {
          processes: { count: 3, client: { commandTimeoutMs } },
          lock: { name: lock, ttlMs: 1000 },
        },
      })
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 10)
        .remove('p1/1/1', 1, until, { op: 'acquire' });
    expect(judged(kept(70))).toBe('holds');
    expect(judged(kept(70.001))).toBe('violated/library');
    expect(judged(kept(220, 200))).toBe('holds');
    expect(judged(kept(220.001, 200))).toBe('violated/library');
    // One server is waited for as long as the key could live; tokens of several servers take two rounds.
    const single = { servers: 1, lock: 'single' };
    expect(judged(kept(1020, null, single))).toBe('holds');
    expect(judged(kept(1020.001, null, single))).toBe('violated/library');
    const fenced = { lock: 'redlock-fenced' };
    expect(judged(kept(120, null, fenced))).toBe('holds');
    expect(judged(kept(120.001, null, fenced))).toBe('violated/library');
  });

  it("counts the lock's own time-out for a server, up to the ttl", () => {
    const kept = (until: number, serverTimeoutMs: number) =>
      history({
        scenario: { lock: { name: 'single', ttlMs: 1000, options: { serverTimeoutMs } } },
      })
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 10)
        .remove('p1/1/1', 1, until, { op: 'acquire' });
    expect(judged(kept(50, 30))).toBe('holds');
    expect(judged(kept(50.001, 30))).toBe('violated/library');
    expect(judged(kept(1020, 5000))).toBe('holds');
    expect(judged(kept(1020.001, 5000))).toBe('violated/library');
  });

  it('takes a key whose hold is granted while it lives for no orphan', () => {
    expect(judged(ungranted().grant('p1/1/1', 200, { until: 988 }).end(5000))).toBe('holds');
    expect(judged(ungranted().expired(1, 1011).grant('p1/1/1', 1200, { until: 988 }))).toBe(
      'violated/library',
    );
  });

  it('looks at the key again from the release on', () => {
    const released = (gone: number) =>
      bounded().held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 100, gone });
    expect(judged(released(110))).toBe('holds');
    expect(judged(released(110.001))).toBe('violated/library');
  });

  it('does not count pauses of the setter, down time of the server, nor keys of the crashed', () => {
    expect(judged(ungranted().pause('p1', 15, 100).remove('p1/1/1', 1, 105))).toBe('holds');
    expect(judged(ungranted().pause('p1', 15, 100).remove('p1/1/1', 1, 106))).toBe('violated/library');
    expect(
      judged(ungranted().crash('redis-1', 15).restart('redis-1', 100, 'kept').remove('p1/1/1', 1, 105)),
    ).toBe('holds');
    const both = ungranted().pause('p1', 15, 100).crash('redis-1', 50).restart('redis-1', 100, 'kept');
    expect(judged(both.remove('p1/1/1', 1, 106))).not.toBe('holds');
    expect(judged(ungranted().crash('p1', 19).expired(1, 1011))).toBe('holds');
    expect(judged(ungranted().crash('p1', 21).expired(1, 1011))).toBe('violated/library');
  });

  it('blames the infrastructure where a clean-up was sent in vain', () => {
    const cut = bounded()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 100 })
      .link('p1', 'redis-1', 99, 'cut')
      .expired(1, 1003);
    expect(judged(cut)).toBe('violated/infrastructure');
    // Without a release or anything else that was sent, the cut excuses nothing.
    expect(judged(ungranted().link('p1', 'redis-1', 9, 'cut').expired(1, 1011))).toBe('violated/library');
    const down = bounded()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 100 })
      .crash('redis-1', 99)
      .restart('redis-1', 120, 'kept')
      .expired(1, 1003);
    expect(judged(down)).toBe('violated/infrastructure');
  });

  it('blames the infrastructure where the clean-up took longer than its link does', () => {
    type Fault = NonNullable<ScenarioInput['faults']>[number];
    const late = (fault: Fault) =>
      history({ scenario: { bounds: { orphanMs: 10 }, faults: [fault] } })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 100, gone: 150 })
        .struck(0, 100);
    const delay = (server: string, byMs: number): Fault => ({
      on: { event: 'sent', process: 'p1', server },
      do: 'delay',
      byMs,
    });
    expect(judged(late(delay('redis-1', 45)))).toBe('violated/infrastructure');
    expect(judged(late(delay('redis-2', 45)))).toBe('violated/library');
    const slow = (from: string): Fault => ({
      atMs: 100,
      do: 'slow',
      from,
      to: 'redis-1',
      latencyMs: 45,
      forMs: 20,
    });
    expect(judged(late(slow('p1')))).toBe('violated/infrastructure');
    expect(judged(late(slow('p2')))).toBe('violated/library');
  });

  it('blames the infrastructure for a server that was paused', () => {
    const late = (host: string) =>
      history({ scenario: { bounds: { orphanMs: 10 } } })
        .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 100, gone: 150 })
        .pause(host, 99, 149);
    expect(judged(late('redis-1'))).toBe('violated/infrastructure');
    expect(judged(late('p2'))).toBe('violated/library');
  });

  it('blames the infrastructure for a clean-up on a connection that the server broke, or that lost segments', () => {
    const late = (network: { loss?: number } = {}) =>
      history({ scenario: { bounds: { orphanMs: 10 }, network: { latencyMs: 5, ...network } } }).held(
        'p1/1/1',
        { ask: 0, votes: 2, grant: 4, until: 988, release: 100, gone: 150 },
      );
    expect(judged(late().promote(1, 99, 0))).toBe('violated/infrastructure');
    expect(judged(late().promote(1, 120, 0))).toBe('violated/library');
    expect(judged(late({ loss: 0.1 }))).toBe('violated/infrastructure');
    expect(judged(late())).toBe('violated/library');
  });

  it('blames the infrastructure for a SET that the clean-up had overtaken', () => {
    const overtaken = bounded()
      .ask('p1/1/1', 0)
      .apply('p1/1/1', 1, 10, { command: 8 })
      .fail('p1/1/1', 12)
      .set('p1/1/1', 1, 30, { command: 7 })
      .expired(1, 1031);
    expect(judged(overtaken)).toBe('violated/infrastructure');
    const inOrder = bounded()
      .ask('p1/1/1', 0)
      .apply('p1/1/1', 1, 10, { command: 6 })
      .fail('p1/1/1', 12)
      .set('p1/1/1', 1, 30, { command: 7 })
      .expired(1, 1031);
    expect(judged(inOrder)).toBe('violated/library');
  });

  it('blames the infrastructure for bytes that a cut kept back, when the clean-up had failed before', () => {
    const late = bounded()
      .ask('p1/1/1', 0)
      .link('p1', 'redis-1', 1, 'cut')
      .reply('p1/1/1', 1, 60, { command: 7, outcome: 'timeout' })
      .reply('p1/1/1', 1, 120, { command: 8, outcome: 'timeout' })
      .fail('p1/1/1', 121)
      .link('p1', 'redis-1', 200, 'whole')
      .set('p1/1/1', 1, 205, { command: 7 })
      .expired(1, 1206);
    expect(judged(late)).toBe('violated/infrastructure');
  });

  it('is unknown where no key was set', () => {
    expect(judged(bounded().ask('p1/1/1', 0))).toBe('unknown');
  });
});

describe('settles', () => {
  const judged = (builder: HistoryBuilder) => outcome('settles', builder);
  /** T 1000 ms, 10 retries of at most 300 ms; the one server may take T, at each try. */
  const SETTLE_MS = 1000 + 10 * (300 + 1000) + 1000;

  it('holds for calls that settle within the bound', () => {
    const settled = history().held('p1/1/1', {
      ask: 0,
      votes: 2,
      grant: SETTLE_MS,
      until: 20_000,
      release: SETTLE_MS + 50,
      gone: SETTLE_MS + 52,
    });
    expect(verdictOf('settles', settled)).toEqual({ verdict: 'holds', evaluated: 2 });
  });

  it('is violated by an acquire, a release or an extension that takes longer, or for ever', () => {
    expect(
      judged(
        history()
          .ask('p1/1/1', 0)
          .fail('p1/1/1', SETTLE_MS + 1),
      ),
    ).toBe('violated/library');
    expect(judged(history().ask('p1/1/1', 0).pending('p1/1/1', 100, 'acquire').end(100))).toBe(
      'violated/library',
    );
    const held = { ask: 0, votes: 2, grant: 4, until: 988 };
    expect(
      judged(
        history()
          .held('p1/1/1', { ...held, release: 100 })
          .end(60_000),
      ),
    ).toBe('violated/library');
    expect(judged(history().held('p1/1/1', held).extending('p1/1/1', 50).end(60_000))).toBe(
      'violated/library',
    );
  });

  it('has no bound of its own where a lock asks without end, but for what nothing can settle', () => {
    const endless = (): HistoryBuilder =>
      history({ scenario: { lock: { options: { retryCount: -1 } } } }).ask('p1/1/1', 0);
    expect(judged(endless().end(60_000))).toBe('holds');
    expect(judged(endless().crash('p1', 100).pending('p1/1/1', 60_000, 'acquire').end(60_000))).toBe('holds');
    const never = endless().pending('p1/1/1', 100, 'acquire').end(100);
    expect(judged(never)).toBe('violated/library');
    expect(verdictOf('settles', never)).toMatchObject({
      reason: expect.stringContaining('the acquire of p1/1/1 did not settle after 0 ms and never can'),
    });
    const bound = history({ scenario: { lock: { options: { retryCount: -1 } }, bounds: { settleMs: 500 } } });
    expect(judged(bound.ask('p1/1/1', 0).end(60_000))).toBe('violated/library');
  });

  it('does not judge a call that a crash or the end of the run cut off', () => {
    expect(judged(history().ask('p1/1/1', 0).crash('p1', 100).end(60_000))).toBe('holds');
    expect(judged(history().ask('p1/1/1', 0).end(100))).toBe('holds');
  });

  it('blames the infrastructure where no majority is reachable', () => {
    const cut = history()
      .ask('p1/1/1', 0)
      .link('redis-1', 'p1', 1, 'cut')
      .fail('p1/1/1', SETTLE_MS + 1);
    expect(judged(cut)).toBe('violated/infrastructure');
  });

  it('is unknown without an attempt in the tail', () => {
    expect(judged(history().ask('p1/1/1', 0).fail('p1/1/1', 100).tail(200))).toBe('unknown');
  });
});
