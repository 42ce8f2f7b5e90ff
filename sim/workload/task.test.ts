/** What the program does with a lock, and what is recorded of it. */
import { describe, expect, it } from 'vitest';
import { eventsOf, lockModule, simulated, timesOf } from '../testing/simulated.js';

const invoked = (event: { phase: string }) => event.phase === 'invoke';

describe('a section', () => {
  it('spreads its work between the steps; each awaits the answer of the storage', async () => {
    const history = await simulated({ workload: { workMs: 90, steps: 4 } });
    const uses = eventsOf(history, 'use', invoked);
    expect(uses.map(({ tUs }) => tUs / 1000)).toEqual([10, 50, 90, 130]);
    expect(uses.map((use) => use.op)).toEqual(['read', 'write', 'read', 'write']);
    expect(timesOf(history, 'release', invoked)).toEqual([140]);
  });

  it('of one step works first and then writes; of none only works', async () => {
    const one = await simulated({ workload: { workMs: 90, steps: 1 } });
    expect(eventsOf(one, 'use', invoked).map(({ tUs, op }) => [tUs / 1000, op])).toEqual([[100, 'write']]);
    const none = await simulated({ workload: { workMs: 90, steps: 0 } });
    expect(eventsOf(none, 'use')).toEqual([]);
    expect(timesOf(none, 'release', invoked)).toEqual([100]);
  });

  it('is repeated, round by round, on the resources in turn, with time to think', async () => {
    const history = await simulated({
      workload: { workMs: 0, steps: 0, rounds: 3, thinkMs: 7, resources: ['a', 'b'] },
    });
    const asked = eventsOf(history, 'acquire', invoked);
    expect(asked.map((event) => [event.tUs / 1000, event.phase === 'invoke' && event.resource])).toEqual([
      [0, 'a'],
      [27, 'b'],
      [54, 'a'],
    ]);
    expect(asked.map(({ hold }) => hold)).toEqual(['p1/1/1', 'p1/1/2', 'p1/1/3']);
  });

  it('ends at a refused use', async () => {
    // A write without a token is refused by a fenced storage.
    const history = await simulated({ workload: { workMs: 0, steps: 4 }, resource: { fenced: true } });
    expect(eventsOf(history, 'use', ({ phase }) => phase !== 'invoke').map(({ phase }) => phase)).toEqual([
      'ok',
      'fail',
    ]);
  });

  it('of several tasks has clients and holds of its own', async () => {
    const history = await simulated({ processes: { count: 1, tasks: 2 }, workload: { workMs: 20 } });
    const asked = eventsOf(history, 'acquire', invoked).map(({ hold }) => hold);
    expect(asked).toEqual(['p1/1/1', 'p1/2/1']);
    expect(eventsOf(history, 'acquire', ({ phase }) => phase === 'ok')).toHaveLength(2);
  });
});

describe('disciplines', () => {
  /** The claim ends at 988; checks fall on 10, 520 and 1030. */
  const late = (discipline: 'naive' | 'checks' | 'heeds') =>
    simulated({ workload: { workMs: 1000, steps: 3, discipline } });

  it('naive works on and never looks', async () => {
    const history = await late('naive');
    expect(timesOf(history, 'use', invoked)).toEqual([10, 520, 1030]);
    expect(eventsOf(history, 'check')).toEqual([]);
  });

  it.each(['checks', 'heeds'] as const)(
    '%s stops at the first step that finds it lost',
    async (discipline) => {
      const history = await late(discipline);
      expect(timesOf(history, 'use', invoked)).toEqual([10, 520]);
      expect(eventsOf(history, 'check').map(({ tUs, held }) => [tUs / 1000, held])).toEqual([
        [10, true],
        [520, true],
        [1030, false],
      ]);
      expect(timesOf(history, 'lost')).toEqual([988]);
      expect(timesOf(history, 'release', invoked)).toEqual([1030]);
    },
  );
});

