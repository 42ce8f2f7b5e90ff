/** Bytes on their way: order, loss, and what a broken connection loses. */
import { describe, expect, it } from 'vitest';
import { eventsOf, lockModule, printed, simulated, timesOf } from '../testing/simulated.js';

/** Two commands in a row on one connection, then nothing. */
const TWO = lockModule(`
  const [redis] = env.clients;
  const first = redis.set('a', 1);
  const second = redis.set('b', 2);
  await Promise.all([first, second]).catch(() => {});
  console.log(String(performance.now()));
  return { release: async () => {} };`);

const idle = { workload: { workMs: 0, steps: 0 } };
const keysSet = (event: { args: string[] }) => event.args[0] === 'SET';

describe('one connection', () => {
  it('keeps its bytes in order: a late message keeps back what follows it', async () => {
    const history = await simulated(
      { ...idle, faults: [{ on: { event: 'sent', process: 'p1', nth: 1 }, do: 'delay', byMs: 70 }] },
      TWO,
    );
    const sets = eventsOf(history, 'apply', keysSet);
    expect(sets.map(({ tUs, args }) => [tUs / 1000, args[1]])).toEqual([
      [75, 'a'],
      [75, 'b'],
    ]);
  });

  it('keeps them in order over latencies that vary', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const history = await simulated({ ...idle, seed, network: { latencyMs: [1, 50] } }, TWO);
      expect(eventsOf(history, 'apply', keysSet).map(({ args }) => args[1])).toEqual(['a', 'b']);
    }
  });
});

describe('separate connections', () => {
  it('race', async () => {
    const orders = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const history = await simulated(
        { ...idle, seed, servers: { count: 3 }, network: { latencyMs: [1, 50] } },
        'redlock',
      );
      orders.add(
        eventsOf(history, 'apply', keysSet)
          .map(({ host }) => host)
          .join(' '),
      );
    }
    expect(orders.size).toBeGreaterThan(3);
  });
});

describe('loss', () => {
  it('delays a segment by the time to send it again, doubling, and loses nothing', async () => {
    const times = new Set<number>();
    for (let seed = 1; seed <= 30; seed++) {
      const history = await simulated({ ...idle, seed, network: { latencyMs: 5, loss: 0.4 } }, TWO);
      expect(eventsOf(history, 'apply', keysSet)).toHaveLength(2);
      times.add(timesOf(history, 'apply', keysSet)[0]!);
    }
    expect([...times].sort((a, b) => a - b).slice(0, 3)).toEqual([5, 205, 605]);
  });

  it('without end breaks the connection after the time it is tried', async () => {
    const history = await simulated({ ...idle, network: { latencyMs: 5, loss: 1, giveUpMs: 3000 } }, TWO);
    expect(eventsOf(history, 'apply')).toEqual([]);
    expect(eventsOf(history, 'reply').slice(0, 2)).toMatchObject([
      { tUs: 3_000_000, outcome: 'disconnected' },
      { tUs: 3_000_000, outcome: 'disconnected' },
    ]);
    expect(printed(history)).toEqual(['3000']);
  });
});

describe('a connection whose program crashed', () => {
  it('delivers what is on the wire, not what a cut keeps back', async () => {
    const crash = { atMs: 3, do: 'crash', host: 'p1' } as const;
    const cut = { atMs: 2, do: 'partition', from: 'p1', to: 'redis-1', forMs: 50 } as const;
    expect(timesOf(await simulated({ ...idle, faults: [crash] }, TWO), 'apply')).toEqual([5, 5]);
    // Cut at 2, the bytes that would have arrived at 5 were kept back when the machine that would send them again went down.
    const kept = await simulated({ ...idle, faults: [cut, { ...crash, atMs: 20 }] }, TWO);
    expect(eventsOf(kept, 'apply')).toEqual([]);
  });
});
