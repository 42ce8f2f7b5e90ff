import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../sim/scenario/parse.js';
import { findFlips, type FlipSearch, type Sample } from './flips.js';
import { defaultRange, parameterOf } from './parameter.js';

const parameter = parameterOf(parseScenario({ id: 'X' }), 'lock.ttlMs');

/** Violated inside the given half-open spans. */
function world(...spans: readonly (readonly [number, number])[]): (value: number) => Promise<Sample> {
  return async (value) => {
    const bad = spans.some(([from, to]) => from <= value && value < to);
    return {
      value,
      verdict: bad ? 'violated' : 'holds',
      blame: bad ? 'lease' : null,
      reason: bad ? 'so' : null,
    };
  };
}

const search = (sampleAt: FlipSearch['sampleAt'], more: Partial<FlipSearch> = {}): FlipSearch => ({
  parameter,
  range: { from: 0.001, to: 2000 },
  intervals: 10,
  landmarks: [],
  sampleAt,
  ...more,
});

describe('flips', () => {
  it('are found to the microsecond', async () => {
    const { flips } = await findFlips(search(world([991.501, Infinity])));
    expect(flips).toMatchObject([
      { below: { value: 991.5, verdict: 'holds' }, above: { value: 991.501, verdict: 'violated' } },
    ]);
  });

  it('are all found where the grid sees between them', async () => {
    const { flips } = await findFlips(search(world([100, 450], [1000.25, 1600])));
    expect(flips.map(({ above }) => above.value)).toEqual([100, 450, 1000.25, 1600]);
  });

  it('inside one interval are seen with a landmark, and not without', async () => {
    const narrow = world([910, 911]);
    expect((await findFlips(search(narrow))).flips).toEqual([]);
    expect(
      (await findFlips(search(narrow, { landmarks: [910.5] }))).flips.map(({ above }) => above.value),
    ).toEqual([910, 911]);
  });

  it('of blame and into the unknown are flips too, three states in one interval included', async () => {
    const { flips } = await findFlips(
      search(async (value) => ({
        value,
        verdict: value < 630 ? 'holds' : 'violated',
        blame: value < 630 ? null : value < 650.5 ? 'lease' : 'library',
        reason: null,
      })),
    );
    expect(flips.map(({ above }) => [above.value, above.blame])).toEqual([
      [630, 'lease'],
      [650.5, 'library'],
    ]);
  });

  it('are none where nothing flips, and nothing is run twice', async () => {
    const seen: number[] = [];
    const { flips, runs, complete } = await findFlips(
      search(
        async (value) => {
          seen.push(value);
          return world()(value);
        },
        { landmarks: [0.001, 2000, 5000] },
      ),
    );
    expect(flips).toEqual([]);
    expect(complete).toBe(true);
    expect(seen).toHaveLength(11);
    expect(new Set(seen).size).toBe(runs);
  });

  it('keep the first of an interval when they are stopped before the second', async () => {
    const seen = new Set<number>();
    const sampleAt = async (value: number): Promise<Sample> => {
      seen.add(value);
      const blame = value < 630 ? null : value < 650.5 ? 'lease' : 'library';
      return { value, verdict: blame === null ? 'holds' : 'violated', blame, reason: null };
    };
    const stopped = (): boolean => seen.has(629.999) && seen.has(630);
    const found = await findFlips(search(sampleAt, { stopped }));
    expect(found).toMatchObject({ complete: false, flips: [{ above: { value: 630 } }] });
  });

  it('keep what they have when they are stopped', async () => {
    let runs = 0;
    const sampleAt = world([991.501, Infinity]);
    const stopped = (): boolean => runs++ >= 12;
    const found = await findFlips(search(sampleAt, { stopped }));
    expect(found.complete).toBe(false);
    expect(found.scan).toHaveLength(11);
  });
});

describe('a parameter', () => {
  const scenario = parseScenario({
    id: 'X',
    servers: { count: 3 },
    clocks: { 'redis-1': { driftPpm: 5 } },
    network: { links: { 'p1->redis-1': 3 } },
    faults: [{ atMs: 5, do: 'step-clock', host: 'redis-1', byMs: -20 }],
  });

  it.each([
    ['lock.ttlMs', 'ms', 3],
    ['network.links.p1->redis-1', 'ms', 3],
    ['workload.workMs.0', 'ms', 3],
    ['clocks.redis-1.driftPpm', 'ppm', 3],
    ['servers.count', 'count', 0],
    ['servers.maxMemory', 'bytes', 0],
    ['network.loss', 'ratio', 6],
    ['lock.options.driftFactor', 'ratio', 6],
  ] as const)('%s is in %s, to %i decimals', (path, unit, decimals) => {
    expect(parameterOf(scenario, path)).toMatchObject({ unit, decimals });
  });

  it('is varied on both sides of 0 only where that is allowed', () => {
    const signed = parameterOf(scenario, 'faults.0.byMs');
    expect(defaultRange(signed, scenario, [signed.current])).toEqual({ from: -2000, to: 2000 });
    const time = parameterOf(scenario, 'faults.0.atMs');
    expect(defaultRange(time, scenario, [3000])).toEqual({ from: 0, to: 6000 });
    const probability = parameterOf(scenario, 'network.loss');
    expect(defaultRange(probability, scenario, [])).toEqual({ from: 0, to: 1 });
  });
});
