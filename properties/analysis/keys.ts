/** Which keys are the lock, whose they are, and in which order holds came to be. */
import type { EventOf } from '../../sim/history/events.js';
import { deadlineReadingUs } from './clocks.js';
import type { Analysis, Hold, KeyEvent, KeyName, Life } from './model.js';

/**
 * Tells the lock's keys from its helpers (a fencing counter): a name whose keys never have a deadline is a helper
 * if its value is changed in place, if a hold set it beside a key with a deadline on the same server, if one was granted there without
 * it, or if such a key was set in exchange for it. A key without a TTL that stands alone is the lock itself (and its want of a TTL may be the mistake).
 */
export function classifyKeys(analysis: Analysis): void {
  const { keyNames, holds } = analysis;
  if (keyNames.length < 2) return;
  classifyUntended(analysis);
  let open = 0;
  for (const name of keyNames) {
    if (name.hasDeadline) continue;
    if (name.changedInPlace) name.auxiliary = true;
    else open++;
  }
  if (open === 0) return;
  for (const { lives } of holds) {
    for (const life of lives) {
      if (life.key.hasDeadline || life.key.auxiliary) continue;
      life.key.auxiliary = isBeside(lives, life) || isNeedless(analysis, life) || isTradedIn(analysis, life);
    }
  }
}

/** The hold has a key on the same server that runs out. */
function isBeside(lives: readonly Life[], { server }: Life): boolean {
  return lives.some((other) => other.server === server && other.key.hasDeadline);
}

/** Somebody was granted the same lock without such a key, on the strength of one that runs out. */
function isNeedless({ grants }: Analysis, { server, key, owner }: Life): boolean {
  return grants.some(({ resource, lives }) => {
    if (resource !== owner?.resource) return false;
    const there = lives.filter((life) => life.server === server);
    return there.some((life) => life.key.hasDeadline) && there.every((life) => life.key !== key);
  });
}

/** The command that took it away put another key in its place, one that runs out: who waited in a list has the lock now. */
function isTradedIn({ holds }: Analysis, { server, key, end }: Life): boolean {
  if (end?.effect !== 'deleted' || end.command === undefined) return false;
  return holds.some(({ lives }) =>
    lives.some(
      (other) =>
        other.set.command === end.command &&
        other.server === server &&
        other.key !== key &&
        other.key.hasDeadline,
    ),
  );
}

/** Keys that only run out, as a note of when something was done last: helpers of a hold that looks after another key. */
function classifyUntended({ keyNames, holds }: Analysis): void {
  const untended = ({ hasDeadline, tended }: KeyName): boolean => hasDeadline && !tended;
  if (!keyNames.some(untended) || !keyNames.some(({ hasDeadline, tended }) => hasDeadline && tended)) return;
  for (const { lives } of holds) {
    for (const life of lives) {
      if (!untended(life.key) || life.key.auxiliary) continue;
      for (const other of lives) {
        if (other.server === life.server && other.key.hasDeadline && other.key.tended)
          life.key.auxiliary = true;
      }
    }
  }
}

/** The command whose effect this is: effects follow theirs directly. Null: no command's. */
export function commandOf(events: Analysis['events'], { i, command }: KeyEvent): EventOf<'apply'> | null {
  for (let index = i - 1; index >= 0; index--) {
    const event = events[index]!;
    if (event.kind === 'apply') return event.command === command ? event : null;
  }
  return null;
}

/** Whether a life of a key was running when the event of this index happened; on a deposed master none does. */
export function liveAtIndex(life: Life, index: number): boolean {
  return life.deposed === null && thereAtIndex(life, index);
}

/** Whether the key was there when the event of this index happened, if only on a deposed master. */
export function thereAtIndex(life: Life, index: number): boolean {
  return life.set.i < index && (life.end === null || life.end.i > index);
}

/** True time of the end; a key on a deposed master never lived. */
export function endUsOf(life: Life): number {
  if (life.deposed !== null) return life.set.tUs;
  return life.end === null ? Infinity : life.end.tUs;
}

/** The event that gave the life the deadline it had at an event index. */
export function deadlineAtIndex(life: Life, index: number): KeyEvent {
  let last = life.set;
  if (life.changes !== null) {
    for (const change of life.changes) {
      if (change.i > index) break;
      last = change;
    }
  }
  return last;
}

/** The last event by which the owner itself (not another hold, not a fault) gave the life a deadline. */
export function ownDeadline(life: Life): KeyEvent {
  let last = life.set;
  if (life.changes !== null) {
    for (const change of life.changes) {
      if (change.by !== undefined && !isOthers(change, life)) last = change;
    }
  }
  return last;
}

const NOTHING: readonly KeyEvent[] = [];

/** What commands did to the key apart from the life itself: to a deposed master's copy, or after servers had brought it back. */
export function besides({ elsewhere, returns }: Life): readonly KeyEvent[] {
  if (returns === null) return elsewhere ?? NOTHING;
  const later = returns.flatMap((life) => [
    ...(life.changes ?? NOTHING),
    ...(life.end === null ? NOTHING : [life.end]),
    ...besides(life),
  ]);
  return [...(elsewhere ?? NOTHING), ...later].filter(({ by }) => by !== undefined);
}

