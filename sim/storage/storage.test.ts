import { describe, expect, it } from 'vitest';
import { eventsOf, simulated, timesOf } from '../testing/simulated.js';

const crashAtFirstUse = {
  on: { event: 'used', process: 'p1', nth: 1, afterMs: 1 },
  do: 'crash',
  host: 'storage',
} as const;

describe('the storage', () => {
  it('takes a read, then a write, each sent one way before', async () => {
    const history = await simulated({});
    const arrivals = eventsOf(history, 'use', ({ phase }) => phase === 'ok');
    expect(arrivals.map((use) => 'sentUs' in use && use.tUs - use.sentUs)).toEqual([5000, 5000]);
  });

  it('is down: the section ends with the connection, and the lock is released', async () => {
    const history = await simulated({ faults: [crashAtFirstUse] });
    expect(eventsOf(history, 'use', ({ phase }) => phase !== 'invoke')).toEqual([]);
    expect(timesOf(history, 'release', ({ phase }) => phase === 'invoke')).toEqual(timesOf(history, 'crash'));
    expect(eventsOf(history, 'release', ({ phase }) => phase === 'ok')).toHaveLength(1);
  });

  it('refuses a connection opened while it is down, and takes uses again when it is back', async () => {
    const history = await simulated({
      workload: { workMs: 100, rounds: 2, thinkMs: 0 },
      faults: [{ atMs: 0, do: 'crash', host: 'storage', restartAfterMs: 25 }],
    });
    const uses = eventsOf(history, 'use');
    // The first round finds it down at 15 ms; the second one reads at 35 ms.
    expect(uses.filter(({ phase }) => phase === 'invoke').map(({ use }) => use)).toEqual([0, 1, 2]);
    expect(uses.filter(({ phase }) => phase === 'ok').map(({ use }) => use)).toEqual([1, 2]);
  });

  it('loses a connection in the middle of a step: the process hears of it in a step of its own', async () => {
    const history = await simulated({
      faults: [{ on: { event: 'used', process: 'p1', nth: 1 }, do: 'reset', from: 'p1', to: 'storage' }],
    });
    const [use] = eventsOf(history, 'use', ({ phase }) => phase === 'invoke');
    const [release] = eventsOf(history, 'release', ({ phase }) => phase === 'invoke');
    expect(release!.tUs).toBe(use!.tUs);
    expect(release!.step).toBe((use as { step: number }).step + 1);
  });

  it('a paused process hears of it when it resumes', async () => {
    const history = await simulated({
      faults: [
        { on: { event: 'used', process: 'p1', nth: 1 }, do: 'pause', forMs: 300 },
        { on: { event: 'used', process: 'p1', nth: 1, afterMs: 50 }, do: 'reset', from: 'p1', to: 'storage' },
      ],
    });
    const [pause] = eventsOf(history, 'pause');
    expect(timesOf(history, 'release', ({ phase }) => phase === 'invoke')).toEqual([pause!.untilUs / 1000]);
  });
});
