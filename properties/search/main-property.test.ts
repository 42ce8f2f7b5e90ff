import { describe, expect, it } from 'vitest';
import { findScenario } from '../../sim/catalogue/index.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { applySets } from '../../sim/scenario/set-path.js';
import type { Verdicts } from '../verdict.js';
import { mainProperty, mainViolation, violationOf } from './main-property.js';
import { runScenario } from './testing/runner.js';

async function verdictsOf(id: string, lock: string): Promise<Verdicts> {
  const scenario = parseScenario(findScenario(id)!.scenario);
  const result = await runScenario(applySets(scenario, [{ path: 'lock.name', value: lock }]));
  if ('refused' in result) throw new Error(result.refused);
  return result.verdicts;
}

/** S1 with `single`: what no lock can help, and nothing else. */
const paused = (): Promise<Verdicts> => verdictsOf('S1', 'single');
const mistake = { blame: 'library', reason: 'its own', atUs: 1_600_000, evidence: [1], holds: [] } as const;

describe('the violation that is explained', () => {
  it('is what the storage suffered where no lock could help', async () => {
    const verdicts = await paused();
    expect(mainViolation(verdicts)).toMatchObject(['no-stale-write', { blame: 'lease' }]);
    expect(mainProperty(verdicts)).toBe('no-stale-write');
    expect(mainViolation(await verdictsOf('C1', 'single'))).toBeUndefined();
  });

  it("is the lock's own mistake, though it shows later and the storage suffers more from what is not", async () => {
    const verdicts = await paused();
    const orphan = { ...mistake, verdict: 'violated', evaluated: 1 } as const;
    const both = { ...verdicts, 'no-orphan': orphan };
    expect(mainViolation(both)).toEqual(['no-orphan', orphan]);
    expect(mainProperty(both)).toBe('no-stale-write');
    const stale = verdicts['no-stale-write'];
    if (stale.verdict !== 'violated') throw new Error('it is violated');
    const later = { ...both, 'no-stale-write': { ...stale, also: [mistake] } };
    expect(mainViolation(later)).toEqual(['no-stale-write', mistake]);
    expect(violationOf(later, { property: 'no-stale-write', blame: 'library' })).toBe(mistake);
    expect(violationOf(later, { property: 'no-stale-write', blame: 'lease' })).toBe(later['no-stale-write']);
    expect(violationOf(later, { property: 'no-stale-write', blame: 'usage' })).toBeUndefined();
    expect(violationOf(later, { property: 'progress', blame: 'library' })).toBeUndefined();
  });
});
