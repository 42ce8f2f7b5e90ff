import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated, timesOf } from '../testing/simulated.js';

type Faults = ScenarioInput['faults'];

/** p1: SET applied at 5, granted at 10, reads at 10 (answered at 20), writes at 120, releases at 130. */
const run = (faults: Faults, more: Partial<ScenarioInput> = {}) => simulated({ ...more, faults });
const applied = (name: string) => (event: { args: string[] }) => event.args[0] === name;
const invoked = (event: { phase: string }) => event.phase === 'invoke';

describe('a run without faults', () => {
  it('takes the time its links and its work take, and is all tail', async () => {
    const history = await run([]);
    expect(timesOf(history, 'apply', applied('SET'))).toEqual([5]);
    expect(timesOf(history, 'acquire')).toEqual([0, 10]);
    expect(timesOf(history, 'use')).toEqual([10, 15, 120, 125]);
    expect(timesOf(history, 'release')).toEqual([130, 140]);
    expect(timesOf(history, 'tail')).toEqual([0]);
  });
});

describe('pause', () => {
  it('inside a step: what the step has not sent yet leaves when it ends', async () => {
    const history = await run(
      [{ on: { event: 'checked', process: 'p1', nth: 2 }, do: 'pause', forMs: 500 }],
      { workload: { workMs: 100, discipline: 'checks' } },
    );
    expect(eventsOf(history, 'pause')).toMatchObject([{ tUs: 120_000, untilUs: 620_000, inStep: true }]);
    expect(timesOf(history, 'use', invoked)).toEqual([10, 620]);
    expect(timesOf(history, 'tail')).toEqual([620]);
  });

  it('between steps: messages and timers wait, and happen in order when it ends', async () => {
    const history = await run([{ atMs: 12, do: 'pause', host: 'p1', forMs: 500 }]);
    expect(eventsOf(history, 'pause')).toMatchObject([{ tUs: 12_000, untilUs: 512_000, inStep: false }]);
    // The read's answer of 20 is handled at 512, and the work starts then.
    expect(timesOf(history, 'use', invoked)).toEqual([10, 612]);
  });

  it('of a server: its commands wait, its clock does not', async () => {
    const history = await run([{ atMs: 2, do: 'pause', host: 'redis-1', forMs: 1500 }]);
    expect(timesOf(history, 'apply', applied('SET'))[0]).toBe(1502);
  });
});

describe('crash', () => {
  it('of a process: what it has sent arrives, nothing of it runs again', async () => {
    const history = await run([{ atMs: 1, do: 'crash', host: 'p1' }]);
    expect(timesOf(history, 'apply')).toEqual([5]);
    expect(timesOf(history, 'acquire')).toEqual([0]);
    expect(eventsOf(history, 'reply')).toEqual([]);
  });

  it('of a process in a pause inside its step: what the step has not sent yet is never sent', async () => {
    const history = await run(
      [
        { on: { event: 'checked', process: 'p1', nth: 2 }, do: 'pause', forMs: 500 },
        { atMs: 300, do: 'crash', host: 'p1' },
      ],
      { workload: { workMs: 100, discipline: 'checks' } },
    );
    expect(timesOf(history, 'use', invoked)).toEqual([10]);
  });

  it('of a process in the middle of its step: the rest of the step does nothing', async () => {
    const history = await run([{ on: { event: 'granted', process: 'p1' }, do: 'crash' }]);
    expect(timesOf(history, 'crash')).toEqual([10]);
    expect(eventsOf(history, 'use')).toEqual([]);
    const asking = await run([{ on: { event: 'asked', process: 'p1' }, do: 'crash' }]);
    expect(eventsOf(asking, 'apply')).toEqual([]);
  });

  it('of a process that restarts: its program begins anew, with new holds', async () => {
    const history = await run([{ atMs: 50, do: 'crash', host: 'p1', restartAfterMs: 1000 }]);
    const asked = eventsOf(history, 'acquire', invoked);
    expect(asked.map(({ tUs, hold }) => [tUs / 1000, hold])).toEqual([
      [0, 'p1/1/1'],
      [1050, 'p1/1/2'],
    ]);
    expect(timesOf(history, 'acquire', ({ phase }) => phase === 'ok')).toEqual([10, 1060]);
  });

  it.each([
    ['none', 'lost', ['set', 'lost']],
    ['rdb', 'lost', ['set', 'lost']],
    ['aof-always', 'kept', ['set', 'deleted']],
  ] as const)('of a server with persistence %s: its data is %s', async (persistence, data, effects) => {
    const history = await run([{ atMs: 20, do: 'crash', host: 'redis-1', restartAfterMs: 20 }], {
      servers: { persistence },
    });
    expect(eventsOf(history, 'restart')).toMatchObject([{ tUs: 40_000, data }]);
    expect(eventsOf(history, 'key').map(({ effect }) => effect)).toEqual(effects);
  });

  it('of a server: commands in flight are disconnected, later ones wait for it', async () => {
    const history = await run([{ atMs: 3, do: 'crash', host: 'redis-1', restartAfterMs: 20 }]);
    expect(eventsOf(history, 'reply')[0]).toMatchObject({ tUs: 3000, outcome: 'disconnected' });
    // The clean-up of the failed attempt goes out when the client is back (at 53, and a handshake of 10).
    expect(timesOf(history, 'apply')[0]).toBe(68);
  });
});

