/** Replication as the clients of a scenario meet it. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { lockModule, printed, simulated } from '../../testing/simulated.js';

/** What a program prints before it gives up. */
async function lines(program: string, scenario: Partial<ScenarioInput>): Promise<string[]> {
  const history = await simulated(
    scenario,
    lockModule(`
      const [redis] = env.clients;
      const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const say = (promise) => promise.then(
        (value) => console.log(String(value), performance.now()),
        (error) => console.log(error.message, performance.now()));
      ${program}
      throw new Error('enough');`),
  );
  return printed(history);
}

describe('WAIT', () => {
  const servers = { replicas: 1, replicationMs: 20 } as const;

  it('keeps the run going until the acknowledgement is here', async () => {
    // Asked at 15, on the replica at 35, acknowledged at 55, answered at 60.
    expect(await lines("await redis.set('k', 'v'); await say(redis.wait(1, 0));", { servers })).toEqual([
      '1 60',
    ]);
  });

  it('returns what there is when the replica is out of reach', async () => {
    const cut = { atMs: 0, do: 'partition', from: 'redis-1', to: 'redis-1-replica-1' } as const;
    // Asked at 15, over in the first millisecond after 115.
    expect(
      await lines("await redis.set('k', 'v'); await say(redis.wait(1, 100));", { servers, faults: [cut] }),
    ).toEqual(['0 121']);
  });

  it('within a pipeline: what follows it waits, too', async () => {
    const program = `
      const results = await redis.pipeline().set('k', 'v').wait(1, 0).get('k').exec();
      console.log(JSON.stringify(results.map(([, value]) => value)), performance.now());`;
    expect(await lines(program, { servers })).toEqual(['["OK",1,"v"] 50']);
  });
});

describe('min-replicas-to-write', () => {
  it('ends the writes of a master that is cut off, one second after the lag at the latest', async () => {
    const program = `
      for (;;) {
        const error = await redis.set('k', 'v').then(() => null, (each) => each);
        if (error !== null) { console.log(error.message, performance.now()); break; }
        await after(10);
      }`;
    const found = await lines(program, {
      servers: { replicas: 1, minReplicasToWrite: 1, minReplicasMaxLagS: 2 },
      network: { latencyMs: 0 },
      faults: [{ atMs: 1500, do: 'partition', from: 'redis-1', to: 'redis-1-replica-1' }],
    });
    // Heard of in second 1; with 2 seconds it is good in second 3 and no more in second 4.
    expect(found).toEqual(['NOREPLICAS Not enough good replicas to write. 4000']);
  });
});
