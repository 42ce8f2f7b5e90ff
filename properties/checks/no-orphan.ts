/** No key stays for long without a grant to its setter, or after its release was invoked. */
import type { EventOf } from '../../sim/history/events.js';
import { boundsOf } from '../analysis/bounds.js';
import { endUsOf } from '../analysis/keys.js';
import { pausedWithin } from '../analysis/pauses.js';
import { refusedByItself } from '../analysis/refused-by-itself.js';
import type { Shard } from '../analysis/shards.js';
import type { Analysis, Hold, HostState, Life } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { isSetAfterRelease, orphanFinding } from '../blame/orphan.js';
import { unknown, type Check } from './check.js';

export const checkNoOrphan: Check = (analysis) => {
  const { holds } = analysis;
  let evaluated = 0;
  let first: Orphan | null = null;
  for (let index = 0; index < holds.length; index++) {
    const { lives } = holds[index]!;
    for (let k = 0; k < lives.length; k++) {
      const life = lives[k]!;
      if (life.owner !== holds[index] || life.key.auxiliary || life.deposed !== null) continue;
      evaluated++;
      const orphan = orphanOf(analysis, holds[index]!, life);
      if (orphan !== null && (first === null || orphan.atUs < first.atUs)) first = orphan;
    }
  }
  if (first === null) {
    return evaluated === 0 ? unknown('no key was set') : { verdict: 'holds', evaluated };
  }
  const { hold, life, fromUs, atUs, refusal } = first;
  const found = orphanFinding(analysis, hold, life, fromUs, atUs);
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `${livedOn(first)}: ${found.because}`,
    atUs,
    evidence: evidence(life.set.i, refusal?.i, hold.releaseIndex, life.end?.i, ...found.evidence),
    holds: [hold.id],
    evaluated,
  };
};

interface Orphan {
  readonly hold: Hold;
  readonly life: Life;
  readonly fromUs: number;
  readonly boundUs: number;
  /** When it had lived too long. */
  readonly atUs: number;
  /** The command by which its own setter asked again in vain, if that is what it is counted from. */
  readonly refusal: EventOf<'apply'> | null;
}

/** Which key, how long it lived, and since when it had no use. */
function livedOn({ hold, life, fromUs, boundUs, refusal }: Orphan): string {
  const { end, shard } = life;
  const until = end === null ? 'to the end of the run' : `until ${ms(end.tUs)} (${end.effect})`;
  if (isSetAfterRelease(hold, life))
    return `${hold.id} set its key on ${shard.name} at ${ms(fromUs)}, after its release was invoked at ${ms(hold.releaseUs)}, and it lived on for more than ${ms(boundUs)}, ${until}`;
  const since =
    refusal !== null
      ? 'its own setter asked again and was refused'
      : isUngranted(hold, life)
        ? 'its SET, without a grant,'
        : 'its release was invoked';
  return `the key of ${hold.id} on ${shard.name} lived on for more than ${ms(boundUs)} after ${since} at ${ms(fromUs)}, ${until}`;
}

/** A key of no use that lived too long; one that keeps out its own setter has no time-out to wait for. */
function orphanOf(analysis: Analysis, hold: Hold, life: Life): Orphan | null {
  const { orphanUs, refusedUs } = boundsOf(analysis.scenario);
  const fromUs = orphanedUs(hold, life);
  const untilUs = Math.min(endUsOf(life), analysis.endUs);
  const since = (sinceUs: number, boundUs: number, refusal: Orphan['refusal']): Orphan | null => {
    if (untilUs - sinceUs <= boundUs) return null;
    const atUs = tooLongAtUs(hold, life, sinceUs, boundUs);
    if (atUs >= untilUs || hold.crashUs <= atUs) return null;
    return { hold, life, fromUs: sinceUs, boundUs, atUs, refusal };
  };
  if (untilUs - fromUs <= Math.min(orphanUs, refusedUs)) return null;
  const forgotten = since(fromUs, orphanUs, null);
  const refusal = isUngranted(hold, life) ? refusedByItself(analysis, hold, life) : null;
  const standing = refusal === null ? null : since(refusal.tUs, refusedUs, refusal);
  return standing !== null && (forgotten === null || standing.atUs < forgotten.atUs) ? standing : forgotten;
}

/**
 * From when the key has no use: its SET if no grant came of it while it lived, else the release (or its SET, if that
 * was later). Infinity: the key is that of a hold.
 */
function orphanedUs(hold: Hold, life: Life): number {
  if (isUngranted(hold, life)) return life.set.tUs;
  return hold.releaseIndex < 0 ? Infinity : Math.max(life.set.tUs, hold.releaseUs);
}

/** No grant came while it lived. */
function isUngranted({ ok }: Hold, { end }: Life): boolean {
  return ok === null || (end !== null && end.i < ok.i);
}

/** When `boundUs` have passed since `fromUs`, not counting time in which the setter was paused or the server down. */
function tooLongAtUs(hold: Hold, life: Life, fromUs: number, boundUs: number): number {
  const { shard } = life;
  if (hold.process.pauses === null && shard.downs === null) return fromUs + boundUs;
  let atUs = fromUs + boundUs;
  for (;;) {
    const excusedUs = excused(hold.process, shard, fromUs, atUs);
    if (excusedUs === Infinity) return Infinity;
    const nextUs = fromUs + boundUs + excusedUs;
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
