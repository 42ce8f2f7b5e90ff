/** The storage accepts no write of an older hold after an accepted write of a newer one. */
import { orderOf } from '../analysis/keys.js';
import type { Analysis, Hold, Resource, UseArrival } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding } from '../blame/exclusion.js';
import type { Verdict } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { firstUseAfter, momentOf } from './exclusive-use.js';

export const checkNoStaleWrite: Check = (analysis) => {
  let evaluated = 0;
  let stale: Stale | null = null;
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
        continue;
      }
      if (stale === null || use.i < stale.write.i)
        stale = { write: use, older: hold, newer: newest, newerWrite: newestWrite!, resource };
      break;
    }
  }
  if (stale !== null) return violated(analysis, stale, evaluated);
  if (evaluated === 0) return unknown('no two holds used a resource, at least one of them by a write');
  return { verdict: 'holds', evaluated };
};

interface Stale {
  readonly write: UseArrival;
  readonly older: Hold;
  readonly newer: Hold;
  readonly newerWrite: UseArrival;
  readonly resource: Resource;
}

function violated(analysis: Analysis, stale: Stale, evaluated: number): Verdict {
  const { older, newer, write } = stale;
  // Blame looks at the first use that came too late, which may be a read before the stale write.
  const late = firstUseAfter(analysis, older, newer) ?? write;
  const found = exclusionFinding(analysis, older, newer, momentOf(late));
  const other = found.loser === older ? newer : older;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `the storage took a write of ${older.id} at ${ms(write.tUs)} after one of the newer ${newer.id} at ${ms(stale.newerWrite.tUs)}: ${found.because}`,
    atUs: write.tUs,
    evidence: evidence(stale.newerWrite.i, late.i, write.i, ...found.evidence),
    holds: [found.loser.id, other.id],
    evaluated,
  };
}
