/** When a grant is returned, fewer than a majority of servers are up and without a live key of that hold. */
import type { Analysis, Hold } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { breaksQuorum, freeAtReturn, quorumFinding } from '../blame/grant.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';

export const checkQuorumBacked: Check = (analysis) => {
  const { grants } = analysis;
  let violations: Violations | null = null;
  for (let index = 0; index < grants.length; index++) {
    if (!breaksQuorum(analysis, grants[index]!)) continue;
    violations ??= new Violations();
    if (!violations.full) violations.add(violation(analysis, grants[index]!));
  }
  if (violations !== null) return violations.verdict(grants.length);
  if (grants.length === 0) return unknown('no lock was granted');
  return { verdict: 'holds', evaluated: grants.length };
};

function violation(analysis: Analysis, hold: Hold): Violation {
  const found = quorumFinding(analysis, hold);
  const ok = hold.ok!;
  const free = freeAtReturn(analysis, hold);
  return {
    blame: found.blame,
    reason: `${hold.id} was granted at ${ms(ok.tUs)} with ${free} of ${analysis.serverCount} servers up and without its key: ${found.because}`,
    atUs: ok.tUs,
    evidence: evidence(ok.i, ...found.evidence),
    holds: [hold.id],
  };
}
