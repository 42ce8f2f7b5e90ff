/** The bounded search: what it finds, that nothing is lost by leaving equivalent schedules out, and that parts add up. */
import { describe, expect, it } from 'vitest';
import { findScenario } from '../../../sim/catalogue/index.js';
import { digest } from '../../../sim/history/digest.js';
import { loadLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import { resolveLock } from '../../../src/resolve.js';
import { Exploration, type Stretch } from './explore.js';
import type { ExploreSpec } from './spec.js';
import { add, NOTHING, type Tally } from './tally.js';

async function exploration(scenario: ScenarioInput, spec: Partial<ExploreSpec> = {}): Promise<Exploration> {
  const lock = spec.lock ?? 'single';
  return new Exploration(
    {
      lock,
      scenario: { ...scenario, faults: [], expect: {}, lock: { ...scenario.lock, name: lock } },
      anomalies: 1,
      kinds: null,
      property: null,
      everyPoint: false,
      reuse: true,
      ...spec,
    },
    await loadLock(resolveLock(lock)),
  );
}

async function whole(search: Exploration): Promise<Tally> {
  const plan = await search.plan();
  const singles = await search.singles(0, plan.parts);
  return add(add(plan.tally, singles), await search.rest(0, plan.parts));
}

const row = (id: string): ScenarioInput => findScenario(id)!.scenario;

const rival = { startMs: 5, workMs: 1 };
const crowd: ScenarioInput = {
  id: 'crowd',
  lock: { ttlMs: 60, options: { retryCount: 100, retryDelayMs: 5, retryJitterMs: 0 } },
  servers: { count: 1 },
  network: { latencyMs: 1 },
  workload: { workMs: 30 },
  overrides: { p2: { workload: rival } },
};

/** What can be compared between searches: which properties break, whose fault it is, how few anomalies it takes. */
function classes({ sorts }: Tally): Record<string, number> {
  return Object.fromEntries(Object.entries(sorts).map(([key, { first }]) => [key, first.faults.length]));
}

describe('explore', () => {
  it('finds the single pause of S1, and nothing without it', async () => {
    const search = await exploration(row('S1'), { property: 'no-stale-write' });
    const plan = await search.plan();
    expect(plan.tally).toMatchObject({ schedules: 1, violating: 0, granted: 1, judged: 1 });
    const { smallest } = await search.singles(0, plan.parts);
    expect(smallest?.violations).toMatchObject([{ property: 'no-stale-write', blame: 'lease' }]);
    expect(smallest?.faults).toMatchObject([{ do: 'pause', host: 'p1' }]);
  });

  it('gives schedules that are plain scenario data, struck exactly where they say', async () => {
    const search = await exploration(row('S1'), { anomalies: 2, kinds: ['pause'] });
    const plan = await search.plan();
    const { smallest } = await search.rest(0, plan.parts);
    expect(smallest?.faults).toHaveLength(2);
    const lock = await loadLock(resolveLock('single'));
    const scenario = parseScenario(JSON.parse(JSON.stringify(search.scenarioOf(smallest!.faults))));
    const history = await simulate(scenario, lock);
    expect(history.events.filter(({ kind }) => kind === 'fault')).toHaveLength(2);
    expect(history.events.at(-1)).toMatchObject({ kind: 'end', untriggered: [] });
    expect(digest(history)).toBe(digest(await simulate(scenario, lock)));
  });

  it('is complete and clean where what is placed cannot hurt: beliefs end with their claims, however long a pause', async () => {
    const tally = await whole(
      await exploration(row('S1'), { kinds: ['pause'], property: 'mutual-exclusion' }),
    );
    expect(tally.violating).toBe(0);
    expect(tally.schedules).toBeGreaterThan(50);
  });
});

describe('equivalent schedules', () => {
  it.each([
    ['a rival that polls', crowd, 'single', 2],
    ['a release without a check', crowd, 'pitfall/del-without-check', 1],
    ['votes of three servers', { ...crowd, servers: { count: 3 } }, 'redlock', 1],
    ['S1', row('S1'), 'single', 1],
  ] as const)('are left out without losing anything: %s', async (_name, scenario, lock, anomalies) => {
    const kinds = anomalies === 2 ? (['delay'] as const) : null;
    const pruned = await whole(await exploration(scenario, { lock, anomalies, kinds }));
    const all = await whole(await exploration(scenario, { lock, anomalies, kinds, everyPoint: true }));
    expect(classes(pruned)).toEqual(classes(all));
    expect(pruned.smallest).toEqual(all.smallest);
    expect(pruned.schedules).toBeLessThan(all.schedules);
  });
});

describe('parts', () => {
  it('add up to the same, however they are cut', async () => {
    const search = await exploration(row('S1'), { anomalies: 2, kinds: ['delay'] });
    const plan = await search.plan();
    const one = await search.rest(0, plan.parts);
    let sum = NOTHING;
    for (let part = plan.parts - 1; part >= 0; part--) sum = add(await search.rest(part, part + 1), sum);
    expect(sum).toEqual(one);
    expect(one.schedules).toBeGreaterThan(100);
  });

  it('may be left and taken up again wherever a schedule was extended', async () => {
    const alone = { ...crowd, processes: { count: 1 }, overrides: {} };
    const search = await exploration(alone, { anomalies: 3, kinds: ['delay'], property: 'progress' });
    const { parts } = await search.plan();
    const inStretches = async (enough: number): Promise<{ tally: Tally; stretches: number }> => {
      let [tally, stretches] = [NOTHING, 0];
      for (let part = 0; part < parts; part++) {
        let reached: readonly number[] | null = [];
        while (reached !== null) {
          const stretch: Stretch = await search.stretch(part, reached, undefined, enough);
          ({ reached } = stretch);
          tally = add(tally, stretch.tally);
          stretches++;
        }
      }
      return { tally, stretches };
    };
    const whole = await inStretches(Infinity);
    const short = await inStretches(1);
    expect(whole.stretches).toBe(parts);
    expect(short.stretches).toBeGreaterThan(3 * parts);
    expect(short.tally).toEqual(whole.tally);
    expect(whole.tally.schedules).toBeGreaterThan(100);
  });

  it('come out the same with fresh instances', async () => {
    const spec = { kinds: ['crash', 'pause'] as const };
    const kept = await whole(await exploration(row('S1'), spec));
    expect(await whole(await exploration(row('S1'), { ...spec, reuse: false }))).toEqual(kept);
  });
});
