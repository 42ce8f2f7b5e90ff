/** Beliefs of different holds of a resource do not overlap in true time. */
import { beliefsOf, byBeginning, type Belief } from '../analysis/beliefs.js';
import { areKin, type Analysis, type Hold, type Resource } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding, inOrder } from '../blame/exclusion.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';

export const checkMutualExclusion: Check = (analysis) => {
  let evaluated = 0;
  let violations: Violations | null = null;
  for (const resource of analysis.resources) {
    evaluated += resource.contended ? resource.grants.length : 0;
    if (!disjoint(resource.grants)) findOverlaps(analysis, resource, (violations ??= new Violations()));
  }
  if (violations?.any === true) return violations.verdict(evaluated);
  if (evaluated === 0) {
    return unknown(analysis.grants.length === 0 ? 'no lock was granted' : 'no two attempts contended');
  }
  return { verdict: 'holds', evaluated };
};

/** Whether each belief ends before the next begins: the common case, told without sorting. */
function disjoint(grants: readonly Hold[]): boolean {
  let untilUs = -Infinity;
  for (let index = 0; index < grants.length; index++) {
    const beliefs = beliefsOf(grants[index]!);
    if (beliefs.length === 0) continue;
    if (beliefs[0]! < untilUs) return false;
    untilUs = beliefs[beliefs.length - 1]!;
  }
  return true;
}

/** Every two holds whose beliefs overlap, with the first such instant: sort by beginning, sweep with those under way. */
function findOverlaps(analysis: Analysis, resource: Resource, violations: Violations): void {
  const met = new Set<string>();
  let running: Belief[] = [];
  for (const interval of byBeginning(resource.grants)) {
    running = running.filter(({ untilUs }) => untilUs > interval.fromUs);
    for (const { hold } of running) {
      if (areKin(hold, interval.hold)) continue;
      const pair =
        hold.askedIndex < interval.hold.askedIndex
          ? `${hold.id} ${interval.hold.id}`
          : `${interval.hold.id} ${hold.id}`;
      if (met.has(pair)) continue;
      met.add(pair);
      violations.add(violation(analysis, hold, interval.hold, interval.fromUs));
      if (violations.full) return;
    }
    running.push(interval);
  }
}

function violation(analysis: Analysis, one: Hold, another: Hold, atUs: number): Violation {
  const [older, newer] = inOrder(analysis, one, another);
  const index = Math.max(older.ok!.i, newer.ok!.i);
  const found = exclusionFinding(analysis, older, newer, { tUs: atUs, sentUs: null, index });
  const other = found.loser === older ? newer : older;
  return {
    blame: found.blame,
    reason: `${older.id} and ${newer.id} both believe to hold ${older.resource.name} from ${ms(atUs)}: ${found.because}`,
    atUs,
    evidence: evidence(older.ok!.i, newer.ok!.i, ...found.evidence),
    holds: [found.loser.id, other.id],
  };
}
