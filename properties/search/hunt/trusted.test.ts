import { describe, expect, it } from 'vitest';
import { compile } from '../../../sim/plan.js';
import { fillScenario } from '../../../sim/scenario/fill.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import { CATALOGUE } from '../../../sim/catalogue/index.js';
import { scenariosOf } from './scenarios.js';
import { ASSUMPTIONS, type HuntSpec } from './spec.js';
import type { Traits } from './traits.js';
import { RunRandom } from './random.js';

const SPEC: HuntSpec = {
  lock: 'redlock',
  seed: 5,
  assume: 'everything',
  kinds: null,
  properties: null,
  sets: [],
  reuse: true,
};
const TRAITS: Traits = {
  servers: 'many',
  semaphore: true,
  fences: true,
  renews: 'asked',
  drifts: true,
  granted: true,
  processes: {},
};

/** `clock` is a function of the plan, and what it says is in the scenario. */
function plain(plan: ReturnType<typeof compile>): unknown {
  return JSON.parse(JSON.stringify(plan));
}

describe('a generated scenario that is not checked again', () => {
  it.each(ASSUMPTIONS)('is the one that the checks would have made of it: %s', (assume) => {
    const random = new RunRandom(SPEC.seed);
    for (const traits of [TRAITS, { ...TRAITS, servers: 1, fences: false, semaphore: false } as const]) {
      const scenarios = scenariosOf({ ...SPEC, assume }, traits);
      for (let run = 0; run < 150; run++) {
        const input = scenarios.generate(random.of(run), undefined).value;
        const checked = parseScenario(input);
        const filled = fillScenario(input);
        expect(filled).toEqual(checked);
        if (run % 10 === 0) expect(plain(compile(filled))).toEqual(plain(compile(checked)));
      }
    }
  });

  it('so is every scenario of the catalogue', () => {
    for (const { scenario } of CATALOGUE) expect(fillScenario(scenario)).toEqual(parseScenario(scenario));
  });
});
