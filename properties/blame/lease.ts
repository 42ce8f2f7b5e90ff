/** Rule 3: the idea of a lease itself: the key's life ran out while its holder could not look. */
import { firstAtLeast, endReadingUs } from '../analysis/clocks.js';
import { beganAfterReturn, prolongedPauses, type MergedPause } from '../analysis/pauses.js';
import { keysLapseUs, lapseUs } from '../analysis/standing.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { ms } from '../analysis/words.js';
import type { Finding, Moment } from './moment.js';

export interface LeaseOptions {
  /** For honest-validity: the claimed end counts as well as the key's life. */
  readonly claimToo?: boolean;
  /** The end of the lease, where it is not that of keys of the hold's own. */
  readonly endUs?: number;
}

/**
 * The hold's key life, by its TTL and without the servers' faults, ended inside a pause that began in or after the step
 * in which acquire returned, and x lies in that pause or was sent the instant it ended; or it ended between
 * sending and arrival of the late use.
 */
export function leaseFinding(
  analysis: Analysis,
  hold: Hold,
  at: Moment,
  options: LeaseOptions = {},
): Finding | null {
  const endUs = options.endUs ?? leaseEndUs(analysis, hold, at.tUs);
  const ends = [endUs];
  if (options.claimToo === true) ends.push(claimEndUs(hold));
  // One that follows upon another with no time between is a pause all the same: it may have begun after the return, the other before.
  for (const pause of prolongedPauses(hold.process)) {
    if (!beganAfterReturn(analysis, hold, pause)) continue;
    for (const end of ends) {
      if (end < pause.fromUs || end >= pause.untilUs || !liesIn(analysis, hold, at, pause)) continue;
      const because = `${hold.process.name} was paused for ${ms(pause.untilUs - pause.fromUs)}, and its lease ended at ${ms(end)} inside that pause`;
      return { blame: 'lease', because, evidence: [pause.first.i] };
    }
  }
  if (at.sentUs !== null && at.sentUs < endUs && endUs <= at.tUs) {
    const because = `its lease ended at ${ms(endUs)}, between the sending of the use (${ms(at.sentUs)}) and its arrival`;
    return { blame: 'lease', because, evidence: [] };
  }
  return null;
}

/** Behind a server that is down by then, the lease ended all the same. */
function leaseEndUs(analysis: Analysis, hold: Hold, xUs: number): number {
  const endUs = lapseUs(analysis, hold, xUs, 'faults');
  return endUs === Infinity ? keysLapseUs(analysis, hold, xUs) : endUs;
}

/** The pause's end belongs to it: there the holder goes on without having looked. */
function liesIn(analysis: Analysis, hold: Hold, at: Moment, pause: MergedPause): boolean {
  const xUs = at.sentUs ?? at.tUs;
  if (xUs < pause.fromUs) return false;
  if (xUs <= pause.untilUs) return true;
  return hold.ok!.claim === null && xUs < firstReplyUs(analysis, hold, pause.untilUs);
}

/** When the process handled the first reply to a command of the hold after a true time: only then a lock without an end can know. */
function firstReplyUs(analysis: Analysis, hold: Hold, fromUs: number): number {
  for (const event of analysis.events) {
    if (event.kind === 'reply' && event.hold === hold.id && event.tUs >= fromUs) return event.tUs;
  }
  return Infinity;
}

/** True time of the claimed end as the grant was returned with it; -Infinity if it claimed none. */
function claimEndUs(hold: Hold): number {
  const claim = hold.ok!.claim;
  if (claim === null) return -Infinity;
  return firstAtLeast(hold.process.clocks, claim.clock, endReadingUs(claim.clock, claim.endMs), hold.askedUs);
}
