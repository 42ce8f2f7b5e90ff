/** no-orphan where an asker is kept out by its own key. */
import { expect, it } from 'vitest';
import type { History } from '../../sim/history/events.js';
import { judge } from '../judge.js';
import { history, type HistoryBuilder } from '../testing/history.js';

/** One way: 5 ms. A refusal and a clean-up that tells its script first take four. */
const FOUR_WAYS_MS = 20;

const SET = ['set', 'lock:a', 'v', 'PX', '1000', 'NX'];

/** The same history, with what each command of an acquire was; `others` says what those with other numbers than the SET's were. */
function spelled(builder: HistoryBuilder, others: readonly string[] = SET): History {
  const { header, events } = builder.build();
  return {
    header,
    events: events.map((event) =>
      event.kind === 'apply' ? { ...event, args: event.command === 1 ? SET : [...others] } : event,
    ),
  };
}

function judged(builder: HistoryBuilder, others?: readonly string[]): string {
  const verdict = judge(spelled(builder, others)).verdicts['no-orphan'];
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}

/** On one server, where a time-out of the whole ttl would be waited for: only the refusal makes it an orphan. */
const asked = () => history().ask('p1/1/1', 0).set('p1/1/1', 1, 10, { command: 1 });
const refused = () => asked().apply('p1/1/1', 1, 100, { reply: '(nil)', command: 2 });

it('is violated by a key that keeps out its own setter', () => {
  const own = refused().expired(1, 1011).set('p1/1/1', 1, 1100, { command: 3 }).grant('p1/1/1', 1105);
  expect(judged(own)).toBe('violated/library');
  const verdict = judge(spelled(own)).verdicts['no-orphan'];
  expect(verdict).toMatchObject({ atUs: (100 + FOUR_WAYS_MS) * 1000 });
  expect(verdict).toHaveProperty(
    'reason',
    expect.stringContaining('after its own setter asked again and was refused at 100 ms'),
  );
});

it('is so, too, where the very same command was sent again', () => {
  expect(judged(asked().apply('p1/1/1', 1, 100, { reply: '(nil)', command: 1 }).expired(1, 1011))).toBe(
    'violated/library',
  );
});

it('holds where the refused asker removes it in time, and not a moment later', () => {
  const cleaned = (at: number) => refused().remove('p1/1/1', 1, at, { op: 'acquire' }).fail('p1/1/1', 150);
  expect(judged(cleaned(100 + FOUR_WAYS_MS))).toBe('holds');
  expect(judged(cleaned(100.001 + FOUR_WAYS_MS))).toBe('violated/library');
});

it('holds where the asker takes its own key for what it is', () => {
  expect(judged(refused().grant('p1/1/1', 105, { until: 1000 }).release('p1/1/1', 900).end(1000))).toBe(
    'holds',
  );
  // An answer that renews the key is none that refuses.
  const renewed = asked().expireIn('p1/1/1', 1, 100, 500, 'acquire').expired(1, 601);
  expect(judged(renewed)).toBe('holds');
});

it('takes nothing else for asking again', () => {
  expect(judged(asked().expired(1, 1011))).toBe('holds');
  expect(judged(refused().expired(1, 1011), ['get', 'lock:a'])).toBe('holds');
  expect(judged(refused().expired(1, 1011), ['set', 'lock:b', 'v'])).toBe('holds');
  const told = asked().apply('p1/1/1', 1, 100, { reply: '-NOSCRIPT', command: 2 }).expired(1, 1011);
  expect(judged(told)).toBe('holds');
  expect(judged(asked().apply('p2/1/1', 1, 100, { reply: '(nil)', command: 2 }).expired(1, 1011))).toBe(
    'holds',
  );
});

it('excuses a setter that is paused, and a clean-up that the network kept', () => {
  expect(judged(refused().pause('p1', 101, 500).remove('p1/1/1', 1, 510, { op: 'acquire' }))).toBe('holds');
  const cut = refused().link('p1', 'redis-1', 105, 'cut').remove('p1/1/1', 1, 500, { op: 'acquire' });
  expect(judged(cut)).toBe('violated/infrastructure');
});

it('says so where a renewal that was under way sets the key again after its release', () => {
  const renewed = (gone?: number) => {
    const built = history({ scenario: { bounds: { orphanMs: 50 } } })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, release: 100, gone: 105 })
      .set('p1/1/1', 1, 106, { ttlMs: 1000 });
    return judge((gone === undefined ? built : built.remove('p1/1/1', 1, gone)).end(2000).build()).verdicts[
      'no-orphan'
    ];
  };
  expect(renewed(156).verdict).toBe('holds');
  expect(renewed()).toMatchObject({
    blame: 'library',
    reason:
      'p1/1/1 set its key on redis-1 at 106 ms, after its release was invoked at 100 ms, and it lived on for more than 50 ms, to the end of the run: nothing deleted it in time',
  });
});

it('sees a clean-up that a held link delivers when the key is gone', () => {
  const late = (others: readonly string[], link: boolean) => {
    const built = history({ scenario: { bounds: { orphanMs: 50 } } })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 10, { command: 1 })
      .expired(1, 1011)
      .apply('p1/1/1', 1, 1200, { reply: ':0', command: 2 });
    if (link) built.link('p1', 'redis-1', 12, 'held').link('p1', 'redis-1', 1199, 'released');
    return judged(built.fail('p1/1/1', 1300), others);
  };
  const cleanUp = ['eval', 'a script', '1', 'lock:a', 'v'];
  expect(late(cleanUp, true)).toBe('violated/infrastructure');
  // Nothing kept it: it was sent too late. And what asks again cleans nothing up.
  expect(late(cleanUp, false)).toBe('violated/library');
  expect(late(SET, true)).toBe('violated/library');
});

it('takes a key that only runs out, beside one that is looked after, for a note', () => {
  const noted = (gone?: number) =>
    history({ scenario: { bounds: { orphanMs: 10 } } })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 2, { key: 'note' })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, release: 100, gone })
      .expired(1, 1003, 'note')
      .end(2000);
  expect(judged(noted(105))).toBe('holds');
  // Nobody looks after either: both are the lock's, as far as one can tell.
  expect(judged(noted())).toBe('violated/library');
});
