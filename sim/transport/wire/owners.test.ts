/** Whose a command is: each task's sockets are its own, however late they are opened. */
import { describe, expect, it } from 'vitest';
import type { History } from '../../history/events.js';
import { eventsOf } from '../../testing/simulated.js';
import { program } from './testing.js';

/** Commands with the task and the operation that they belong to. */
const owned = (history: History, ...names: string[]): string[] =>
  eventsOf(history, 'apply', ({ args }) => names.includes(args[0]!.toUpperCase())).map(
    ({ by, task, hold, op, args }) => `${by}.${task} ${hold} ${op} ${args.slice(1).join(' ')}`,
  );

const TWO_TASKS = { processes: { tasks: 2 }, workload: { steps: 0, workMs: 20, rounds: 2, thinkMs: 5 } };

describe('a command belongs', () => {
  it('to the task of its client', async () => {
    const history = await program(`await redis.incr('n');`, TWO_TASKS);
    expect(owned(history, 'INCR')).toEqual([
      'p1.1 p1/1/1 acquire n',
      'p1.2 p1/2/1 acquire n',
      'p1.1 p1/1/2 acquire n',
      'p1.2 p1/2/2 acquire n',
    ]);
  });

  it('to the task that opened a client later: after an await, a timer, an immediate, or from a listener', async () => {
    const history = await program(
      `const late = async (name) => { const own = redis.duplicate(); own.on('error', () => {}); await own.set(name, resource); };
       await redis.get('x'); await late('reply');
       await sleep(3); await late('timer');
       await new Promise((resolve) => setImmediate(resolve)); await late('immediate');
       await new Promise((resolve) => process.nextTick(resolve)); await late('tick');`,
      { ...TWO_TASKS, workload: { ...TWO_TASKS.workload, rounds: 1 } },
    );
    const set = owned(history, 'SET');
    expect(set).toHaveLength(8);
    for (const name of ['reply', 'timer', 'immediate', 'tick'])
      expect(set.filter((command) => command.includes(` ${name} `)).sort()).toEqual([
        `p1.1 p1/1/1 acquire ${name} a`,
        `p1.2 p1/2/1 acquire ${name} a`,
      ]);
  });

  it('to the hold, while nothing of the task is open', async () => {
    const history = await program(`setTimeout(() => redis.incr('n'), 50);`, {
      workload: { steps: 0, workMs: 100 },
    });
    expect(owned(history, 'INCR')).toEqual(['p1.1 p1/1/1 hold n']);
  });

  it('to nobody in particular where tasks share their clients and both are busy', async () => {
    const history = await program(`await redis.incr('n');`, {
      processes: { tasks: 2, sharedClient: true },
      workload: { steps: 0, workMs: 20, startMs: [0, 8] },
      seed: 3,
    });
    const hosts = new Set(eventsOf(history, 'apply').map(({ task }) => task));
    expect([...hosts]).toContain('?');
  });

  it('to the next life of a process that restarts', async () => {
    const history = await program(`await redis.incr('n'); await sleep(100);`, {
      faults: [{ atMs: 60, do: 'crash', host: 'p1', restartAfterMs: 100 }],
    });
    expect(owned(history, 'INCR')).toEqual(['p1.1 p1/1/1 acquire n', 'p1.1 p1/1/2 acquire n']);
    expect(history.events.at(-1)).toMatchObject({ kind: 'end', reason: 'done' });
  });
});
