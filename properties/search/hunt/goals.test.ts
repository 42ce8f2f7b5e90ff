import { beforeAll, describe, expect, it } from 'vitest';
import { loadLock } from '../../../sim/load.js';
import { resolveLock } from '../../../src/resolve.js';
import { CoverageSum } from './coverage.js';
import { goalsOf, missingGoals } from './goals.js';
import { Hunt, type HuntRange } from './hunt.js';
import { ASSUMPTIONS, type HuntSpec } from './spec.js';

const PAUSES: HuntSpec = {
  lock: 'single',
  seed: 1,
  assume: 'pauses',
  kinds: null,
  properties: ['mutual-exclusion'],
  sets: [],
  reuse: true,
};

it.each(ASSUMPTIONS)('a hunt in which nothing happened reaches no goal of %s', (assume) => {
  const spec = { ...PAUSES, assume };
  const missing = missingGoals(spec, new CoverageSum().sum());
  expect(missing).toHaveLength(goalsOf(spec).length);
  expect(missing).toContain('a lock was granted');
});

describe('pauses', () => {
  let range: HuntRange;

  beforeAll(async () => {
    range = await new Hunt(PAUSES, await loadLock(resolveLock('single'))).range(0, 150);
  });

  it('reach all their goals', () => {
    expect(missingGoals(PAUSES, range.coverage)).toEqual([]);
    const texts = goalsOf(PAUSES).map(({ text }) => text);
    expect(texts).toContain('a pause struck while a lock was held');
    expect(texts).toContain('a lease ended during the work');
    expect(texts).toContain('a fault struck during a release');
  });

  it('lack what never struck at one of the moments', () => {
    const struck = Object.fromEntries(
      Object.entries(range.coverage.struck).filter(([key]) => key !== 'pause at releasing'),
    );
    expect(missingGoals(PAUSES, { ...range.coverage, struck })).toEqual(['a fault struck during a release']);
  });
});
