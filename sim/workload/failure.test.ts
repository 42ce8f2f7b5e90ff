/** Work that fails: who is told, and what counts as keeping it from the caller. */
import { describe, expect, it } from 'vitest';
import { eventsOf, lockModule, simulated } from '../testing/simulated.js';

const failing = { workload: { workMs: 20, steps: 0, workFails: true } } as const;

/** A lock that runs the work itself; the text is what its call does with the error of the work. */
const running = (fail: string): string =>
  lockModule(`return { release: async () => {}, fail: async (error) => { ${fail} } };`);

const settled = (event: { phase: string }) => event.phase !== 'invoke';

describe('work that fails', () => {
  it.each([
    ['the error itself', 'throw error;'],
    [
      'an error with it as its cause',
      'throw new Error("over", { cause: new Error("on", { cause: error }) });',
    ],
    ['an aggregate with it', 'throw new AggregateError([new Error("other"), error]);'],
  ])('is told to the caller by %s', async (_how, fail) => {
    const history = await simulated(failing, running(fail));
    expect(eventsOf(history, 'release', settled)).toMatchObject([{ phase: 'ok', tUs: 20_000 }]);
    expect(eventsOf(history, 'trouble')).toEqual([]);
  });

  it('is hidden by another error', async () => {
    const history = await simulated(failing, running('throw new RangeError("the release failed");'));
    expect(eventsOf(history, 'release', settled)).toMatchObject([
      { phase: 'fail', error: { name: 'RangeError' } },
    ]);
    expect(eventsOf(history, 'trouble')).toMatchObject([
      {
        what: 'masked-error',
        host: 'p1',
        error: { name: 'WorkFailed', message: 'the work of p1/1/1 failed' },
        by: { name: 'RangeError', message: 'the release failed' },
      },
    ]);
  });

  it('is hidden by a call that succeeds', async () => {
    const history = await simulated(failing, running(''));
    const [trouble, ...more] = eventsOf(history, 'trouble');
    expect(trouble).toMatchObject({ what: 'masked-error', error: { name: 'WorkFailed' } });
    expect(trouble).not.toHaveProperty('by');
    expect(more).toEqual([]);
  });

  it('is not lost in causes that go round in circles', async () => {
    const fail = 'const a = new Error("a"); a.cause = new Error("b", { cause: a }); throw a;';
    const history = await simulated(failing, running(fail));
    expect(eventsOf(history, 'trouble')).toMatchObject([{ what: 'masked-error', by: { name: 'Error' } }]);
  });

  it('is of no concern to a lock that only locks', async () => {
    const lock = lockModule(`return { release: async () => { throw new Error('gone'); } };`);
    const history = await simulated(failing, lock);
    expect(eventsOf(history, 'release', settled)).toMatchObject([{ phase: 'fail' }]);
    expect(eventsOf(history, 'trouble')).toEqual([]);
  });

  it('ends the work there: what would be taken inside it is not asked for', async () => {
    const workload = { ...failing.workload, resources: ['a', 'b'], nested: true };
    const history = await simulated({ workload });
    expect(eventsOf(history, 'acquire', ({ phase }) => phase === 'invoke')).toMatchObject([
      { resource: 'a' },
    ]);
  });
});
