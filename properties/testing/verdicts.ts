/** What tests of the checkers ask of a verdict. */
import type { PropertyId } from '../../sim/scenario/schema.js';
import { judge } from '../judge.js';
import type { Verdict } from '../verdict.js';
import type { HistoryBuilder } from './history.js';

/** `holds`, `unknown`, or `violated/<blame>`, as a scenario's `expect` writes it. */
export function outcome(property: PropertyId, builder: HistoryBuilder): string {
  const verdict = verdictOf(property, builder);
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}

export function verdictOf(property: PropertyId, builder: HistoryBuilder): Verdict {
  return judge(builder.build()).verdicts[property];
}
