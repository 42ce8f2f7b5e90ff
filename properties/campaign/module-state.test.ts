/** Libraries that remember, in their modules, what earlier runs did: a campaign notices, and runs them with fresh instances. */
import { expect, it } from 'vitest';
import { Campaign } from '../../sim/campaign.js';
import { findScenario } from '../../sim/catalogue/index.js';
import { loadLock } from '../../sim/load.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { resolveLock } from '../../src/resolve.js';

const SEEDS = Array.from({ length: 66 }, (_, index) => index + 1);

it.each(['simple-redis-mutex@3.0.0', 'node-redis-warlock@1.0.2', 'redislock@1.3.0'])('%s', async (name) => {
  const { scenario } = findScenario('C1')!;
  const named = parseScenario({ ...scenario, lock: { ...scenario.lock, name } });
  const lock = await loadLock(resolveLock(name));
  const run = async (reuse: boolean): Promise<number> => {
    const campaign = new Campaign(named, lock, { reuse });
    let runs = 0;
    await campaign.runAll(SEEDS, () => runs++);
    await campaign.finish();
    return runs;
  };
  await expect(run(true)).rejects.toMatchObject({ name: 'ReuseMismatch' });
  expect(await run(false)).toBe(SEEDS.length);
});
