import { describe, expect, it } from 'vitest';
import { figuresOf, otherFigures } from './observe.js';
import { history } from './testing/history.js';

/** p1 is granted after 4 ms and again after 30; p2 fails after 50 and then asks in vain to the end of the run. */
const run = () =>
  history()
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 10, gone: 12 })
    .held('p1/1/2', { ask: 60, votes: 88, grant: 90, until: 1074 })
    .ask('p2/1/1', 5)
    .apply('p2/1/1', 1, 7)
    .apply('p2/1/1', 1, 30)
    .fail('p2/1/1', 55)
    .ask('p2/1/2', 100)
    .end(400)
    .build();

describe('figures', () => {
  it('count what a process asked for and what came of it', () => {
    expect(figuresOf(run(), 'p1')).toEqual({
      asked: 2,
      granted: 2,
      commands: 2,
      waitedMs: 30,
      error: null,
      errorCause: null,
      releaseMs: 3,
      releaseError: null,
    });
    expect(figuresOf(run(), 'p2')).toMatchObject({
      asked: 2,
      granted: 0,
      commands: 2,
      waitedMs: 300,
      error: 'NotAcquired',
    });
    expect(figuresOf(run(), 'p3')).toMatchObject({ asked: 0, waitedMs: 0, error: null });
  });

  it('tell how a release went, and what stood behind an error', () => {
    const { header, events } = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 10 })
      .ask('p2/1/1', 5)
      .fail('p2/1/1', 55)
      .end(400)
      .build();
    const failed = events.map((event) =>
      event.kind === 'acquire' && event.phase === 'fail'
        ? { ...event, error: { ...event.error, cause: 'LockError' } }
        : event,
    );
    const run = { header, events: failed };
    expect(figuresOf(run, 'p1')).toMatchObject({ releaseMs: 390, releaseError: null, errorCause: null });
    expect(figuresOf(run, 'p2')).toMatchObject({ error: 'NotAcquired', errorCause: 'LockError' });
  });

  it('are compared with numbers, ranges and names', () => {
    const as = { p1: { granted: 2, waitedMs: [30, 31], error: null }, p2: { error: 'NotAcquired' } };
    expect(otherFigures(run(), as)).toEqual([]);
    expect(otherFigures(run(), undefined)).toEqual([]);
    expect(otherFigures(run(), { p1: { granted: 1, waitedMs: [0, 29.9], error: 'LockLost' } })).toEqual([
      { figure: 'observe.p1.granted', expected: '1', found: '2' },
      { figure: 'observe.p1.waitedMs', expected: '0 to 29.9', found: '30' },
      { figure: 'observe.p1.error', expected: 'LockLost', found: 'null' },
    ]);
  });
});
