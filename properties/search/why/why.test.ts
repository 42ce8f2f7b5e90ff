import { describe, expect, it } from 'vitest';
import { findScenario } from '../../../sim/catalogue/index.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { Fault, Scenario } from '../../../sim/scenario/schema.js';
import { applySets } from '../../../sim/scenario/set-path.js';
import type { Verdicts } from '../../verdict.js';
import { changed, type Runner } from '../rerun.js';
import { runScenario } from '../testing/runner.js';
import { anomaliesOf, without } from './anomalies.js';
import { CHANGE_IDS, type LockFamily } from './changes.js';
import { counterfactuals } from './counterfactuals.js';
import { minimalFaults, minimalScenario } from './minimal.js';
import { why } from './why.js';

const scenarioOf = (id: string, lock: string, more: Partial<Scenario> = {}): Scenario => {
  const row = applySets(parseScenario(findScenario(id)!.scenario), [{ path: 'lock.name', value: lock }]);
  return parseScenario({ ...row, ...more });
};

const SINGLE: LockFamily = {
  name: 'single',
  fenced: 'single-fenced',
  givesTokens: false,
  reference: null,
  takesOptions: true,
  manyServers: false,
  clock: 'monotonic',
};

async function verdictsOf(scenario: Scenario): Promise<Verdicts> {
  const result = await runScenario(scenario);
  if ('refused' in result) throw new Error(result.refused);
  return result.verdicts;
}

describe('the faults that a violation needs', () => {
  const pause = scenarioOf('S1', 'single').faults[0]!;
  const harmless: Fault[] = [
    { atMs: 100, do: 'step-clock', host: 'p2', byMs: 5 },
    { atMs: 200, do: 'pause', host: 'p2', forMs: 10 },
    { atMs: 300, do: 'slow', from: 'p2', to: 'storage', latencyMs: 1, forMs: 50 },
  ];

  it('are those without which it is gone; the others are left out', async () => {
    const scenario = scenarioOf('S1', 'single', { faults: [harmless[0]!, pause, ...harmless.slice(1)] });
    const found = await minimalFaults(scenario, 'no-stale-write', 'lease', runScenario);
    expect(found.needed).toMatchObject([{ path: 'faults.1', what: 'pause of p1', without: 'holds' }]);
    expect(new Set(found.spare.map(({ fault }) => fault))).toEqual(new Set([0, 2, 3]));
  });

  it('are a set that is 1-minimal: alone it is enough, and with any one missing it is not', async () => {
    for (const [id, lock, property, blame] of [
      ['S17', 'single', 'mutual-exclusion', 'infrastructure'],
      ['R4', 'redlock', 'mutual-exclusion', 'infrastructure'],
      ['R12', 'redlock', 'no-orphan', 'infrastructure'],
    ] as const) {
      const scenario = scenarioOf(id, lock);
      const found = await minimalFaults(scenario, property, blame, runScenario);
      expect(found.needed.length + found.spare.length, id).toBe(scenario.faults.length);
      const least = minimalScenario(scenario, found);
      expect((await verdictsOf(least))[property], id).toMatchObject({ verdict: 'violated', blame });
      for (const anomaly of anomaliesOf(least)) {
        const next = changed(least, without(least, [anomaly]));
        if ('refused' in next) continue;
        expect((await verdictsOf(next))[property], `${id} without ${anomaly.what}`).not.toMatchObject({
          verdict: 'violated',
          blame,
        });
      }
    }
  });

  it('can be clocks that run wrong from the start', async () => {
    const found = await minimalFaults(
      scenarioOf('R7', 'redlock'),
      'mutual-exclusion',
      'infrastructure',
      runScenario,
    );
    expect(found.needed.map(({ path }) => path)).toEqual([
      'clocks.redis-1',
      'clocks.redis-2',
      'clocks.redis-3',
    ]);
  });

  it('are none where the violation needs none', async () => {
    const scenario = scenarioOf('S8', 'pitfall/del-without-check', { faults: [harmless[1]!] });
    const found = await minimalFaults(scenario, 'own-key-only', 'library', runScenario);
    expect(found.needed).toEqual([]);
    expect(found.spare).toMatchObject([{ what: 'pause of p2' }]);
  });

  it('are not spared by a violation that is somebody else’s fault', async () => {
    const scenario = scenarioOf('S1', 'single');
    /** Without the pause the same property is violated, for another reason. */
    const runner: Runner = async ({ faults }) => ({
      verdicts: {
        'exclusive-use': {
          verdict: 'violated',
          blame: faults.length === 0 ? 'usage' : 'lease',
          reason: '',
          atUs: 0,
          evidence: [],
          holds: [],
          evaluated: 1,
        },
      } as unknown as Verdicts,
    });
    const found = await minimalFaults(scenario, 'exclusive-use', 'lease', runner);
    expect(found.needed).toMatchObject([{ fault: 0, without: 'violated/usage' }]);
  });
});

