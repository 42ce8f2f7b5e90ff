/** How a direct client finds its master again, where Sentinels watch it: as ioredis does. */
import { describe, expect, it } from 'vitest';
import { digest } from '../../history/digest.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated } from '../../testing/simulated.js';

const WATCHED = {
  count: 1,
  replicas: 2,
  sentinels: { count: 3, quorum: 2, downAfterMs: 1000, failoverTimeoutMs: 5000 },
} as const;

/** Writes every 100 ms for 10 s or longer, and prints each answer that is new or was late. */
const PROBE = `
  const redis = env.clients[0];
  redis.on('error', (error) => console.log('error', Math.round(performance.now()), error.message));
  let last = '';
  for (let i = 0; i < 100; i++) {
    const asked = performance.now();
    const answer = await redis.set('k', String(i)).catch((error) => error.message);
    if (answer !== last || performance.now() - asked > 50) console.log(Math.round(performance.now()), answer);
    last = answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { release: async () => {} };`;

function run(faults: ScenarioInput['faults'], scenario: Partial<ScenarioInput> = {}, body = PROBE) {
  return simulated(
    {
      servers: WATCHED,
      workload: { workMs: 0, steps: 0 },
      faults,
      limits: { virtualMs: 60_000 },
      ...scenario,
    },
    lockModule(body),
  );
}

/** The servers that executed commands, in order, each once. */
function servers(history: Awaited<ReturnType<typeof run>>): string[] {
  return [...new Set(eventsOf(history, 'apply').map(({ host }) => host))];
}

describe('discovery', () => {
  it('costs nothing at the start, and asks nobody while the connection stands', async () => {
    const history = await run([]);
    expect(printed(history)).toEqual(['10 OK']);
    const asked = eventsOf(history, 'message', ({ host, to }) => host === 'p1' && to.startsWith('sentinel'));
    expect(asked).toEqual([]);
  });

  it('a master that crashes: the client waits for Sentinels to name another, and goes on there', async () => {
    const history = await run([{ atMs: 2000, do: 'crash', host: 'redis-1' }]);
    const [promoted] = eventsOf(history, 'promote');
    expect(servers(history)).toEqual(['redis-1', promoted!.replica]);
    const lines = printed(history);
    // Its command in flight is lost; the next one waits in the queue while the old master refuses.
    expect(lines[1]).toMatch(/^error \d+ read ECONNRESET$/);
    expect(lines).toContainEqual(expect.stringMatching(/^error \d+ connect ECONNREFUSED redis-1:6379$/));
    expect(lines.at(-1)).toMatch(/ OK$/);
    const [back] = eventsOf(history, 'apply', ({ host }) => host === promoted!.replica);
    const switched = eventsOf(history, 'sentinel', ({ what }) => what === '+switch-master')[0]!;
    expect(back!.tUs).toBeGreaterThan(switched.tUs);
    expect(back!.tUs - switched.tUs).toBeLessThan(2_100_000);
  });

  it('ends a round of all Sentinels with an error, though they answer', async () => {
    const history = await run([{ atMs: 2000, do: 'crash', host: 'redis-1' }]);
    expect(printed(history)).toContainEqual(
      expect.stringMatching(/^error \d+ All sentinels are unreachable. Retrying from scratch after 10ms.$/),
    );
  });

  it('a client beside an isolated master stays with it: nothing breaks its connection', async () => {
    const others = ['redis-1-replica-1', 'redis-1-replica-2', 'sentinel-1', 'sentinel-2', 'sentinel-3'];
    const history = await run([{ atMs: 2000, do: 'partition', from: ['redis-1', 'p1'], to: others }]);
    expect(eventsOf(history, 'promote')).toHaveLength(1);
    expect(servers(history)).toEqual(['redis-1']);
    expect(printed(history)).toEqual(['10 OK']);
  });

  it('a deposed master that is demoted closes its connections, and its client finds the new one', async () => {
    const history = await run(
      [{ atMs: 2000, do: 'pause', host: 'redis-1', forMs: 6000 }],
      {},
      PROBE.replace('< 100', '< 200'),
    );
    const [promoted] = eventsOf(history, 'promote');
    expect(servers(history)).toEqual(['redis-1', promoted!.replica]);
    const converted = eventsOf(history, 'sentinel', ({ what }) => what === '+convert-to-slave')[0]!;
    const moved = eventsOf(history, 'apply', ({ host }) => host === promoted!.replica)[0]!;
    expect(moved.tUs).toBeGreaterThan(converted.tUs);
    expect(printed(history).join()).not.toContain('READONLY');
  });

  it('asks the next Sentinel where one is silent, after ten seconds of waiting for a connection', async () => {
    const history = await run([
      { atMs: 1000, do: 'partition', from: 'p1', to: 'sentinel-2' },
      { atMs: 2000, do: 'reset', from: 'p1', to: 'redis-1' },
    ]);
    // The first one was asked when the connection was opened; it is the second's turn.
    const lines = printed(history);
    const lost = Number(/ (\d+) read ECONNRESET/.exec(lines.join('\n'))![1]);
    const back = Number(/^(\d+) OK$/.exec(lines.at(-1)!)![1]);
    expect(back - lost).toBeGreaterThan(10_050);
    expect(back - lost).toBeLessThan(10_400);
  });

  it('none within reach: tries from scratch, and commands are given up after their retries only', async () => {
    const history = await run([
      { atMs: 1000, do: 'crash', host: 'sentinel-1' },
      { atMs: 1000, do: 'crash', host: 'sentinel-2' },
      { atMs: 1000, do: 'crash', host: 'sentinel-3', restartAfterMs: 4000 },
      { atMs: 2000, do: 'reset', from: 'p1', to: 'redis-1' },
    ]);
    const lines = printed(history);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /All sentinels are unreachable. Retrying from scratch after 10ms. Last error: Connection is closed.$/,
      ),
    );
    const back = Number(/^(\d+) OK$/.exec(lines.at(-1)!)![1]);
    expect(back).toBeGreaterThan(5000);
    expect(back).toBeLessThan(6500);
    expect(servers(history)).toEqual(['redis-1']);
  });

  it('a process that comes back asks for the master that there is', async () => {
    const history = await run([
      { atMs: 500, do: 'crash', host: 'p1', restartAfterMs: 6000 },
      { atMs: 1000, do: 'crash', host: 'redis-1', restartAfterMs: 4000 },
    ]);
    const [promoted] = eventsOf(history, 'promote');
    expect(servers(history)).toEqual(['redis-1', promoted!.replica]);
  });

  it('the same seed gives the same history', async () => {
    const scenario: Partial<ScenarioInput> = { seed: 7, network: { latencyMs: [1, 20] } };
    const faults: ScenarioInput['faults'] = [
      { atMs: 2000, do: 'crash', host: 'redis-1', restartAfterMs: 5000 },
    ];
    const [one, other] = [await run(faults, scenario), await run(faults, scenario)];
    expect(eventsOf(one, 'promote')).toHaveLength(1);
    // Each module has a file, and so a name, of its own.
    expect(digest({ ...other, header: one.header })).toBe(digest(one));
  });
});
