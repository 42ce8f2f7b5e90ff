import { describe, expect, it } from 'vitest';
import { loadLock } from '../../../sim/load.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import { resolveLock } from '../../../src/resolve.js';
import { Hunt, mergeRanges } from './hunt.js';
import type { HuntRange } from './range.js';
import { HuntRefused, type HuntSpec } from './spec.js';

const SPEC: HuntSpec = {
  lock: 'pitfall/del-without-check',
  seed: 1,
  assume: 'everything',
  kinds: null,
  properties: null,
  sets: [],
  reuse: true,
};

async function hunt(spec: Partial<HuntSpec> = {}): Promise<Hunt> {
  const whole = { ...SPEC, ...spec };
  return new Hunt(whole, await loadLock(resolveLock(whole.lock)));
}

describe('a hunt', () => {
  it('gives the same result however its runs are cut and merged', async () => {
    const whole = await (await hunt()).range(0, 60);
    const cut = await hunt();
    const parts: HuntRange[] = [];
    for (let from = 0; from < 60; from += 7) parts.push(await cut.range(from, Math.min(from + 7, 60)));
    expect(parts.reduce((a, b) => mergeRanges(a, b))).toEqual(whole);
    expect(parts.reduceRight((a, b) => mergeRanges(a, b))).toEqual(whole);
    const single = await hunt({ reuse: false });
    const ones: HuntRange[] = [];
    for (let run = 59; run >= 0; run--) ones.push(await single.range(run, run + 1));
    expect(ones.reduce((a, b) => mergeRanges(b, a))).toEqual(whole);
  });

  it('makes a finding small: without any of its faults it is gone', async () => {
    const subject = await hunt();
    const { findings } = await subject.range(0, 60);
    const raw = findings.find(({ property, blame }) => property === 'own-key-only' && blame === 'library')!;
    const found = (await subject.minimise(raw))!;
    expect(found).toMatchObject({ key: raw.key, run: raw.run });
    const scenario = parseScenario(found.scenario);
    expect(scenario.processes.count).toBe(2);
    expect(scenario.faults).toHaveLength(found.faults);
    expect(scenario.seed).toBe((await subject.scenarioOf(raw.run)).seed);
  });

  it('refuses what it could never show', async () => {
    const permits = await hunt({ properties: ['permits'] });
    await expect(permits.range(0, 1)).rejects.toThrow(HuntRefused);
    const empty = await hunt({ assume: 'pauses', kinds: ['crash'] });
    await expect(empty.ready()).rejects.toThrow(/nothing is left to hunt with/);
  });
});
