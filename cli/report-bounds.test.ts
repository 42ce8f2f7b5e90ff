/** Every catalogue row's report fits a window of 100 columns and 45 lines. */
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { judge } from '../properties/judge.js';
import { mainViolation } from '../properties/search/main-property.js';
import type { Why } from '../properties/search/why/why.js';
import { terminalReport } from '../reports/terminal/report.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import { compareWithExpectation } from './expectation.js';
import { load } from './execute.js';

/** An explanation with much to say. */
const WHY: Why = {
  property: 'mutual-exclusion',
  blame: 'infrastructure',
  faults: {
    needed: [1, 2, 3].map((index) => ({
      path: `faults.${index}`,
      what: `partition p1,p2 -> redis-${index},redis-4,redis-5`,
      fault: index,
      without: 'holds',
    })),
    spare: [{ path: 'clocks.redis-1', what: 'clock of redis-1 (fast by 50000 ppm)', fault: null }],
    runs: 9,
  },
  counterfactuals: (['no help', 'not applicable'] as const).map((effect) => ({
    id: 'wait-1',
    what: 'a vote that waits for one replica',
    lock: null,
    settings: [],
    effect,
    reason: null,
    verdicts: null,
    cures: [],
    leaves: [],
  })),
};

describe('reports of the catalogue', () => {
  it.each(CATALOGUE.map((entry) => [entry.scenario.id, entry] as const))('%s fits', async (id, entry) => {
    const scenario = parseScenario(entry.scenario, id);
    const history = await simulate(scenario, await load(scenario.lock.name));
    const { verdicts } = judge(history);
    const report = terminalReport(history, verdicts, {
      width: 100,
      paint: (_style, text) => text,
      replay: `npx lockpick run ${id}`,
      title: entry.title,
      outcome: compareWithExpectation(history, verdicts, ['library']),
      files: { history: `lockpick-out/${id}.history.jsonl`, trace: `lockpick-out/${id}.trace.jsonl` },
      about: mainViolation(verdicts) ?? null,
      why: WHY,
      changes: Array.from({ length: 5 }, () => ({
        what: 'without the partition p1,p2 -> redis-1,redis-2,redis-3 or crash of redis-4',
        flags: '',
        cures: ['mutual-exclusion', 'exclusive-use'] as const,
        leaves: ['no-stale-write', 'progress', 'no-orphan'] as const,
      })),
    });
    const lines = report.split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
  });
});
