/** When a grant is returned, fewer than a majority of servers are up and without a live key of that hold. */
import { evidence, ms } from '../analysis/words.js';
import { breaksQuorum, freeAtReturn, quorumFinding } from '../blame/grant.js';
import { unknown, type Check } from './check.js';

export const checkQuorumBacked: Check = (analysis) => {
  const { grants } = analysis;
  for (let index = 0; index < grants.length; index++) {
    const hold = grants[index]!;
    if (!breaksQuorum(analysis, hold)) continue;
    const found = quorumFinding(analysis, hold);
    const ok = hold.ok!;
    const free = freeAtReturn(analysis, hold);
    return {
      verdict: 'violated',
      blame: found.blame,
      reason: `${hold.id} was granted at ${ms(ok.tUs)} with ${free} of ${analysis.serverCount} servers up and without its key: ${found.because}`,
      atUs: ok.tUs,
      evidence: evidence(ok.i, ...found.evidence),
      holds: [hold.id],
      evaluated: grants.length,
    };
  }
  if (grants.length === 0) return unknown('no lock was granted');
  return { verdict: 'holds', evaluated: grants.length };
};