describe('shutdown', () => {
  it('saves all, where anything is ever saved; what expired meanwhile does not come back', async () => {
    const stop = (restartAfterMs: number): Faults => [
      { atMs: 20, do: 'shutdown', host: 'redis-1', restartAfterMs },
    ];
    const short = await run(stop(20), { servers: { persistence: 'rdb' } });
    expect(eventsOf(short, 'restart')).toMatchObject([{ data: 'kept' }]);
    expect(eventsOf(short, 'key').map(({ effect }) => effect)).toEqual(['set', 'deleted']);
    const long = await run(stop(2000), { servers: { persistence: 'rdb' } });
    expect(eventsOf(long, 'key').map(({ effect }) => effect)).toEqual(['set', 'expired']);
  });

  it('waits for replicas that lag, without taking writes: nothing that was acknowledged is lost', async () => {
    const writer = lockModule(`
      const [redis] = env.clients;
      await redis.set('a', 1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await redis.set('b', 2).catch((error) => console.log(error.message));
      await new Promise((resolve) => setTimeout(resolve, 2000));
      console.log(JSON.stringify(await redis.mget('a', 'b')));
      throw new Error('enough');`);
    const history = await simulated(
      {
        servers: { replicas: 1, replicationMs: 200 },
        faults: [
          { atMs: 100, do: 'shutdown', host: 'redis-1' },
          { atMs: 1500, do: 'promote', host: 'redis-1' },
        ],
      },
      writer,
    );
    // The replica says at 1000 what it has; that arrives at 1200, and the server looks ten times a second.
    expect(timesOf(history, 'crash')).toEqual([1200]);
    expect(eventsOf(history, 'promote')).toMatchObject([{ unreplicated: 0 }]);
    expect(printed(history)).toEqual(['Connection is closed.', '["1",null]']);
    expect(timesOf(history, 'tail')).toEqual([1500]);
  });

  it('waits for ten seconds at most', async () => {
    const history = await run(
      [
        { atMs: 1, do: 'partition', from: 'redis-1', to: 'redis-1-replica-1' },
        { atMs: 100, do: 'shutdown', host: 'redis-1', restartAfterMs: 1000 },
      ],
      { servers: { replicas: 1 }, workload: { workMs: 20_000 } },
    );
    expect(timesOf(history, 'crash')).toEqual([10_100]);
    expect(timesOf(history, 'restart')).toEqual([11_100]);
    expect(timesOf(history, 'tail')).toEqual([11_100]);
  });
});

describe('clocks', () => {
  it('a step of the server forward ends its keys early', async () => {
    const history = await run([{ atMs: 50, do: 'step-clock', host: 'redis-1', byMs: 960 }]);
    expect(timesOf(history, 'key', ({ effect }) => effect === 'expired')).toEqual([50]);
  });

  it('a step of the process leaves its timers alone', async () => {
    const history = await run([{ atMs: 50, do: 'step-clock', host: 'p1', byMs: -5000 }]);
    expect(timesOf(history, 'use', invoked)).toEqual([10, 120]);
  });

  it('a change of rate moves the timers that are under way', async () => {
    // From 20 on the timer of 100 ms runs on a clock that is twice as fast.
    const history = await run([{ atMs: 20, do: 'set-drift', host: 'p1', driftPpm: 999_999 }]);
    const [, second] = timesOf(history, 'use', invoked);
    expect(second).toBeCloseTo(70, 1);
  });
});

