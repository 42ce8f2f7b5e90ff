/**
 * Every row of the catalogue on every lock it speaks of: the properties it names come out exactly as it says, and no other
 * is violated. Expectations were derived from the inequalities before the first run (docs/disagreements.md).
 */
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import { PROPERTY_IDS, type PropertyId } from '../sim/scenario/schema.js';
import { applySets } from '../sim/scenario/set-path.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';
import { otherFigures } from './observe.js';
import type { Verdict } from './verdict.js';

function word(verdict: Verdict): string {
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}

describe.each(CATALOGUE.map((entry) => [entry.scenario.id, entry] as const))('%s', (id, entry) => {
  const scenario = parseScenario(entry.scenario, id);

  it.each(Object.keys(scenario.expect))('%s', async (lock) => {
    const named = applySets(scenario, [{ path: 'lock.name', value: lock }]);
    const history = await simulate(named, await loadLock(resolveLock(lock)));
    const { verdicts } = judge(history);
    const wanted = scenario.expect[lock]!;
    const found: Record<string, string> = {};
    const reasons: string[] = [];
    for (const property of PROPERTY_IDS) {
      const verdict = verdicts[property];
      if (wanted[property] !== undefined || verdict.verdict === 'violated') found[property] = word(verdict);
      if (verdict.verdict !== 'holds') reasons.push(`${property}: ${verdict.reason}`);
    }
    const judged = Object.entries(wanted).filter(([name]) => PROPERTY_IDS.includes(name as PropertyId));
    expect(found, reasons.join('\n')).toEqual(Object.fromEntries(judged));
    expect(otherFigures(history, wanted.observe)).toEqual([]);
    // What a cut for good keeps back is waited for until the limit, and so is a call that never settles.
    const forGood =
      wanted['settles']?.toString().startsWith('violated') === true ||
      scenario.faults.some((fault) => fault.do === 'partition' && fault.forMs === undefined);
    expect(history.events.at(-1), 'every fault struck, and all was done').toMatchObject({
      kind: 'end',
      untriggered: [],
      reason: forGood ? expect.stringMatching(/^(done|virtual-time)$/) : 'done',
    });
  });
});