describe('renewal by hand', () => {
  it('comes at the fraction of the ttl, again and again, and moves the claim', async () => {
    const history = await simulated({
      workload: { workMs: 1600, steps: 0, extend: { atFraction: 0.5, max: 10 } },
    });
    expect(timesOf(history, 'extend', invoked)).toEqual([510, 1020, 1530]);
    const claims = eventsOf(history, 'extend', ({ phase }) => phase === 'ok');
    expect(claims.map((event) => event.phase === 'ok' && event.claim?.endMs)).toEqual([1498, 2008, 2518]);
    expect(timesOf(history, 'release', invoked)).toEqual([1610]);
  });

  it('comes so many times at most, and its failure is recorded', async () => {
    const twice = await simulated({
      workload: { workMs: 1600, steps: 0, extend: { atFraction: 0.5, max: 2 } },
    });
    expect(timesOf(twice, 'extend', invoked)).toEqual([510, 1020]);
    const failed = await simulated({
      workload: { workMs: 900, steps: 0, extend: { atFraction: 0.5, max: 2 } },
      faults: [{ atMs: 100, do: 'crash', host: 'redis-1', restartAfterMs: 50 }],
    });
    expect(eventsOf(failed, 'extend', ({ phase }) => phase === 'fail')).toMatchObject([
      { error: { name: 'LockLost' } },
    ]);
  });

  it('of the lock itself is seen by its claim', async () => {
    const history = await simulated({
      lock: { options: { watchdog: true } },
      workload: { workMs: 800, steps: 0 },
    });
    const moved = eventsOf(history, 'extend');
    expect(moved.map((event) => [event.phase, event.phase === 'info' && event.claim.endMs])).toEqual([
      ['info', 1321],
      ['info', 1654],
    ]);
  });

  it('of the lock itself is seen while a renewal by hand is open', async () => {
    // The lock renews at 333 and hears of it at 343; the renewal by hand, asked at 335, waits for that.
    const history = await simulated({
      lock: { options: { watchdog: true } },
      workload: { workMs: 500, steps: 0, extend: { atFraction: 0.325, max: 1 } },
    });
    const seen = eventsOf(history, 'extend');
    expect(
      seen.map((event) => [event.tUs / 1000, event.phase, 'claim' in event ? event.claim?.endMs : undefined]),
    ).toEqual([
      [335, 'invoke', undefined],
      [343, 'info', 1321],
      [353, 'ok', 1331],
    ]);
  });
});

describe('asking', () => {
  it('is withdrawn by its signal', async () => {
    const history = await simulated({
      workload: { withdrawAfterMs: 30 },
      faults: [{ atMs: 0, do: 'hold', from: 'redis-1', to: 'p1', forMs: 100 }],
    });
    expect(eventsOf(history, 'acquire').map(({ tUs, phase }) => [tUs / 1000, phase])).toEqual([
      [0, 'invoke'],
      [30, 'info'],
      [30, 'fail'],
    ]);
  });

  it('that is refused ends in a failure with the words of the lock', async () => {
    const history = await simulated({
      processes: { count: 2 },
      workload: { workMs: 500 },
      overrides: { p2: { workload: { startMs: 50 }, lock: { options: { retryCount: 0 } } } },
    });
    expect(eventsOf(history, 'acquire', ({ phase }) => phase === 'fail')).toMatchObject([
      { host: 'p2', error: { name: 'NotAcquired' } },
    ]);
  });

  it('that nothing can settle any more is recorded as pending', async () => {
    const history = await simulated({}, lockModule('await new Promise(() => {});'));
    expect(eventsOf(history, 'pending')).toMatchObject([{ hold: 'p1/1/1', op: 'acquire' }]);
    expect(eventsOf(history, 'end')).toMatchObject([{ reason: 'done' }]);
  });

  it('records the servers whose votes had been heard', async () => {
    const history = await simulated({ servers: { count: 3 } }, 'redlock');
    const [ok] = eventsOf(history, 'acquire', ({ phase }) => phase === 'ok');
    expect(ok).toMatchObject({ votes: ['redis-1', 'redis-2'] });
  });
});

describe('trouble', () => {
  it('an unhandled rejection is charged to its process', async () => {
    const lock = lockModule(
      `void Promise.reject(new Error('nobody heard')); return { release: async () => {} };`,
    );
    const history = await simulated({ workload: { workMs: 0, steps: 0 } }, lock);
    expect(eventsOf(history, 'trouble')).toMatchObject([
      { host: 'p1', what: 'unhandled-rejection', error: { message: 'nobody heard' } },
    ]);
  });

  it("an unhandled rejection of a promise library of the program's own is charged to it too", async () => {
    const lock = lockModule(
      `const Bluebird = require('bluebird');
       Bluebird.reject(new Error('nobody heard')); return { release: async () => {} };`,
    );
    const history = await simulated({ workload: { workMs: 100, steps: 0 } }, lock);
    expect(eventsOf(history, 'trouble')).toMatchObject([
      { host: 'p1', what: 'unhandled-rejection', error: { message: 'nobody heard' } },
    ]);
  });

  it('a hot loop ends the run', async () => {
    const lock = lockModule(`for (;;) await new Promise((resolve) => setImmediate(resolve));`);
    const history = await simulated({}, lock);
    expect(eventsOf(history, 'trouble')).toMatchObject([{ what: 'hot-loop' }]);
    expect(eventsOf(history, 'end')).toMatchObject([{ reason: 'hot-loop' }]);
  });

  it('a way out of the simulation ends the run', async () => {
    const history = await simulated({}, lockModule(`fetch('http://redis');`));
    expect(eventsOf(history, 'end')).toMatchObject([{ reason: 'escape' }]);
  });
});
