import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated, timesOf } from '../../testing/simulated.js';

/** Sets a key at 5 ms (it lives long), and reads it when everything is over. */
const WRITER = lockModule(`
  const [redis] = env.clients;
  await redis.set(resource, 'v', 'PX', ttlMs);
  await new Promise((resolve) => setTimeout(resolve, env.options.readAtMs));
  console.log(await redis.get(resource), await redis.pttl(resource));
  throw new Error('enough');
`);

/** What is read after the server went down at `atMs` for 100 ms. */
async function readAfter(
  servers: ScenarioInput['servers'],
  atMs: number,
  how: { do: 'crash'; power?: boolean } | { do: 'shutdown' },
): Promise<string | undefined> {
  const history = await simulated(
    {
      lock: { ttlMs: 500_000, options: { readAtMs: atMs + 10_000 } },
      servers,
      faults: [{ ...how, atMs, host: 'redis-1', restartAfterMs: 100 }],
      limits: { virtualMs: 100_000 },
    },
    WRITER,
  );
  return printed(history)[0]?.split(' ')[0];
}

const POWER = { do: 'crash', power: true } as const;
const CRASH = { do: 'crash' } as const;

describe('an append-only file', () => {
  it('loses nothing that was acknowledged where every write is synced', async () => {
    expect(await readAfter({ persistence: 'aof-always' }, 20, POWER)).toBe('v');
  });

  it.each([
    [999.999, 'null'],
    [1000.001, 'v'],
  ])('everysec: power lost at %s ms, one step beside the sync, leaves %s', async (atMs, left) => {
    expect(await readAfter({ persistence: 'aof-everysec' }, atMs, POWER)).toBe(left);
  });

  it.each([
    [30_005, 'null'],
    [30_101, 'v'],
  ])('left to the kernel: power lost at %s ms leaves %s', async (atMs, left) => {
    expect(await readAfter({ persistence: 'aof-no' }, atMs, POWER)).toBe(left);
  });

  it.each(['aof-everysec', 'aof-no'] as const)(
    'loses nothing with its process or in good order (%s)',
    async (persistence) => {
      expect(await readAfter({ persistence }, 20, CRASH)).toBe('v');
      expect(await readAfter({ persistence }, 20, { do: 'shutdown' })).toBe('v');
    },
  );

  it('loses the unsynced suffix and no more: the key that was synced is back, without its deletion', async () => {
    const history = await simulated(
      {
        servers: { persistence: 'aof-everysec' },
        faults: [{ do: 'crash', power: true, atMs: 1500, host: 'redis-1', restartAfterMs: 100 }],
      },
      lockModule(`
        const [redis] = env.clients;
        await redis.set('old', '1');
        await new Promise((resolve) => setTimeout(resolve, 1200));
        await redis.del('old');
        await redis.set('new', '1');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        console.log(await redis.get('old'), await redis.get('new'));
        throw new Error('enough');
      `),
    );
    expect(printed(history)).toEqual(['1 null']);
    const back = eventsOf(history, 'key', ({ by }) => by === undefined);
    expect(back.map(({ key, effect }) => `${effect} ${key}`)).toEqual(['restored old', 'lost new']);
  });

  it.each([
    ['aof-everysec', ['lost n', 'restored n']],
    ['aof-always', []],
  ] as const)('tells of a key that is back as it was, whoever set it (%s)', async (persistence, told) => {
    const history = await simulated(
      {
        servers: { persistence },
        faults: [{ do: 'crash', power: true, atMs: 1500, host: 'redis-1', restartAfterMs: 100 }],
      },
      lockModule(`
        const [redis] = env.clients;
        await redis.incr('n');
        await redis.hset('same', 'f', 'v', 'g', 'w');
        await new Promise((resolve) => setTimeout(resolve, 1200));
        await redis.incr('n');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        console.log(await redis.get('n'));
        throw new Error('enough');
      `),
    );
    expect(printed(history)).toEqual([told.length === 0 ? '2' : '1']);
    const back = eventsOf(history, 'key', ({ by }) => by === undefined);
    expect(back.map(({ key, effect }) => `${effect} ${key}`)).toEqual(told);
  });
});

