/** Beliefs of different holds of a resource do not overlap in true time. */
import { beliefsOf } from '../analysis/beliefs.js';
import type { Analysis, Hold, Resource } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { exclusionFinding, inOrder } from '../blame/exclusion.js';
import type { Verdict } from '../verdict.js';
import { unknown, type Check } from './check.js';

export const checkMutualExclusion: Check = (analysis) => {
  let evaluated = 0;
  let first: Overlap | null = null;
  for (const resource of analysis.resources) {
    evaluated += resource.contended ? resource.grants.length : 0;
    if (disjoint(resource.grants)) continue;
    const overlap = firstOverlap(resource);
    if (overlap !== null && (first === null || overlap.atUs < first.atUs)) first = overlap;
  }
  if (first !== null) return violated(analysis, first, Math.max(evaluated, 1));
  if (evaluated === 0) {
    return unknown(analysis.grants.length === 0 ? 'no lock was granted' : 'no two attempts contended');
  }
  return { verdict: 'holds', evaluated };
};

interface Overlap {
  readonly atUs: number;
  readonly holds: readonly [Hold, Hold];
}

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

/** The first instant that lies in beliefs of two holds: sort by beginning, sweep with the belief that lasts longest. */
function firstOverlap(resource: Resource): Overlap | null {
  const intervals: { fromUs: number; untilUs: number; hold: Hold }[] = [];
  for (const hold of resource.grants) {
    const beliefs = beliefsOf(hold);
    for (let index = 0; index < beliefs.length; index += 2) {
      intervals.push({ fromUs: beliefs[index]!, untilUs: beliefs[index + 1]!, hold });
    }
  }
  intervals.sort((a, b) => a.fromUs - b.fromUs);
  let longest: (typeof intervals)[number] | null = null;
  for (const interval of intervals) {
    if (longest !== null && interval.fromUs < longest.untilUs) {
      return { atUs: interval.fromUs, holds: [longest.hold, interval.hold] };
    }
    if (longest === null || interval.untilUs > longest.untilUs) longest = interval;
  }
  return null;
}

function violated(analysis: Analysis, overlap: Overlap, evaluated: number): Verdict {
  const [older, newer] = inOrder(analysis, ...overlap.holds);
  const index = Math.max(older.ok!.i, newer.ok!.i);
  const at = { tUs: overlap.atUs, sentUs: null, index };
  const found = exclusionFinding(analysis, older, newer, at);
  const other = found.loser === older ? newer : older;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `${older.id} and ${newer.id} both believe to hold ${older.resource.name} from ${ms(overlap.atUs)}: ${found.because}`,
    atUs: overlap.atUs,
    evidence: evidence(older.ok!.i, newer.ok!.i, ...found.evidence),
    holds: [found.loser.id, other.id],
    evaluated,
  };
}