describe('single changes', () => {
  it('are all told: those that cure, help, do not help, and those that cannot be made, with the reason', async () => {
    const scenario = scenarioOf('S1', 'single');
    const tried = await counterfactuals(scenario, await verdictsOf(scenario), SINGLE, runScenario);
    expect(tried.map(({ id }) => id)).toEqual(CHANGE_IDS);
    const of = (id: string) => tried.find((one) => one.id === id)!;
    // P = 1500 is inside a lease of 2000.
    expect(of('ttl-x2')).toMatchObject({
      effect: 'cures',
      leaves: [],
      settings: [{ path: 'lock.ttlMs', value: 2000 }],
    });
    expect(of('no-pause')).toMatchObject({ effect: 'cures', what: 'without the pause of p1' });
    // The storage refuses the write, which arrives all the same.
    expect(of('fence-storage')).toMatchObject({
      effect: 'helps',
      cures: ['no-stale-write'],
      leaves: ['exclusive-use'],
      lock: 'single-fenced',
    });
    // A frozen process renews nothing.
    expect(of('watchdog')).toMatchObject({ effect: 'no help' });
    expect(of('watchdog').verdicts!['no-stale-write']).toBe('violated/lease');
    expect(of('one-server-more')).toMatchObject({
      effect: 'not applicable',
      reason: 'single is a lock of one server',
      verdicts: null,
    });
    expect(of('fsync-always')).toMatchObject({ effect: 'not applicable', reason: 'no server stops' });
    expect(of('wait-1')).toMatchObject({ effect: 'not applicable' });
    expect(of('min-replicas')).toMatchObject({
      effect: 'not applicable',
      reason: 'the servers have no replicas',
    });
  });

  it('of the servers help where the servers forget', async () => {
    const scenario = scenarioOf('R4', 'redlock');
    const family = { ...SINGLE, name: 'redlock', fenced: 'redlock-fenced', manyServers: true };
    const tried = await counterfactuals(scenario, await verdictsOf(scenario), family, runScenario);
    const effects = Object.fromEntries(tried.map(({ id, effect }) => [id, effect]));
    // The key is on the disk, or the server is away until it would be gone anyway.
    expect(effects).toMatchObject({
      'fsync-always': 'cures',
      'delayed-restart': 'cures',
      'no-crash': 'cures',
    });
    // No look at a clock tells that a server forgot.
    expect(effects).toMatchObject({
      'holder-checks': 'no help',
      'drift-allowance': 'no help',
      'no-pause': 'not applicable',
    });
  });

  it('do not count a verdict that became unknown as a cure', async () => {
    const scenario = scenarioOf('S1', 'single');
    const before = await verdictsOf(scenario);
    const runner: Runner = async () => ({
      verdicts: Object.fromEntries(
        Object.keys(before).map((id) => [id, { verdict: 'unknown', reason: 'nobody was granted it' }]),
      ) as unknown as Verdicts,
    });
    for (const { effect, cures, reason } of await counterfactuals(scenario, before, SINGLE, runner)) {
      expect(cures).toEqual([]);
      expect(['no help', 'not applicable']).toContain(effect);
      if (effect === 'no help') expect(reason).toMatch(/is unknown then: nobody was granted it/);
    }
  });

  it('leave a longer ttl out where what is violated is about waiting', async () => {
    const scenario = scenarioOf('S5', 'pitfall/no-ttl');
    const family = { ...SINGLE, name: 'pitfall/no-ttl', reference: 'single', fenced: null, clock: null };
    const tried = await counterfactuals(scenario, await verdictsOf(scenario), family, runScenario);
    expect(tried.find(({ id }) => id === 'ttl-x2')).toMatchObject({ effect: 'not applicable' });
    expect(tried.find(({ id }) => id === 'reference-lock')).toMatchObject({
      effect: 'cures',
      lock: 'single',
    });
  });
});

describe('why', () => {
  it('explains the main violation, and nothing where there is none', async () => {
    const scenario = scenarioOf('S1', 'single');
    expect(await why(scenario, await verdictsOf(scenario), SINGLE, runScenario)).toMatchObject({
      property: 'no-stale-write',
      blame: 'lease',
    });
    const calm = scenarioOf('S1', 'single', { faults: [] });
    expect(await why(calm, await verdictsOf(calm), SINGLE, runScenario)).toBeNull();
  });
});
