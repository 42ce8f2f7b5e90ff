/** One lock inside another, and the order in which they are asked for. */
import { describe, expect, it } from 'vitest';
import type { History, HistoryEvent } from '../history/events.js';
import { eventsOf, lockModule, simulated } from '../testing/simulated.js';

/** Calls of the lock as they were made: `acquire a`, `release b`. */
function calls(history: History): string[] {
  const resources = new Map<string, string>();
  return history.events.flatMap((event: HistoryEvent) => {
    if (event.kind === 'acquire' && event.phase === 'invoke') {
      resources.set(event.hold, event.resource);
      return [`acquire ${event.resource}`];
    }
    return event.kind === 'release' && event.phase === 'invoke'
      ? [`release ${resources.get(event.hold)}`]
      : [];
  });
}

const two = { resources: ['a', 'b'], workMs: 10, steps: 1 };
const nested = { ...two, nested: true };

describe('the order', () => {
  it('is that of the resources, unless it is given', async () => {
    const rounds = { ...two, rounds: 3 };
    const plain = await simulated({ workload: rounds });
    expect(calls(plain).filter((call) => call.startsWith('acquire'))).toEqual([
      'acquire a',
      'acquire b',
      'acquire a',
    ]);
    const given = await simulated({ workload: { ...rounds, order: ['b', 'a', 'a'] } });
    expect(calls(given).filter((call) => call.startsWith('acquire'))).toEqual([
      'acquire b',
      'acquire a',
      'acquire a',
    ]);
  });

  it('may be another for each process', async () => {
    const history = await simulated({
      processes: { count: 2 },
      workload: two,
      overrides: { p2: { workload: { order: ['b', 'a'] } } },
    });
    const asked = eventsOf(history, 'acquire', ({ phase }) => phase === 'invoke');
    expect(asked.map((event) => [event.host, event.phase === 'invoke' && event.resource])).toEqual([
      ['p1', 'a'],
      ['p2', 'b'],
    ]);
  });
});

describe('nested', () => {
  it('works at each as soon as it has it, and releases them inside out', async () => {
    const history = await simulated({ workload: { ...nested, rounds: 2 } });
    const round = ['acquire a', 'acquire b', 'release b', 'release a'];
    expect(calls(history)).toEqual([...round, ...round]);
    const uses = eventsOf(history, 'use', ({ phase }) => phase === 'invoke');
    expect(uses.map((use) => [use.hold, use.resource])).toEqual([
      ['p1/1/1', 'a'],
      ['p1/1/2', 'b'],
      ['p1/1/3', 'a'],
      ['p1/1/4', 'b'],
    ]);
  });

  it('gives up what it has when it does not get the next', async () => {
    const refuses = lockModule(
      `if (resource === 'b') throw Object.assign(new Error('held'), { name: 'NotAcquired' });
       return { release: async () => {} };`,
    );
    const history = await simulated({ workload: { ...nested, order: ['a', 'b', 'a'] } }, refuses);
    expect(calls(history)).toEqual(['acquire a', 'acquire b', 'release a']);
  });

  it('goes no deeper when it has stopped working', async () => {
    // A write without a token is refused by a fenced storage.
    const history = await simulated({ workload: nested, resource: { fenced: true } });
    expect(calls(history)).toEqual(['acquire a', 'release a']);
  });

  it('looks at all that it holds, from the outside in', async () => {
    const history = await simulated({ workload: { ...nested, workMs: 600, discipline: 'checks' } });
    // The claim of the outer one, which was granted at 10, has ended by the time of the inner one's step.
    expect(eventsOf(history, 'check').map(({ hold, held }) => [hold, held])).toEqual([
      ['p1/1/1', true],
      ['p1/1/1', false],
    ]);
  });

  it('renews and watches each of them', async () => {
    const history = await simulated({
      workload: { ...nested, workMs: 700, extend: { atFraction: 0.5, max: 1 } },
    });
    const extended = eventsOf(history, 'extend', ({ phase }) => phase === 'ok').map(({ hold }) => hold);
    expect(extended).toEqual(['p1/1/1', 'p1/1/2']);
    const applied = eventsOf(history, 'apply', ({ op }) => op === 'extend').map(({ hold }) => hold);
    expect(new Set(applied)).toEqual(new Set(['p1/1/1', 'p1/1/2']));
    const watched = await simulated({
      lock: { options: { watchdog: true } },
      workload: { ...nested, workMs: 700 },
    });
    const moved = eventsOf(watched, 'extend', ({ phase }) => phase === 'info').map(({ hold }) => hold);
    expect(new Set(moved)).toEqual(new Set(['p1/1/1', 'p1/1/2']));
  });

  it('of one thing twice waits for itself', async () => {
    const history = await simulated({
      lock: { options: { retryCount: 1_000_000, watchdog: true } },
      workload: { workMs: 0, steps: 0, order: ['a', 'a'], nested: true },
      limits: { virtualMs: 5000 },
    });
    expect(calls(history)).toEqual(['acquire a', 'acquire a']);
    expect(history.events.at(-1)).toMatchObject({ kind: 'end', reason: 'virtual-time' });
    const entered = await simulated(
      { workload: { workMs: 0, steps: 0, order: ['a', 'a'], nested: true } },
      'pitfall/reentrant-count',
    );
    expect(calls(entered)).toEqual(['acquire a', 'acquire a', 'release a', 'release a']);
  });
});
