/** The storage accepts no write of an older hold after an accepted write of a newer one. */
import { orderOf } from '../analysis/keys.js';
import { areKin, type Analysis, type Hold, type UseArrival } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding } from '../blame/exclusion.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';
import { firstUseAfter, momentOf } from './exclusive-use.js';

export const checkNoStaleWrite: Check = (analysis) => {
  let evaluated = 0;
  let violations: Violations | null = null;
  for (const resource of analysis.resources) {
    if (resource.users.length < 2) continue;
    let newest: Hold | null = null;
    let newestWrite: UseArrival | null = null;
    const { uses } = analysis;
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index]!;
      if (use.op !== 'write' || use.resource !== resource.name) continue;
      evaluated++;
      if (use.phase !== 'ok' || use.hold === newest?.id) continue;
      const hold: Hold = analysis.holdById.get(use.hold)!;
      if (newest === null || orderOf(analysis, hold) > orderOf(analysis, newest)) {
        newest = hold;
        newestWrite = use;
      } else if (!areKin(hold, newest) && (violations === null || !violations.full)) {
        (violations ??= new Violations()).add(violation(analysis, use, hold, newest, newestWrite!));
      }
    }
  }
  if (violations !== null) return violations.verdict(evaluated);
  if (evaluated === 0) return unknown('no two holds used a resource, at least one of them by a write');
  return { verdict: 'holds', evaluated };
};

function violation(
  analysis: Analysis,
  write: UseArrival,
  older: Hold,
  newer: Hold,
  newerWrite: UseArrival,
): Violation {
  // Blame looks at the first use that came too late, which may be a read before the stale write.
  const late = firstUseAfter(analysis, older, newer) ?? write;
  const found = exclusionFinding(analysis, older, newer, momentOf(late));
  const other = found.loser === older ? newer : older;
  return {
    blame: found.blame,
    reason: `the storage took a write of ${older.id} at ${ms(write.tUs)} after one of the newer ${newer.id} at ${ms(newerWrite.tUs)}: ${found.because}`,
    atUs: write.tUs,
    evidence: evidence(newerWrite.i, late.i, write.i, ...found.evidence),
    holds: [found.loser.id, other.id],
  };
}
