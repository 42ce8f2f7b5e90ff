/** Tokens strictly increase in the order of holds. */
import { orderOf } from '../analysis/keys.js';
import { areKin, type Analysis, type Hold } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { tokenFinding } from '../blame/token.js';
import type { Verdict } from '../verdict.js';
import { unknown, type Check } from './check.js';

export const checkFencingOrder: Check = (analysis) => {
  let evaluated = 0;
  let tokens = 0;
  let first: readonly [Hold, Hold] | null = null;
  for (const { grants } of analysis.resources) {
    const fenced: Hold[] = [];
    for (const hold of grants) if (hold.ok!.fence !== null) fenced.push(hold);
    tokens += fenced.length;
    if (fenced.length < 2) continue;
    evaluated += fenced.length - 1;
    fenced.sort((a, b) => orderOf(analysis, a) - orderOf(analysis, b));
    // Against the highest before it, not only its neighbour: one fall makes every later one up to it wrong.
    let highest = fenced[0]!;
    for (let index = 1; index < fenced.length; index++) {
      const hold = fenced[index]!;
      if (hold.ok!.fence! > highest.ok!.fence!) highest = hold;
      else if (!areKin(hold, highest)) {
        if (first === null || hold.ok!.i < first[1].ok!.i) first = [highest, hold];
        break;
      }
    }
  }
  if (first !== null) return violated(analysis, first, evaluated);
  if (tokens === 0)
    return unknown(analysis.grants.length === 0 ? 'no lock was granted' : 'the lock gives no token');
  if (evaluated === 0) return unknown('no resource was held twice with a token');
  return { verdict: 'holds', evaluated };
};

function violated(analysis: Analysis, [earlier, later]: readonly [Hold, Hold], evaluated: number): Verdict {
  const found = tokenFinding(analysis, earlier, later);
  const one = earlier.ok!;
  const two = later.ok!;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `${later.id}'s token ${two.fence} is not above the ${one.fence} of ${earlier.id}, which came before (returned at ${ms(one.tUs)} and ${ms(two.tUs)}): ${found.because}`,
    atUs: Math.max(one.tUs, two.tUs),
    evidence: evidence(one.i, two.i, ...found.evidence),
    holds: [earlier.id, later.id],
    evaluated,
  };
}
