/**
 * When acquire returns, the claimed end (no claim: now) is not past, and not after the true time at which the quorum
 * lapses at the clocks' present rates.
 */
import type { Analysis, Hold } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { claimsTooLong, honestyFinding, returnsLate } from '../blame/grant.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';

export const checkHonestValidity: Check = (analysis) => {
  const { grants } = analysis;
  let violations: Violations | null = null;
  for (let index = 0; index < grants.length; index++) {
    const hold = grants[index]!;
    if (!returnsLate(hold) && !claimsTooLong(analysis, hold)) continue;
    violations ??= new Violations();
    if (!violations.full) violations.add(violation(analysis, hold));
  }
  if (violations !== null) return violations.verdict(grants.length);
  if (grants.length === 0) return unknown('no lock was granted');
  return { verdict: 'holds', evaluated: grants.length };
};

function violation(analysis: Analysis, hold: Hold): Violation {
  const found = honestyFinding(analysis, hold);
  const ok = hold.ok!;
  const late = returnsLate(hold);
  const what = late
    ? 'past its claimed end'
    : ok.claim === null
      ? 'without standing keys'
      : 'with a claim that outlasts its keys';
  return {
    blame: found.blame,
    reason: `${hold.id} was granted at ${ms(ok.tUs)} ${what}: ${found.because}`,
    atUs: ok.tUs,
    evidence: evidence(ok.i, ...found.evidence),
    holds: [hold.id],
  };
}
