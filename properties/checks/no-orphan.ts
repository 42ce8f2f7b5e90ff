/** No key stays for long without a grant to its setter, or after its release was invoked. */
import { boundsOf } from '../analysis/bounds.js';
import { endUsOf } from '../analysis/keys.js';
import { pausedWithin } from '../analysis/pauses.js';
import type { Shard } from '../analysis/shards.js';
import type { Hold, HostState, Life } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { orphanFinding } from '../blame/orphan.js';
import { unknown, type Check } from './check.js';

export const checkNoOrphan: Check = (analysis) => {
  const { orphanUs } = boundsOf(analysis.scenario);
  const { holds } = analysis;
  let evaluated = 0;
  let first: Orphan | null = null;
  for (let index = 0; index < holds.length; index++) {
    const { lives } = holds[index]!;
    for (let k = 0; k < lives.length; k++) {
      const life = lives[k]!;
      if (life.owner !== holds[index] || life.key.auxiliary || life.deposed !== null) continue;
      evaluated++;
      const fromUs = orphanedUs(holds[index]!, life);
      const untilUs = Math.min(endUsOf(life), analysis.endUs);
      if (untilUs - fromUs <= orphanUs) continue;
      const atUs = tooLongAtUs(holds[index]!, life, fromUs, orphanUs);
      if (atUs >= untilUs || holds[index]!.crashUs <= atUs) continue;
      if (first === null || atUs < first.atUs) first = { hold: holds[index]!, life, fromUs, atUs };
    }
  }
  if (first === null) {
    return evaluated === 0 ? unknown('no key was set') : { verdict: 'holds', evaluated };
  }
  const { hold, life, fromUs, atUs } = first;
  const found = orphanFinding(analysis, hold, life, fromUs, atUs);
  const since =
    hold.ok === null || fromUs !== hold.releaseUs ? 'its SET, without a grant,' : 'its release was invoked';
  const until =
    life.end === null ? 'to the end of the run' : `until ${ms(life.end.tUs)} (${life.end.effect})`;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `the key of ${hold.id} on ${life.shard.name} lived on for more than ${ms(orphanUs)} after ${since} at ${ms(fromUs)}, ${until}: ${found.because}`,
    atUs,
    evidence: evidence(life.set.i, hold.releaseIndex, life.end?.i, ...found.evidence),
    holds: [hold.id],
    evaluated,
  };
};

interface Orphan {
  readonly hold: Hold;
  readonly life: Life;
  readonly fromUs: number;
  /** When it had lived too long. */
  readonly atUs: number;
}

/**
 * From when the key has no use: its SET if no grant came of it while it lived, else the release (or its SET, if that
 * was later). Infinity: the key is that of a hold.
 */
function orphanedUs(hold: Hold, life: Life): number {
  const setUs = life.set.tUs;
  const { ok } = hold;
  if (ok === null || (life.end !== null && life.end.i < ok.i)) return setUs;
  return hold.releaseIndex < 0 ? Infinity : Math.max(setUs, hold.releaseUs);
}

/** When `orphanUs` have passed since `fromUs`, not counting time in which the setter was paused or the server down. */
function tooLongAtUs(hold: Hold, life: Life, fromUs: number, orphanUs: number): number {
  const { shard } = life;
  if (hold.process.pauses === null && shard.downs === null) return fromUs + orphanUs;
  let atUs = fromUs + orphanUs;
  for (;;) {
    const excusedUs = excused(hold.process, shard, fromUs, atUs);
    if (excusedUs === Infinity) return Infinity;
    const nextUs = fromUs + orphanUs + excusedUs;
    if (nextUs <= atUs) return atUs;
    atUs = nextUs;
  }
}

function excused(process: HostState, shard: Shard, fromUs: number, untilUs: number): number {
  let totalUs = pausedWithin(process, fromUs, untilUs);
  for (const down of shard.downs ?? []) {
    const start = Math.max(down.fromUs, fromUs);
    // All of it, to its end: cut off at `untilUs` it would be approached in small steps, for ever if it has no end.
    const stop = down.untilUs;
    // Paused and down at once counts once.
    if (start < untilUs && stop > start) totalUs += stop - start - pausedWithin(process, start, stop);
  }
  return totalUs;
}