describe('partition', () => {
  it('keeps bytes back in both directions and delivers them, in order, when it heals', async () => {
    const history = await run([{ atMs: 7, do: 'partition', from: 'p1', to: 'redis-1', forMs: 93 }]);
    // The reply of 5 was on its way.
    expect(timesOf(history, 'acquire')).toEqual([0, 105]);
    expect(timesOf(history, 'tail')).toEqual([100]);
    expect(eventsOf(history, 'link').map(({ host, to, state }) => `${host}->${to} ${state}`)).toEqual([
      'p1->redis-1 cut',
      'redis-1->p1 cut',
      'p1->redis-1 whole',
      'redis-1->p1 whole',
    ]);
  });

  it('one way lets the other way pass', async () => {
    const history = await run([
      { atMs: 2, do: 'partition', from: 'redis-1', to: 'p1', oneWay: true, forMs: 98 },
    ]);
    expect(timesOf(history, 'apply')[0]).toBe(5);
    expect(timesOf(history, 'acquire')[1]).toBe(105);
  });

  it('that lasts breaks the connection when its bytes have waited too long', async () => {
    const history = await run([{ atMs: 2, do: 'partition', from: 'p1', to: 'redis-1' }], {
      network: { latencyMs: 5, giveUpMs: 300 },
      lock: { options: { retryCount: 0, serverTimeoutMs: 1000 } },
    });
    expect(eventsOf(history, 'reply')[0]).toMatchObject({ tUs: 305_000, outcome: 'disconnected' });
  });
});

describe('hold and release', () => {
  it('keep back what is sent from now on, in one direction', async () => {
    const history = await run([
      { atMs: 0, do: 'hold', from: 'redis-1', to: 'p1' },
      { atMs: 200, do: 'release', from: 'redis-1', to: 'p1' },
    ]);
    expect(timesOf(history, 'apply')[0]).toBe(5);
    expect(timesOf(history, 'acquire')[1]).toBe(205);
  });
});

