/** What the servers and the network did to liveness. */
import { readClock } from '../analysis/clocks.js';
import { endUsOf } from '../analysis/keys.js';
import { majorityReachable } from '../analysis/links.js';
import type { Analysis } from '../analysis/model.js';
import type { ClockSegment } from '../analysis/clocks.js';
import type { Finding } from './moment.js';

/** A step back of a server's wall clock while the server held a live key of a lock, up to a true time. */
export function steppedBackOverKey(analysis: Analysis, untilUs: number): ClockSegment | null {
  for (const shard of analysis.shards) {
    if (shard === undefined) continue;
    for (let index = 1; index < shard.clocks.length; index++) {
      const step = shard.clocks[index]!;
      if (step.cause !== 'step' || step.tUs > untilUs) continue;
      const before = shard.clocks.slice(0, index);
      if (step.wallUs >= readClock(before, 'wall', step.tUs)) continue;
      const live = analysis.holds.some((hold) =>
        hold.lives.some(
          (life) =>
            life.shard === shard &&
            !life.key.auxiliary &&
            life.set.tUs <= step.tUs &&
            endUsOf(life) > step.tUs,
        ),
      );
      if (live) return step;
    }
  }
  return null;
}

/** settles and quiet: the servers' fault if the process reaches no majority in the tail, else the library's. */
export function reachFinding(analysis: Analysis, process: string, atUs: number): Finding {
  const tUs = Math.max(atUs, analysis.tailUs);
  if (!majorityReachable(analysis, process, tUs)) {
    return {
      blame: 'infrastructure',
      because: `${process} reaches no majority of the servers`,
      evidence: [],
    };
  }
  return { blame: 'library', because: `${process} reaches a majority of the servers`, evidence: [] };
}
