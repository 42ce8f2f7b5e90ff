/** `why` of `lockpick/run@1`: the faults a violation needs, what led to it, and every change that was tried or can't be made. */
import { violationOf } from '../properties/search/main-property.js';
import type { Why } from '../properties/search/why/why.js';
import type { Verdicts } from '../properties/verdict.js';
import { neededFaults } from '../reports/terminal/explanation.js';
import { causalChain } from '../reports/view/chain.js';
import { buildView } from '../reports/view/model.js';
import type { History } from '../sim/history/events.js';
import { showSetting } from '../sim/scenario/set-path.js';
import { flagsOf } from './counterfactuals.js';

export function whyDocument(history: History, verdicts: Verdicts, why: Why | null): object | null {
  if (why === null) return null;
  const { property, blame, faults, counterfactuals } = why;
  const violation = violationOf(verdicts, why);
  const needed = neededFaults(why);
  const chain =
    violation === undefined ? [] : causalChain(buildView(history), property, violation, { needed });
  return {
    property,
    blame,
    faults: { needed: faults.needed, spare: faults.spare },
    // `needs` counts links of the chain from 0, `events` are indexes of the history.
    chain: chain.map(({ tUs, ...link }) => ({ atMs: tUs / 1000, ...link })),
    counterfactuals: counterfactuals.map((one) => ({
      ...one,
      settings: one.settings.map(showSetting),
      flags: flagsOf(one) || null,
    })),
  };
}
