import { describe, expect, it } from 'vitest';
import { history, type HistoryBuilder } from '../testing/history.js';
import { outcome, verdictOf } from '../testing/verdicts.js';

const judged = (builder: HistoryBuilder) => outcome('own-key-only', builder);
const shared = { scenario: { processes: { count: 2, tasks: 2, sharedClient: true } } };

describe('own-key-only', () => {
  it('holds for a hold that deletes and extends its own key', () => {
    const own = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .expireIn('p1/1/1', 1, 500, 1000)
      .remove('p1/1/1', 1, 600);
    expect(verdictOf('own-key-only', own)).toEqual({ verdict: 'holds', evaluated: 3 });
  });

  const theirs = () => history().ask('p1/1/1', 0).held('p2/1/1', { ask: 1, votes: 3, grant: 5, until: 990 });

  it.each([
    ['a deletion', theirs().remove('p1/1/1', 1, 10)],
    ['a longer life', theirs().expireIn('p1/1/1', 1, 10, 5000)],
    ['a shorter life', theirs().expireIn('p1/1/1', 1, 10, 1)],
    ['an overwriting SET', theirs().set('p1/1/1', 1, 10)],
  ])('is violated by %s of another hold, blame library', (_, builder) => {
    expect(judged(builder)).toBe('violated/library');
    expect(verdictOf('own-key-only', builder)).toMatchObject({ atUs: 10_000, holds: ['p2/1/1', 'p1/1/1'] });
  });

  it("looks at who set the key: expiry in between makes it nobody's", () => {
    const expired = theirs().expired(1, 1004).set('p1/1/1', 1, 1005);
    expect(judged(expired)).toBe('holds');
  });

  it('leaves a counter that all holds raise alone', () => {
    const fenced = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 10, gone: 12 })
      .set('p1/1/1', 1, 2, { key: 'fence:a', ttlMs: null })
      .held('p2/1/1', { ask: 1, votes: 13, grant: 15, until: 988 })
      .change('p2/1/1', 1, 13, { key: 'fence:a' });
    expect(judged(fenced)).toBe('holds');
    expect(outcome('no-orphan', fenced.release('p2/1/1', 20).remove('p2/1/1', 1, 22).end(5000))).toBe(
      'holds',
    );
  });

  it('leaves a list alone that somebody is granted the lock without', () => {
    const list = { key: 'wait', ttlMs: null };
    const queued = history()
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 1, list)
      .crash('p1', 2)
      .held('p2/1/1', { ask: 10, votes: 12, grant: 14, release: 20, gone: 22 })
      .remove('p2/1/1', 1, 11, { op: 'acquire', key: 'wait' });
    expect(judged(queued)).toBe('holds');
    // Of another lock's key nothing is known by that.
    const other = history()
      .ask('p1/1/1', 0, { resource: 'b' })
      .set('p1/1/1', 1, 1, list)
      .crash('p1', 2)
      .held('p2/1/1', { ask: 10, votes: 12, grant: 14, release: 20, gone: 22 })
      .remove('p2/1/1', 1, 11, { op: 'acquire', key: 'wait' });
    expect(judged(other)).toBe('violated/library');
  });

  it('leaves a list alone that somebody leaves for the lock, granted or not', () => {
    const left = (command: number, key: string) =>
      history()
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 1, { key: 'wait', ttlMs: null })
        .ask('p2/1/1', 10)
        .remove('p2/1/1', 1, 11, { op: 'acquire', key: 'wait', command: 900 })
        .set('p2/1/1', 1, 11, { key, command })
        .crash('p2', 12);
    expect(judged(left(900, 'a'))).toBe('holds');
    // By another command it is no exchange, and a key that is set anew is taken over.
    expect(judged(left(901, 'a'))).toBe('violated/library');
    expect(judged(left(900, 'wait'))).toBe('violated/library');
  });

  it('lets anybody take an entry out of a key, and nobody the key itself', () => {
    const popped = (...args: string[]) =>
      history()
        .ask('p1/1/1', 0)
        .set('p1/1/1', 1, 1, { key: 'marker', ttlMs: null })
        .ask('p2/1/1', 10)
        .remove('p2/1/1', 1, 11, { op: 'acquire', key: 'marker', args });
    expect(judged(popped('bzpopmin', 'marker', '5'))).toBe('holds');
    expect(judged(popped('LPOP', 'marker'))).toBe('holds');
    expect(judged(popped('UNLINK', 'marker'))).toBe('violated/library');
  });

  it('takes a key without a TTL for the lock where nothing else is', () => {
    const eternal = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, ttlMs: null })
      .ask('p2/1/1', 1)
      .remove('p2/1/1', 1, 10);
    expect(judged(eternal)).toBe('violated/library');
  });

  it('lets a task clean up what is left of its own finished attempt', () => {
    const leftover = (over: boolean) => {
      const built = history().ask('p1/1/1', 0).set('p1/1/1', 1, 30);
      if (over) built.fail('p1/1/1', 20);
      return built.ask('p1/1/2', 40).remove('p1/1/2', 1, 45, { op: 'acquire' });
    };
    expect(judged(leftover(true))).toBe('holds');
    expect(judged(leftover(false))).toBe('violated/library');
  });

  it('is unknown where tasks share a client and either may have sent the command', () => {
    const ambiguous = history(shared)
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .ask('p1/2/1', 1)
      .remove('p1/2/1', 1, 10);
    expect(judged(ambiguous)).toBe('unknown');
    const clear = history(shared)
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .ask('p2/1/1', 1)
      .remove('p2/1/1', 1, 10);
    expect(judged(clear)).toBe('violated/library');
  });

  it('is unknown where no command touched a key', () => {
    expect(judged(history().ask('p1/1/1', 0))).toBe('unknown');
  });
});
