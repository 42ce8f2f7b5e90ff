/**
 * When acquire returns, the claimed end (no claim: now) is not past, and not after the true time at which the quorum
 * lapses at the clocks' present rates.
 */
import { evidence, ms } from '../analysis/words.js';
import { claimsTooLong, honestyFinding, returnsLate } from '../blame/grant.js';
import { unknown, type Check } from './check.js';

export const checkHonestValidity: Check = (analysis) => {
  const { grants } = analysis;
  for (let index = 0; index < grants.length; index++) {
    const hold = grants[index]!;
    const late = returnsLate(hold);
    if (!late && !claimsTooLong(analysis, hold)) continue;
    const found = honestyFinding(analysis, hold);
    const ok = hold.ok!;
    const what = late
      ? 'past its claimed end'
      : ok.claim === null
        ? 'without standing keys'
        : 'with a claim that outlasts its keys';
    return {
      verdict: 'violated',
      blame: found.blame,
      reason: `${hold.id} was granted at ${ms(ok.tUs)} ${what}: ${found.because}`,
      atUs: ok.tUs,
      evidence: evidence(ok.i, ...found.evidence),
      holds: [hold.id],
      evaluated: grants.length,
    };
  }
  if (grants.length === 0) return unknown('no lock was granted');
  return { verdict: 'holds', evaluated: grants.length };
};