describe('snapshots', () => {
  const servers: ScenarioInput['servers'] = { persistence: 'rdb', savePoints: [{ afterS: 2, changes: 1 }] };

  it.each([
    [2999, 'null'],
    [3001, 'v'],
  ])(
    'are taken when more whole seconds than the save point says are over: %s ms leaves %s',
    async (atMs, left) => {
      expect(await readAfter(servers, atMs, CRASH)).toBe(left);
      expect(await readAfter(servers, atMs, POWER)).toBe(left);
    },
  );

  it('need enough changes', async () => {
    const more: ScenarioInput['servers'] = { persistence: 'rdb', savePoints: [{ afterS: 1, changes: 2 }] };
    expect(await readAfter(more, 5000, CRASH)).toBe('null');
  });

  it('are taken at an orderly shutdown, and by SAVE', async () => {
    expect(await readAfter({ persistence: 'rdb' }, 50, { do: 'shutdown' })).toBe('v');
    const history = await simulated(
      {
        servers: { persistence: 'rdb' },
        faults: [{ do: 'crash', atMs: 100, host: 'redis-1', restartAfterMs: 1 }],
      },
      lockModule(`
        const [redis] = env.clients;
        await redis.set('a', '1');
        console.log(await redis.call('save'));
        await redis.set('b', '1');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        console.log(await redis.get('a'), await redis.get('b'));
        throw new Error('enough');
      `),
    );
    expect(printed(history)).toEqual(['OK', '1 null']);
  });
});

it('a restart keeps deadlines as absolute times', async () => {
  const history = await simulated({
    servers: { persistence: 'aof-always' },
    workload: { workMs: 5000 },
    faults: [{ do: 'crash', atMs: 100, host: 'redis-1', restartAfterMs: 400 }],
  });
  expect(timesOf(history, 'key', ({ effect }) => effect === 'expired')).toEqual([1006]);
});

describe('while it loads', () => {
  it('a server answers LOADING, and then all', async () => {
    const history = await simulated(
      {
        servers: { persistence: 'aof-always', loadMs: 300 },
        faults: [{ do: 'crash', atMs: 100, host: 'redis-1', restartAfterMs: 100 }],
      },
      lockModule(`
        const [redis] = env.clients;
        await redis.set('a', '1');
        await new Promise((resolve) => setTimeout(resolve, 440));
        console.log(await redis.get('a').catch((error) => error.message));
        await new Promise((resolve) => setTimeout(resolve, 80));
        console.log(await redis.get('a'));
        throw new Error('enough');
      `),
    );
    expect(printed(history)).toEqual(['LOADING Redis is loading the dataset in memory', '1']);
  });

  it('nothing, it serves at once', async () => {
    const history = await simulated({
      // No save point was reached.
      servers: { persistence: 'rdb', loadMs: 300 },
      faults: [{ do: 'crash', atMs: 100, host: 'redis-1', restartAfterMs: 100 }],
    });
    expect(timesOf(history, 'restart')).toEqual([200]);
  });
});

describe('a delayed restart', () => {
  const servers = { delayedRestartMs: 1000 };
  const crash = { do: 'crash', atMs: 100, host: 'redis-1', restartAfterMs: 100 } as const;

  it('waits by the wall clock of its machine', async () => {
    expect(timesOf(await simulated({ servers, faults: [crash] }), 'restart')).toEqual([1200]);
  });

  it.each([
    [999, 1200 - 999],
    [1001, 300],
    [-500, 1700],
  ])('ends sooner or later when that clock steps by %s ms', async (byMs, upMs) => {
    const step = { do: 'step-clock', atMs: 300, host: 'redis-1', byMs } as const;
    const up = timesOf(await simulated({ servers, faults: [crash, step] }), 'restart');
    expect(up).toEqual([Math.max(upMs, 300)]);
  });
});
