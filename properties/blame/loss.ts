/** When a promised loss signal is due, and whether it came in time (loss-signalled; rule 4 of the others). */
import { beliefsOf } from '../analysis/beliefs.js';
import { boundsOf } from '../analysis/bounds.js';
import { endReadingUs, firstAtLeast } from '../analysis/clocks.js';
import { resumeUs } from '../analysis/pauses.js';
import { firstLapseUs } from '../analysis/standing.js';
import type { Analysis, Hold } from '../analysis/model.js';

/**
 * Date.now() shows whole milliseconds: a timer that was set by it comes up to a millisecond after a claimed end on the wall
 * clock, and within that millisecond nobody in the process can tell.
 */
const WALL_GRAIN_US = 999;

export interface LateSignal {
  readonly dueUs: number;
  readonly evidence: readonly number[];
}

/** Instant by which the holder is to be told unless it releases or crashes first; Infinity: nothing to tell. */
export function signalDueUs(analysis: Analysis, hold: Hold): number {
  const ok = hold.ok!;
  if (ok.claim !== null) {
    const endUs = claimEndUs(hold);
    return resumeUs(hold.process, ok.claim.clock === 'wall' ? endUs + WALL_GRAIN_US : endUs);
  }
  const bounds = boundsOf(analysis.scenario);
  const graceUs = 2 * bounds.longestLatencyUs + bounds.commandTimeoutUs;
  // A deposed master that answers as ever gives nothing away.
  const deceived = hold.lives.some((life) => life.deposed !== null || life.elsewhere !== null);
  const lapse = firstLapseUs(analysis, hold, ok.tUs, deceived ? 'faults' : 'nothing');
  return resumeUs(hold.process, lapse) + graceUs;
}

/** True time at which the claimed end, moved by renewals, is first reached. */
function claimEndUs(hold: Hold): number {
  let fromUs = hold.ok!.tUs;
  let claim = hold.ok!.claim;
  for (const renewal of hold.renewals ?? []) {
    if (claim === null) return Infinity;
    const endUs = firstAtLeast(
      hold.process.clocks,
      claim.clock,
      endReadingUs(claim.clock, claim.endMs),
      fromUs,
    );
    // An end that a pause hides is not due before the pause is over, and a renewal may be the first thing done then.
    if (resumeUs(hold.process, endUs) < renewal.tUs) return endUs;
    if (renewal.phase === 'ok' || renewal.phase === 'info') claim = renewal.claim;
    fromUs = renewal.tUs;
  }
  if (claim === null) return Infinity;
  return firstAtLeast(hold.process.clocks, claim.clock, endReadingUs(claim.clock, claim.endMs), fromUs);
}

/** The promised signal that did not come in time, or null. */
export function lateSignal(analysis: Analysis, hold: Hold): LateSignal | null {
  const ok = hold.ok!;
  if (!ok.signals) return null;
  const settledUs = Math.min(hold.releaseUs, hold.lostUs, hold.crashUs);
  // Most holds are over well before anything is due.
  if (ok.claim !== null && hold.process.pauses === null && settledUs <= lastBelief(hold)) return null;
  const dueUs = signalDueUs(analysis, hold);
  if (dueUs >= settledUs || dueUs >= analysis.endUs) return null;
  return { dueUs, evidence: hold.lostIndex >= 0 ? [ok.i, hold.lostIndex] : [ok.i] };
}

function lastBelief(hold: Hold): number {
  const beliefs = beliefsOf(hold);
  // One unbroken belief up to release, signal or crash: the claimed end had not come.
  return beliefs.length === 2 ? beliefs[1]! : -Infinity;
}