describe('reset', () => {
  it('loses requests and replies in flight; the client connects again', async () => {
    const history = await run([
      { on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' },
    ]);
    expect(eventsOf(history, 'reply')[0]).toMatchObject({ tUs: 5000, outcome: 'disconnected' });
    expect(eventsOf(history, 'apply', applied('SET')).length).toBe(2);
  });
});

describe('slow and delay', () => {
  it('slow: every message of the direction, while it lasts', async () => {
    const history = await run([
      { atMs: 0, do: 'slow', from: 'p1', to: 'storage', latencyMs: 50, forMs: 100 },
    ]);
    // The read takes 50 + 5, the write, at 165, has the old latency.
    expect(timesOf(history, 'use')).toEqual([10, 60, 165, 170]);
  });

  it('delay: the very message', async () => {
    const history = await run([{ on: { event: 'used', process: 'p1', nth: 1 }, do: 'delay', byMs: 70 }]);
    expect(timesOf(history, 'use')).toEqual([10, 85, 190, 195]);
    const late = await run([{ on: { event: 'replied', process: 'p1', nth: 1 }, do: 'delay', byMs: 70 }]);
    expect(timesOf(late, 'acquire')).toEqual([0, 80]);
  });
});

describe('promote', () => {
  const faults = (crashMs: number): Faults => [
    { atMs: crashMs, do: 'crash', host: 'redis-1' },
    { atMs: 100, do: 'promote', host: 'redis-1' },
  ];
  const servers = { replicas: 1, replicationMs: 50 } as const;

  it('takes what had reached the replica, and tells what had not', async () => {
    const lost = await run(faults(54), { servers });
    expect(eventsOf(lost, 'promote')).toMatchObject([
      { tUs: 100_000, replica: 'redis-1-replica-1', unreplicated: 1 },
    ]);
    expect(eventsOf(lost, 'key').map(({ effect }) => effect)).toEqual(['set', 'lost']);
    const kept = await run(faults(56), { servers });
    expect(eventsOf(kept, 'promote')).toMatchObject([{ unreplicated: 0 }]);
    expect(eventsOf(kept, 'key').map(({ effect }) => effect)).toEqual(['set', 'deleted']);
  });

  it('the old master comes back as a replica, also of the one after it', async () => {
    const writer = lockModule(`
      const [redis] = env.clients;
      const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      await redis.set('a', 1);
      await after(1000);
      await redis.set('b', 2);
      await after(20_000);
      console.log(JSON.stringify(await redis.mget('a', 'b')), JSON.stringify(await redis.role()));
      throw new Error('enough');`);
    const history = await simulated(
      {
        servers: { replicas: 2 },
        faults: [
          { atMs: 100, do: 'crash', host: 'redis-1', restartAfterMs: 5000 },
          { atMs: 200, do: 'promote', host: 'redis-1', replica: 'redis-1-replica-2' },
          { atMs: 8000, do: 'crash', host: 'redis-1-replica-2', restartAfterMs: 1000 },
          { atMs: 8100, do: 'promote', host: 'redis-1', replica: 'redis-1-replica-1' },
        ],
      },
      writer,
    );
    const [line] = printed(history);
    expect(line).toMatch(/^\["1","2"\] \["master",/);
    expect(line).toMatch(/\["redis-1","6379","\d+"\]/);
    expect(line).toMatch(/\["redis-1-replica-2","6379","\d+"\]/);
    expect(eventsOf(history, 'promote').map(({ replica, unreplicated }) => [replica, unreplicated])).toEqual([
      ['redis-1-replica-2', 0],
      ['redis-1-replica-1', 0],
    ]);
  });

  it('of a replica that is down is nothing', async () => {
    const history = await run(
      [
        { atMs: 10, do: 'crash', host: 'redis-1-replica-1' },
        { atMs: 100, do: 'promote', host: 'redis-1' },
      ],
      { servers },
    );
    expect(eventsOf(history, 'promote')).toEqual([]);
  });
});

describe('triggers', () => {
  const pauses = async (on: object, more: Partial<ScenarioInput> = {}) => {
    const history = await run(
      [{ on: { process: 'p1', ...on } as never, do: 'pause', host: 'storage', forMs: 1 }],
      more,
    );
    return { at: timesOf(history, 'pause'), untriggered: eventsOf(history, 'end')[0]!.untriggered };
  };
  const rounds = { workload: { workMs: 100, rounds: 3, thinkMs: 0 } };

  it('count their matches, strike at every one from there on if told so, and later if told so', async () => {
    const once = await pauses({ event: 'granted', nth: 2 }, rounds);
    const [second] = once.at;
    expect(once.at).toHaveLength(1);
    const every = await pauses({ event: 'granted', nth: 2, every: true }, rounds);
    expect(every.at).toHaveLength(2);
    expect(every.at[0]).toBe(second);
    const later = await pauses({ event: 'granted', nth: 2, afterMs: 7.5 }, rounds);
    expect(later.at).toEqual([second! + 7.5]);
  });

  it('that never come are named', async () => {
    expect((await pauses({ event: 'granted', nth: 2 })).untriggered).toEqual([0]);
    expect((await pauses({ event: 'granted' })).untriggered).toEqual([]);
  });

  it('may leave it to chance, drawn from the seed', async () => {
    const many = { workload: { workMs: 0, rounds: 40 } };
    const struck = (await pauses({ event: 'granted', every: true, chance: 0.5 }, many)).at.length;
    expect(struck).toBeGreaterThan(5);
    expect(struck).toBeLessThan(35);
    expect((await pauses({ event: 'granted', every: true, chance: 0.5 }, many)).at.length).toBe(struck);
  });

  it('of what arrives: before the process acts on it', async () => {
    expect((await pauses({ event: 'delivered', server: 'redis-1' })).at).toEqual([10]);
    expect((await pauses({ event: 'delivered', command: 'READ' })).at).toEqual([20]);
    const history = await run([{ on: { event: 'delivered', nth: 1 }, do: 'pause', host: 'p1', forMs: 500 }]);
    expect(timesOf(history, 'acquire')).toEqual([0, 510]);
  });

  it('of a timer that fires: before its callback', async () => {
    const history = await run([{ on: { event: 'timer', process: 'p1' }, do: 'pause', forMs: 500 }]);
    expect(eventsOf(history, 'pause')).toMatchObject([{ tUs: 120_000, inStep: true }]);
    expect(timesOf(history, 'use', invoked)).toEqual([10, 620]);
  });

  it('see the command, the server and the kind of use', async () => {
    expect((await pauses({ event: 'used', command: 'WRITE' })).at).toEqual([120]);
    expect((await pauses({ event: 'applied', server: 'redis-1', command: 'EVAL' })).at).toEqual([135]);
  });
});
