/** No unhandled rejection, no hot loop, no error hidden by another. */
import type { Analysis, Hold, TroubleEvent } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { reachFinding } from '../blame/liveness.js';
import { unknown, type Check } from './check.js';

export const checkQuiet: Check = (analysis) => {
  const evaluated = analysis.holds.length;
  const trouble = analysis.troubles.find(({ what }) => what !== 'escape');
  if (trouble !== undefined) {
    const found = reachFinding(analysis, trouble.host, trouble.tUs);
    return {
      verdict: 'violated',
      blame: found.blame,
      reason: `${trouble.what} in ${trouble.host} at ${ms(trouble.tUs)}: ${trouble.error.name}: ${trouble.error.message}${insteadOf(trouble)}`,
      atUs: trouble.tUs,
      evidence: evidence(trouble.i),
      holds: lastAsked(analysis, trouble),
      evaluated: Math.max(evaluated, 1),
    };
  }
  if (evaluated === 0) return unknown('nobody asked for a lock');
  return { verdict: 'holds', evaluated };
};

/** What the caller heard in the place of an error that was hidden. */
function insteadOf({ what, by }: TroubleEvent): string {
  if (what !== 'masked-error') return '';
  return by === undefined ? '; its caller heard nothing' : `; its caller heard ${by.name}: ${by.message}`;
}

/** The hold with which the process was concerned last: what is in trouble is not always one hold's. */
function lastAsked({ holds }: Analysis, { host, i }: TroubleEvent): string[] {
  let last: Hold | null = null;
  for (const hold of holds)
    if (hold.process.name === host && hold.askedIndex < i && (last?.askedIndex ?? -1) < hold.askedIndex)
      last = hold;
  return last === null ? [] : [last.id];
}
