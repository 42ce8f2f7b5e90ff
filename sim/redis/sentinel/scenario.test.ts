/** Sentinels in whole scenarios: several masters, servers that come back in time, and the limits of a run. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, simulated } from '../../testing/simulated.js';

const SENTINELS = { count: 3, quorum: 2, downAfterMs: 1000, failoverTimeoutMs: 5000 } as const;

const busy: Partial<ScenarioInput> = {
  processes: { count: 2, client: { commandTimeoutMs: 400, reconnectOnTimeout: true } },
  network: { latencyMs: [1, 2] },
  workload: { rounds: 60, workMs: 50, steps: 0, thinkMs: 150 },
  limits: { virtualMs: 30_000 },
};

describe('three masters, watched by the same Sentinels', () => {
  const run = () =>
    simulated(
      {
        ...busy,
        servers: { count: 3, replicas: 1, sentinels: SENTINELS },
        faults: [{ atMs: 2000, do: 'crash', host: 'redis-2' }],
      },
      'redlock',
    );

  it('the one that crashes is replaced, the others are left alone', async () => {
    const history = await run();
    expect(eventsOf(history, 'promote').map(({ host, replica }) => [host, replica])).toEqual([
      ['redis-2', 'redis-2-replica-1'],
    ]);
    const switched = eventsOf(history, 'sentinel', ({ what }) => what === '+switch-master');
    expect(switched.map(({ detail }) => detail)).toEqual(
      Array.from({ length: 3 }, () => 'redis-2 redis-2 6379 redis-2-replica-1 6379'),
    );
    const served = eventsOf(history, 'apply', ({ host }) => host === 'redis-2-replica-1');
    expect(served.length).toBeGreaterThan(20);
  });
});

describe('a master that is back before down-after', () => {
  const run = (loadMs: number) =>
    simulated({
      ...busy,
      servers: { replicas: 1, sentinels: SENTINELS, persistence: 'aof-always', loadMs },
      faults: [{ atMs: 2000, do: 'crash', host: 'redis-1', restartAfterMs: 500 }],
    });

  it('counts as alive while it loads, however long that takes', async () => {
    const history = await run(6000);
    expect(eventsOf(history, 'promote')).toEqual([]);
    expect(eventsOf(history, 'sentinel', ({ what }) => what === '+odown')).toEqual([]);
    const granted = eventsOf(history, 'acquire', ({ phase, tUs }) => phase === 'ok' && tUs > 8_500_000);
    expect(granted.length).toBeGreaterThan(0);
  });

  it('is known for another one by its run id', async () => {
    const rebooted = eventsOf(await run(0), 'sentinel', ({ what }) => what === '+reboot');
    expect(new Set(rebooted.map(({ detail }) => detail))).toEqual(new Set(['master redis-1 redis-1 6379']));
  });
});

describe('housekeeping', () => {
  it('keeps no run alive: it ends with the work', async () => {
    const quiet = { workload: { rounds: 1, workMs: 50, steps: 0 } } as const;
    const alone = await simulated(quiet);
    const watched = await simulated({ ...quiet, servers: { replicas: 2, sentinels: SENTINELS } });
    const endOf = (history: Awaited<ReturnType<typeof simulated>>) => eventsOf(history, 'end')[0]!;
    expect(endOf(watched).reason).toBe('done');
    expect(endOf(watched).tUs - endOf(alone).tUs).toBeLessThan(10_000);
  });

  it('is left out of the history', async () => {
    const history = await simulated({ ...busy, servers: { replicas: 2, sentinels: SENTINELS } });
    expect(eventsOf(history, 'sentinel')).toEqual([]);
    expect(eventsOf(history, 'apply', ({ by }) => by.startsWith('sentinel'))).toEqual([]);
  });
});
