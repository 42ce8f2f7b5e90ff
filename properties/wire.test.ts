/**
 * Rows of the catalogue on the wire, with real clients: what holds and what is violated does not depend on the transport,
 * unless the client itself does something about it.
 */
import { describe, expect, it } from 'vitest';
import { Campaign } from '../sim/campaign.js';
import { findScenario } from '../sim/catalogue/index.js';
import { digest } from '../sim/history/digest.js';
import type { History } from '../sim/history/events.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { lockFor } from '../sim/transport/wire/program.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';

function verdictsOf(history: History): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [property, verdict] of Object.entries(judge(history).verdicts))
    found[property] = verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
  return found;
}

function scenarioOf(id: string, lock: string, processes: object = {}): Scenario {
  const { scenario } = findScenario(id)!;
  return parseScenario({
    ...scenario,
    lock: { ...scenario.lock, name: lock },
    processes: { ...scenario.processes, ...processes },
  });
}

const run = async (id: string, lock: string, processes?: object): Promise<History> =>
  simulate(scenarioOf(id, lock, processes), await loadLock(resolveLock(lock)));

const ROWS = ['S1', 'S3', 'S9', 'S17', 'S18', 'S19', 'R1', 'R2', 'R8S', 'E1'];

describe.each(ROWS)('%s', (id) => {
  const locks = Object.keys(findScenario(id)!.scenario.expect ?? {}).filter(
    (lock) => !lock.startsWith('pitfall/'),
  );

  it.each(locks)('%s with ioredis comes out as on the direct transport', async (lock) => {
    const wire = await run(id, lock, { transport: 'wire' });
    expect(verdictsOf(wire)).toEqual(verdictsOf(await run(id, lock)));
    expect(wire.events.filter(({ kind }) => kind === 'trouble')).toEqual([]);
  });
});

describe.each(['S1', 'S2', 'S5', 'R1', 'R2'])('%s', (id) => {
  const ours = ['single', 'redlock', 'redlock-fenced'].filter(
    (lock) => findScenario(id)!.scenario.expect?.[lock] !== undefined,
  );

  it.each(ours)('%s with node-redis comes out as on the direct transport', async (lock) => {
    const wire = await run(id, lock, { transport: 'wire', clientPackage: 'redis' });
    expect(verdictsOf(wire)).toEqual(verdictsOf(await run(id, lock)));
  });
});

describe('runs on the wire', () => {
  it.each(['ioredis', 'redis'])(
    'with %s are the same, byte for byte, from the same seed',
    async (clientPackage) => {
      const once = await run('S14', 'redlock', { transport: 'wire', clientPackage });
      expect(digest(await run('S14', 'redlock', { transport: 'wire', clientPackage }))).toBe(digest(once));
    },
  );

  it.each([
    ['redlock@4.2.0', 'ioredis'],
    ['redlock', 'ioredis'],
    ['redlock', 'redis'],
  ])('%s with %s: instances that are kept do as fresh ones', async (name, clientPackage) => {
    const scenario = scenarioOf('R2', name, { transport: 'wire', clientPackage });
    const lock = await lockFor(scenario, await loadLock(resolveLock(name)));
    const campaign = new Campaign(scenario, lock);
    let runs = 0;
    await campaign.runAll(
      Array.from({ length: 65 }, (_, index) => index + 1),
      () => runs++,
    );
    await campaign.finish();
    expect(runs).toBe(65);
  });

  it('a campaign wants the lock bundled with its clients', async () => {
    const scenario = scenarioOf('S1', 'single', { transport: 'wire' });
    const lock = await loadLock(resolveLock('single'));
    expect(() => new Campaign(scenario, lock)).toThrow('needs single bundled with ioredis');
  });

  it('a client package that is not installed is named', async () => {
    await expect(run('S1', 'single', { transport: 'wire', clientPackage: 'redis@3' })).rejects.toThrow(
      'the client package redis@3 is not installed: npm i -D redis-3@npm:redis@3',
    );
  });
});
