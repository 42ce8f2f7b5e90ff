import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated } from '../../testing/simulated.js';

const SCENARIO: Partial<ScenarioInput> = {
  servers: { replicas: 2, replicationMs: 20 },
  network: { latencyMs: 5 },
  processes: { count: 1, client: { readFromReplica: true } },
  workload: { workMs: 0, steps: 0 },
};

/** What a program prints that does this before it gives up. */
async function seen(program: string, more: Partial<ScenarioInput> = {}) {
  const history = await simulated(
    { ...SCENARIO, ...more },
    lockModule(`
      const [redis] = env.clients;
      const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      ${program}
      throw new Error('enough');`),
  );
  const applied = eventsOf(history, 'apply').map(({ host, args }) => `${args[0]} ${host}`);
  return { lines: printed(history), applied };
}

describe('readFromReplica', () => {
  it('sends what only reads to the first replica, and everything else to the master', async () => {
    const { applied } = await seen(`
      await redis.set('k', 'v');
      await redis.get('k');
      await redis.pttl('k');
      await redis.eval("return redis.call('GET', KEYS[1])", 1, 'k');
      await redis.multi().get('k').exec();
      await redis.watch('k');
      await redis.get('k');
      await redis.unwatch();
      await redis.get('k');`);
    expect(applied).toEqual([
      'SET redis-1',
      'GET redis-1-replica-1',
      'PTTL redis-1-replica-1',
      'EVAL redis-1',
      'MULTI redis-1',
      'GET redis-1',
      'EXEC redis-1',
      'WATCH redis-1',
      'GET redis-1',
      'UNWATCH redis-1',
      'GET redis-1-replica-1',
    ]);
  });

  it.each([
    [9.999, 'null'],
    [10, 'v'],
  ])('a read %s ms after the answer to the write sees %s: the stream takes 20 ms', async (waitMs, value) => {
    // Set at 5, answered at 10, on the replica at 25; the read takes 5 ms to get there.
    const { lines } = await seen(`
      await redis.set('k', 'v');
      await after(${waitMs});
      console.log(await redis.get('k'));`);
    expect(lines).toEqual([value]);
  });

  it('goes to another replica when the first is down, and to the master when all are', async () => {
    const crash = (host: string, atMs: number) => ({ atMs, do: 'crash', host }) as const;
    const { applied } = await seen(
      `for (let i = 0; i < 3; i++) {
         await redis.get('k').catch(() => {});
         await after(400);
       }`,
      { faults: [crash('redis-1-replica-1', 100), crash('redis-1-replica-2', 500)] },
    );
    expect(applied).toEqual(['GET redis-1-replica-1', 'GET redis-1-replica-2', 'GET redis-1']);
  });

  it('hides what has expired by the clock of the replica', async () => {
    const { lines } = await seen(
      `await redis.set('k', 'v', 'PX', 1000);
       await after(100);
       console.log(await redis.get('k'));`,
      { clocks: { 'redis-1-replica-1': { offsetMs: 1000 } } },
    );
    expect(lines).toEqual(['null']);
  });
});
