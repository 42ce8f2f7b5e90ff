/** The closed spans [first use, last use] of different holds, in order of event index, are disjoint. */
import type { Analysis, Hold, UseArrival } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding, inOrder } from '../blame/exclusion.js';
import type { Moment } from '../blame/moment.js';
import type { Verdict } from '../verdict.js';
import { unknown, type Check } from './check.js';

export const checkExclusiveUse: Check = (analysis) => {
  let evaluated = 0;
  let first: readonly [Hold, Hold] | null = null;
  for (const { users } of analysis.resources) {
    if (users.length < 2) continue;
    evaluated += users.length;
    // Users stand in the order of their first use: the spans are disjoint if each ends before the next begins.
    let longest = users[0]!;
    for (let index = 1; index < users.length; index++) {
      const user = users[index]!;
      if (user.firstUse!.i < longest.lastUse!.i) {
        if (first === null || user.firstUse!.i < laterStart(first)) first = [longest, user];
        break;
      }
      if (user.lastUse!.i > longest.lastUse!.i) longest = user;
    }
  }
  if (first !== null) return violated(analysis, first, evaluated);
  if (evaluated === 0) return unknown('no two holds used a resource');
  return { verdict: 'holds', evaluated };
};

function laterStart(pair: readonly [Hold, Hold]): number {
  return Math.max(pair[0].firstUse!.i, pair[1].firstUse!.i);
}

/** The first use of one hold to arrive after another's first. */
export function firstUseAfter(analysis: Analysis, hold: Hold, other: Hold): UseArrival | null {
  for (const use of analysis.uses) {
    if (use.hold === hold.id && use.i > other.firstUse!.i) return use;
  }
  return null;
}

export function momentOf(use: UseArrival): Moment {
  return { tUs: use.tUs, sentUs: use.sentUs, index: use.i };
}

function violated(analysis: Analysis, pair: readonly [Hold, Hold], evaluated: number): Verdict {
  const [older, newer] = inOrder(analysis, ...pair);
  const late = firstUseAfter(analysis, older, newer)!;
  const found = exclusionFinding(analysis, older, newer, momentOf(late));
  const other = found.loser === older ? newer : older;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `a ${late.op} of ${older.id} reached the storage at ${ms(late.tUs)}, after ${newer.id}'s first use at ${ms(newer.firstUse!.tUs)}: ${found.because}`,
    atUs: late.tUs,
    evidence: evidence(older.firstUse!.i, newer.firstUse!.i, late.i, ...found.evidence),
    holds: [found.loser.id, other.id],
    evaluated,
  };
}
