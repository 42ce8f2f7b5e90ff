import { describe, expect, it } from 'vitest';
import type { Boundary, CatalogueEntry } from '../../../sim/catalogue/entry.js';
import { CATALOGUE, findScenario } from '../../../sim/catalogue/index.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import { applySets } from '../../../sim/scenario/set-path.js';
import { runScenario } from '../testing/runner.js';
import { boundaryFor, closedFormOf, lateBy, settingsOf } from './closed-form.js';
import { margin, type Margin } from './margin.js';
import { parameterOf, type Range } from './parameter.js';
import { askMargin, type AskedMargin, type MarginWish } from './question.js';

async function ask(id: string, wish: Partial<MarginWish> & { lock?: string } = {}): Promise<AskedMargin> {
  const entry = findScenario(id)!;
  const { lock = 'single', settings = [], ...rest } = wish;
  const scenario = applySets(parseScenario(entry.scenario), [
    { path: 'lock.name', value: lock },
    ...settings,
  ]);
  return askMargin({ scenario, settings, entry, intervals: 16, runner: runScenario, ...rest });
}

/** Bisects one boundary of the catalogue from far away. */
async function bisect(
  entry: CatalogueEntry,
  boundary: Boundary,
  intervals: number,
  reach?: number,
): Promise<Margin> {
  const scenario = applySets(parseScenario(entry.scenario), [
    { path: 'lock.name', value: boundary.lock },
    ...settingsOf(boundary),
  ]);
  const closedForm = closedFormOf(boundary, scenario, scenario);
  const parameter = parameterOf(scenario, boundary.path);
  const flipsAt = closedForm.flipsAt!;
  const far = reach ?? Math.max(1000, 1.5 * Math.abs(flipsAt));
  const least = parameter.least ?? -Infinity;
  const range: Range = { from: Math.max(least, Math.round(flipsAt - far)), to: Math.round(flipsAt + far) };
  return margin({
    scenario,
    property: boundary.property,
    parameter,
    range,
    intervals,
    closedForm,
    runner: runScenario,
  });
}

describe('agrees with the closed form', () => {
  const rows = ['S1', 'S13', 'S15', 'R2', 'R7'].flatMap((id) => {
    const entry = findScenario(id)!;
    // The same inequality for another property or lock takes the same runs: one of them is enough.
    const forms = new Map(
      entry.boundaries.toReversed().map((boundary) => [`${boundary.path} ${boundary.closedForm}`, boundary]),
    );
    return [...forms.values()].map(
      (boundary) => [id, boundary.lock, boundary.property, boundary.closedForm, entry, boundary] as const,
    );
  });

  it.each(rows)('%s, %s, %s: %s', async (_id, _lock, _property, _form, entry, boundary) => {
    const found = await bisect(entry, boundary, 2);
    expect(found.agrees, JSON.stringify(found.main)).toBe(true);
    const { below, above } = found.main!;
    const violated = boundary.violated === 'below' ? below : above;
    expect(`${violated.verdict}/${violated.blame}`).toBe(boundary.verdict);
    expect([below.verdict, above.verdict].sort()).toEqual(['holds', 'violated']);
  });

  it('of S1, S13, S15 and R2 to a millisecond, of R7 to what a millisecond is over its ttl', async () => {
    for (const [id, lock] of [
      ['S1', 'single'],
      ['S13', 'single'],
      ['S15', 'pitfall/wall-clock-validity'],
      ['R2', 'redlock'],
      ['R7', 'redlock'],
    ] as const) {
      const asked = await ask(id, { lock, intervals: 2 });
      const { flipsAt } = await margin(asked);
      const perMs = asked.parameter.unit === 'ppm' ? 1e6 / asked.scenario.lock.ttlMs : 1;
      expect(Math.abs(flipsAt! - asked.closedForm!.flipsAt!) / perMs, id).toBeLessThan(1);
    }
  });

  // The rows whose runs are short; boundaries.test.ts stands on both sides of every one.
  const short = CATALOGUE.filter(
    ({ scenario }) => !/^(S1|S13|S15|R2|R7|S1[789]S?|S20|S25S?|R8S?|E5|E6S|S24N|R11)$/.test(scenario.id),
  );
  const others = short.flatMap((entry, index) => {
    const boundary = index % 3 === 0 ? entry.boundaries[0] : undefined;
    return boundary === undefined || entry.scenario.processes?.transport === 'wire'
      ? []
      : [[entry.scenario.id, boundary.lock, entry, boundary] as const];
  });
  it.each(others)('%s, %s: found from 8 away', async (_id, _lock, entry, boundary) => {
    const unit = parameterOf(parseScenario(entry.scenario), boundary.path).unit;
    const found = await bisect(entry, boundary, 1, 8 * (unit === 'ppm' ? 1000 : 1));
    expect(found.agrees, JSON.stringify(found.flips)).toBe(true);
  });
  it('of many rows', () => expect(others.length).toBeGreaterThan(8));

  it('in a scenario that was changed, because the inequality is a function of it', async () => {
    const asked = await ask('S1', {
      intervals: 2,
      settings: [
        { path: 'lock.ttlMs', value: 1600 },
        { path: 'network.latencyMs', value: 7.5 },
      ],
    });
    expect(asked.closedForm!.flipsAt).toBe(1585);
    expect((await margin(asked)).agrees).toBe(true);
  });
});