/** The last event up to an index by which any command gave the key a deadline, wherever. */
export function commandDeadline(life: Life, index = Infinity): KeyEvent {
  let last = life.set;
  for (const change of life.changes ?? []) if (change.by !== undefined && change.i <= index) last = change;
  for (const change of besides(life)) {
    if (movesDeadline(change) && change.i > last.i && change.i <= index) last = change;
  }
  return last;
}

function movesDeadline({ effect }: KeyEvent): boolean {
  return effect === 'deadline' || effect === 'changed';
}

/** The server's wall reading, in microseconds, from which this event's deadline is over. */
export function readingAtEnd(event: KeyEvent): number {
  return deadlineReadingUs(event.deadlineMs);
}

/** Whether the life was ended, or its deadline moved, by a command of another hold. */
export function touchedByOther(life: Life): boolean {
  return endedByOther(life) || (life.changes?.some((change) => isOthers(change, life)) ?? false);
}

export function endedByOther(life: Life): boolean {
  return life.end !== null && isOthers(life.end, life);
}

/** A command of another hold did it, one that is not nested with the key's. */
export function isOthers({ by, hold }: KeyEvent, { owner }: Life): boolean {
  if (by === undefined || (owner !== null && hold === owner.id)) return false;
  return typeof hold !== 'string' || owner?.kin?.has(hold) !== true;
}

/**
 * Orders the holds of a resource: the event index of the SET that completed the quorum of a granted hold. That is the
 * last such SET before the return (a retry may have completed one before), else the first after it; a hold that
 * never had a quorum is ordered by its return.
 */
export function orderOf(analysis: Analysis, hold: Hold): number {
  if (hold.order >= 0) return hold.order;
  const index = latestSet(hold, completingSet(analysis, hold, false), () =>
    completingSet(analysis, hold, true),
  );
  hold.hadQuorum = index !== null;
  hold.order = index ?? (hold.ok === null ? hold.askedIndex : hold.ok.i);
  return hold.order;
}

/**
 * The SET that counts: an earlier attempt of the same asking may have had a quorum that it gave up, and the grant come from votes
 * that a deposed master gave.
 */
function latestSet({ lives, ok }: Hold, strict: number | null, given: () => number | null): number | null {
  if (strict === null) return given();
  if (ok === null || strict > ok.i || lives.every((life) => life.deposed === null)) return strict;
  const other = given();
  return other !== null && other <= ok.i && other > strict ? other : strict;
}

/**
 * Event index of the SET that completed the hold's quorum. With `given`, a vote counts from its SET on even if a server
 * lost the key, its clock ran on or another hold took it before the last vote came, or if the server's master was deposed by then.
 */
function completingSet(analysis: Analysis, { lives, ok }: Hold, given: boolean): number | null {
  const okIndex = ok === null ? Infinity : ok.i;
  let before: number | null = null;
  for (let index = 0; index < lives.length; index++) {
    const setIndex = lives[index]!.set.i;
    if (setIndex > okIndex && before !== null) break;
    if (lives[index]!.key.auxiliary || !completes(analysis, lives, index, given)) continue;
    if (setIndex > okIndex) return setIndex;
    before = setIndex;
  }
  return before;
}

/** Whether the SET of `lives[index]` brought the servers that have a key of the hold from below a majority to it. */
function completes(analysis: Analysis, lives: readonly Life[], index: number, given: boolean): boolean {
  const added = lives[index]!;
  // A key that a server brings back, maybe long after it was released, is no vote.
  if (added.set.effect === 'restored' || (added.deposed !== null && !given)) return false;
  let others = 0;
  for (let k = 0; k < index; k++) {
    const life = lives[k]!;
    if (life.key.auxiliary || !counts(life, added.set.i, given)) continue;
    if (life.server !== added.server) {
      if (!countedBefore(lives, k, added.set.i, given)) others++;
      continue;
    }
    // Setting a key again, or a second key on the same server, is no further vote.
    if (counts(life, added.set.i, false)) return false;
  }
  return others === analysis.majority - 1;
}

/** Ends of a life by a fault of the server: gone, or an older key is there again. */
const LOSSES: ReadonlySet<KeyEvent['effect']> = new Set(['lost', 'evicted', 'restored']);

function counts(life: Life, index: number, given: boolean): boolean {
  if (life.deposed !== null && !given) return false;
  if (life.end === null || life.end.i >= index) return true;
  return given && (LOSSES.has(life.end.effect) || endedByOther(life) || endedByItsClock(life, life.end));
}

/** The server's clock was set or changed its rate while the key lived, and then the key ran out. */
function endedByItsClock({ clocks, set }: Life, end: KeyEvent): boolean {
  if (end.effect !== 'expired') return false;
  return clocks.some(({ cause, i }) => cause !== 'initial' && i > set.i && i < end.i);
}

function countedBefore(lives: readonly Life[], index: number, at: number, given: boolean): boolean {
  const { server } = lives[index]!;
  for (let k = 0; k < index; k++) {
    const life = lives[k]!;
    if (life.server === server && !life.key.auxiliary && counts(life, at, given)) return true;
  }
  return false;
}
