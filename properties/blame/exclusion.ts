/** The decision list for lost exclusion (mutual-exclusion, exclusive-use, no-stale-write): rules 1 to 5, first match. */
import { believesAt, claimAt, claimRuns } from '../analysis/beliefs.js';
import { endUsOf, endedByOther, isOthers, orderOf, touchedByOther } from '../analysis/keys.js';
import { stands } from '../analysis/standing.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { ms } from '../analysis/words.js';
import { grantFault } from './grant.js';
import { infrastructureFinding } from './infrastructure.js';
import { leaseFinding } from './lease.js';
import { lateSignal } from './loss.js';
import type { Finding, Moment } from './moment.js';

/** The older hold of two, then the newer, in the order of holds. */
export function inOrder(analysis: Analysis, one: Hold, other: Hold): [Hold, Hold] {
  return orderOf(analysis, one) <= orderOf(analysis, other) ? [one, other] : [other, one];
}

export interface ExclusionFinding extends Finding {
  /** The hold that lost its lease (or never had one). */
  readonly loser: Hold;
}

/**
 * Whose fault it is that two holds were in the section at once. The loser is the older hold, unless its quorum
 * stands at x and the newer one's does not.
 * @param x as it is if the older hold is the loser
 */
export function exclusionFinding(analysis: Analysis, older: Hold, newer: Hold, x: Moment): ExclusionFinding {
  const seen = beforeRelease(older, x);
  const olderStands = stands(analysis, older, seen.tUs, 'nothing');
  const loser = olderStands && !stands(analysis, newer, seen.tUs, 'nothing') ? newer : older;
  const at = loser === newer ? beforeRelease(newer, momentOf(newer, x)) : seen;
  const finding =
    ownFault(analysis, loser, at) ??
    infrastructureFinding(analysis, loser, at) ??
    leaseFinding(analysis, loser, at) ??
    // Servers that forget may give the older hold back what they took from it.
    (loser === newer ? infrastructureFinding(analysis, older, seen) : null) ??
    claimFault(analysis, loser, at) ??
    usage(loser);
  return { ...finding, loser };
}

/** x of the newer hold: where it was released by then, the last of its uses. What came of its keys after that was its own doing. */
function momentOf(loser: Hold, seen: Moment): Moment {
  const last = loser.lastUse;
  if (seen.sentUs === null || last === null || loser.releaseUs > seen.tUs) return seen;
  return { tUs: last.tUs, sentUs: last.sentUs, index: last.i };
}

/**
 * A hold whose last use arrives at the instant at which it gives its keys back had them at that use: as they were a microsecond
 * before, unless something else took one of them at the same instant.
 */
function beforeRelease({ id, lives }: Hold, at: Moment): Moment {
  const ends = lives.filter((life) => endUsOf(life) === at.tUs).map(({ end }) => end);
  const isOwn = ends.every((end) => end?.effect === 'deleted' && end.hold === id && end.i > at.index);
  return ends.length > 0 && isOwn ? { ...at, tUs: at.tUs - 1 } : at;
}

/** Rule 1. */
function ownFault(analysis: Analysis, loser: Hold, at: Moment): Finding | null {
  if (!stands(analysis, loser, at.tUs, 'nothing') && stands(analysis, loser, at.tUs, 'others')) {
    const touched = loser.lives.filter((life) => !life.key.auxiliary && touchedByOther(life));
    const culprits = touched.map((life) => {
      const event = endedByOther(life) ? life.end : life.changes?.find((change) => isOthers(change, life));
      return {
        event: event!,
        text: `${event?.hold ?? event?.by}'s command ${event?.effect === 'deleted' ? 'deleted' : 'changed'} its key on ${life.shard.name} at ${ms(event?.tUs ?? 0)}`,
      };
    });
    return {
      blame: 'library',
      because: culprits.map(({ text }) => text).join(', '),
      evidence: culprits.map(({ event }) => event.i),
    };
  }
  orderOf(analysis, loser);
  if (!loser.hadQuorum) {
    const because = `${loser.id} never had the keys of ${analysis.majority} of ${analysis.serverCount} servers`;
    return { blame: 'library', because, evidence: [] };
  }
  return grantFault(analysis, loser);
}

/** Rule 4. */
function claimFault(analysis: Analysis, loser: Hold, at: Moment): Finding | null {
  const ok = loser.ok!;
  if (claimedAt(loser, at)) {
    const claim = claimAt(loser, at.tUs);
    const because =
      claim === null
        ? `the lock still took ${loser.id} to be held`
        : `the lock's claim for ${loser.id} (${claim.clock} clock, until ${claim.endMs}) still ran`;
    return { blame: 'library', because, evidence: [ok.i] };
  }
  const late = lateSignal(analysis, loser);
  if (late !== null && late.dueUs < at.tUs) {
    return {
      blame: 'library',
      because: `the promised loss signal was due at ${ms(late.dueUs)}`,
      evidence: late.evidence,
    };
  }
  return null;
}

/** Whether the lock claimed the hold at x: where a use was sent or arrived, or where beliefs overlap. */
function claimedAt(loser: Hold, at: Moment): boolean {
  const ok = loser.ok!;
  if (ok.claim === null && !ok.renews && !ok.signals) return false;
  // A claim ends with the loss signal and the crash, too, not only at its own end.
  const sentUs = at.sentUs ?? at.tUs;
  if (ok.claim === null) return believesAt(loser, sentUs) || believesAt(loser, at.tUs);
  return (
    (claimRuns(loser, sentUs) && sentUs < loser.lostUs) || (claimRuns(loser, at.tUs) && at.tUs < loser.lostUs)
  );
}

/** Rule 5. */
function usage(loser: Hold): Finding {
  return {
    blame: 'usage',
    because: `the holder of ${loser.id} worked past the TTL of ${loser.ttlMs} ms it was told`,
    evidence: [],
  };
}