describe('does not agree', () => {
  it('with an inequality that is wrong', async () => {
    const entry = findScenario('S1')!;
    const wrong: Boundary = {
      ...entry.boundaries[0]!,
      closedForm: 'P > T',
      flipsAt: ({ lock }) => lock.ttlMs,
    };
    const found = await bisect(entry, wrong, 8);
    expect(found.flipsAt).toBe(991.5);
    expect(found.agrees).toBe(false);
  });

  it('where the flip that it expects is missing', async () => {
    const entry = findScenario('S15')!;
    const scenario = applySets(parseScenario(entry.scenario), [{ path: 'lock.name', value: 'single' }]);
    const boundary = { ...entry.boundaries[0]!, lock: 'single' };
    const closedForm = closedFormOf(boundary, scenario, scenario);
    const parameter = parameterOf(scenario, boundary.path);
    const found = await margin({
      scenario,
      property: 'mutual-exclusion',
      parameter,
      range: { from: -100, to: 100 },
      intervals: 8,
      closedForm,
      runner: runScenario,
    });
    expect(found.main).toBeNull();
    expect(found.agrees).toBe(false);
  });
});

describe('β, for a rival that is not eager', () => {
  const slow = [
    { path: 'overrides.p2.lock.options.retryDelayMs', value: 40 },
    { path: 'overrides.p2.network.latencyMs', value: 3 },
  ];

  it('is its wait, the reply and its first use, at most', async () => {
    const asked = await ask('S1', { settings: slow, property: 'exclusive-use' });
    expect(asked.closedForm).toMatchObject({
      flipsAt: 991,
      text: 'P > T − (δr + s + δw), s = 0 + β',
      betaMs: 40 + 3 * 3 + 3,
    });
    const found = await margin(asked);
    expect(found.agrees).toBe(true);
    expect(lateBy(asked.closedForm!, found.flipsAt!)).toBeGreaterThan(1);
  });

  it('is none for the rival of the catalogue', async () => {
    const { closedForm } = await ask('S1');
    expect(closedForm).toMatchObject({ betaMs: 0, text: 'P > T − (δr + s + δw), s = 0' });
  });

  it('does not excuse a flip that is too early', async () => {
    const asked = await ask('S1', { settings: slow });
    expect((await margin({ ...asked, closedForm: { ...asked.closedForm!, flipsAt: 1100 } })).agrees).toBe(
      false,
    );
  });
});

describe('what is asked', () => {
  it('is the row as it stands, where it has an inequality for that', async () => {
    expect(await ask('S13')).toMatchObject({ assumed: [], property: 'mutual-exclusion' });
    expect((await ask('S13')).closedForm!.text).toBe('J > T − (δr + C)');
  });

  it('is the row with what its inequality asks for otherwise, and with the last word to the asker', async () => {
    const asked = await ask('S13', { property: 'exclusive-use' });
    expect(asked.assumed).toEqual([{ path: 'overrides.p2.workload.startMs', value: 300 }]);
    const other = await ask('S13', {
      property: 'exclusive-use',
      settings: [{ path: 'overrides.p2.workload.startMs', value: 310 }],
    });
    expect(other.scenario.overrides['p2']!.workload!.startMs).toBe(310);
  });

  it('is about another lock if the row has no inequality for this one', async () => {
    const asked = await ask('S1', { lock: 'single-fenced' });
    expect(asked.closedForm).toMatchObject({ lock: 'single', flipsAt: 991 });
  });

  it('is the first violated property where nobody says', async () => {
    const asked = await ask('S1', { path: 'lock.ttlMs' });
    expect(asked).toMatchObject({ property: 'no-stale-write', closedForm: null });
  });

  it.each([
    [
      'no such path',
      { path: 'lock.tttlMs' },
      /no path `lock.tttlMs` in a scenario \(did you mean lock.ttlMs\?\)/,
    ],
    ['a text', { path: 'lock.name' }, /lock.name is a text, not a number/],
    ['a fault that is not there', { path: 'faults.2.forMs' }, /faults has only 1: nothing is there to vary/],
    ['a range backwards', { from: 10, to: 0 }, /from 10 to 0 runs backwards/],
    ['a value that is not allowed', { from: -1 }, /faults.0.forMs: -1 ms is not allowed there: at least 0/],
    [
      'nothing that flips',
      { path: 'lock.ttlMs', settings: [{ path: 'faults', value: [] }] },
      /nothing is violated in S1 as it stands/,
    ],
  ] as const)('is refused: %s', async (_what, wish, message) => {
    await expect(ask('S1', wish)).rejects.toThrow(message);
  });

  it('prefers the inequality of the lock', () => {
    const entry = findScenario('S15')!;
    expect(boundaryFor(entry, { lock: 'redlock@4.2.0' })?.lock).toBe('redlock@4.2.0');
    expect(boundaryFor(entry, { lock: 'redlock@4.2.0', property: 'progress' })).toBeUndefined();
  });
});

describe('a verdict that is not certain', () => {
  it('is unknown where a fault never struck', async () => {
    const asked = await ask('S1', { path: 'faults.0.on.nth', property: 'exclusive-use', from: 1, to: 4 });
    const { scan, flips } = await margin(asked);
    expect(scan.map(({ verdict }) => verdict)).toEqual(['violated', 'holds', 'unknown', 'unknown']);
    expect(scan[2]!.reason).toMatch(/nth 3 never came/);
    expect(flips).toHaveLength(2);
  });

  it('is unknown, with the reason, where a value makes no scenario', async () => {
    const asked = await ask('S1', { path: 'processes.count', property: 'exclusive-use', from: 1, to: 3 });
    const { scan } = await margin(asked);
    expect(scan[0]).toMatchObject({ value: 1, verdict: 'unknown' });
    expect(scan[0]!.reason).toMatch(/no process p2/);
    expect(scan[1]!.verdict).toBe('violated');
  });
});
