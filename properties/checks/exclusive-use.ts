/** The closed spans [first use, last use] of different holds, in order of event index, are disjoint. */
import { areKin, type Analysis, type Hold, type UseArrival } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding, inOrder } from '../blame/exclusion.js';
import type { Moment } from '../blame/moment.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';

export const checkExclusiveUse: Check = (analysis) => {
  let evaluated = 0;
  let violations: Violations | null = null;
  for (const { users } of analysis.resources) {
    if (users.length < 2) continue;
    evaluated += users.length;
    if (!disjoint(users)) findOverlaps(analysis, users, (violations ??= new Violations()));
  }
  if (violations?.any === true) return violations.verdict(evaluated);
  if (evaluated === 0) return unknown('no two holds used a resource');
  return { verdict: 'holds', evaluated };
};

/** Users stand in the order of their first use: the spans are disjoint if each ends before the next begins. */
function disjoint(users: readonly Hold[]): boolean {
  let lastIndex = -1;
  for (let index = 0; index < users.length; index++) {
    if (users[index]!.firstUse!.i < lastIndex) return false;
    lastIndex = users[index]!.lastUse!.i;
  }
  return true;
}

function findOverlaps(analysis: Analysis, users: readonly Hold[], violations: Violations): void {
  let running: Hold[] = [];
  for (const user of users) {
    running = running.filter((other) => other.lastUse!.i > user.firstUse!.i);
    for (const other of running) {
      if (areKin(other, user)) continue;
      violations.add(violation(analysis, other, user));
      if (violations.full) return;
    }
    running.push(user);
  }
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

function violation(analysis: Analysis, one: Hold, another: Hold): Violation {
  const [older, newer] = inOrder(analysis, one, another);
  const late = firstUseAfter(analysis, older, newer)!;
  const found = exclusionFinding(analysis, older, newer, momentOf(late));
  const other = found.loser === older ? newer : older;
  return {
    blame: found.blame,
    reason: `a ${late.op} of ${older.id} reached the storage at ${ms(late.tUs)}, after ${newer.id}'s first use at ${ms(newer.firstUse!.tUs)}: ${found.because}`,
    atUs: late.tUs,
    evidence: evidence(older.firstUse!.i, newer.firstUse!.i, late.i, ...found.evidence),
    holds: [found.loser.id, other.id],
  };
}
