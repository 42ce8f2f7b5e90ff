/**
 * Does a hold's quorum stand? It does while fewer than a majority of the servers are up and without a live key of the
 * hold: nobody else could then collect a majority. Asked of the history as it was, and of histories in which
 * another hold's commands, or the servers' faults, had not happened.
 */
import type { ClockName } from '../../src/contract.js';
import { elapseWithoutFaults, firstAtLeast, readClockAtEvent, type ClockSegment } from './clocks.js';
import {
  besides,
  commandDeadline,
  endUsOf,
  endedByOther,
  ownDeadline,
  readingAtEnd,
  touchedByOther,
} from './keys.js';
import type { Analysis, Hold, KeyEvent, Life } from './model.js';
import { serverUp } from './shards.js';

/**
 * What is undone: `others`: commands of other holds on the hold's keys. `faults`: acknowledged writes lost, forgotten or taken by
 * a deposed master, server clock steps, and rates of server against client that differ by more than the bound (made equal).
 */
export type Undo = 'nothing' | 'others' | 'faults';

/** True time at which the life of a key ends in the history with `undo` undone. */
export function lifeEndUs(analysis: Analysis, life: Life, undo: Undo): number {
  switch (undo) {
    case 'nothing':
      return endUsOf(life);
    case 'others':
      return endWithoutOthers(life);
    case 'faults':
      return endWithoutFaults(analysis, life);
  }
}

function endWithoutOthers(life: Life): number {
  if (life.deposed !== null || !touchedByOther(life)) return endUsOf(life);
  const deadline = ownDeadline(life);
  const expiryUs = firstAtLeast(life.clocks, 'wall', readingAtEnd(deadline), deadline.tUs);
  const endedOtherwise = life.end !== null && !endedByOther(life) && life.end.effect !== 'expired';
  return endedOtherwise ? Math.min(expiryUs, life.end!.tUs) : expiryUs;
}

function endWithoutFaults(analysis: Analysis, life: Life): number {
  const expiryUs = expiryWithoutFaults(analysis, life);
  let endUs = expiryUs;
  if (endedByCommand(life.end)) endUs = Math.min(endUs, life.end!.tUs);
  for (const event of besides(life)) if (endedByCommand(event)) endUs = Math.min(endUs, event.tUs);
  return endUs;
}

function endedByCommand(event: KeyEvent | null): boolean {
  return event !== null && (event.effect === 'deleted' || event.effect === 'set');
}

/**
 * When the TTL that the life had at an event index (at last, by default) would run out had the server's clock not stepped nor run
 * too fast or slow for the owner's process, at the rates known by then.
 */
export function expiryWithoutFaults(analysis: Analysis, life: Life, index = Infinity): number {
  const hold = life.owner!;
  const deadline = commandDeadline(life, index);
  // The copy on a deposed master goes by that node's clock.
  const elsewhere = besides(life).includes(deadline);
  const known = (clock: ClockSegment): boolean => clock.i <= index;
  const clocks = (elsewhere ? analysis.hosts.get(deadline.host)! : life).clocks.filter(known);
  const leftUs = readingAtEnd(deadline) - readClockAtEvent(clocks, 'wall', deadline);
  const clock: ClockName = hold.ok?.claim?.clock ?? 'monotonic';
  const bound = analysis.scenario.clocks.driftBoundPpm;
  return elapseWithoutFaults(clocks, hold.process.clocks.filter(known), clock, deadline.tUs, leftUs, bound);
}

/** Whether the hold's key covers a server at a true time. */
function covered(analysis: Analysis, hold: Hold, server: number, tUs: number, undo: Undo): boolean {
  for (const life of hold.lives) {
    if (life.server !== server || life.key.auxiliary || life.set.tUs > tUs) continue;
    if (undo === 'faults' && life.set.effect === 'restored') continue;
    if (tUs < lifeEndUs(analysis, life, undo)) return true;
  }
  return false;
}

/** Servers that are up and without a live key of the hold at a true time. */
export function freeServers(analysis: Analysis, hold: Hold, tUs: number, undo: Undo): number {
  let free = 0;
  for (let server = 0; server < analysis.serverCount; server++) {
    if (serverUp(analysis, hold, server, tUs) && !covered(analysis, hold, server, tUs, undo)) free++;
  }
  return free;
}

export function stands(analysis: Analysis, hold: Hold, tUs: number, undo: Undo): boolean {
  return freeServers(analysis, hold, tUs, undo) < analysis.majority;
}

/**
 * True time at which the quorum lapsed that is missing at `tUs`: the beginning of the last unbroken time without
 * a quorum up to `tUs`. -Infinity if there never was one before, Infinity if it stands at `tUs`.
 */
export function lapseUs(analysis: Analysis, hold: Hold, tUs: number, undo: Undo): number {
  if (stands(analysis, hold, tUs, undo)) return Infinity;
  // Between these instants nothing changes; a quorum is lost at the end of a life or when a server comes back.
  const instants: number[] = [];
  for (const life of hold.lives) {
    if (life.key.auxiliary) continue;
    const endUs = lifeEndUs(analysis, life, undo);
    if (endUs <= tUs) instants.push(endUs);
  }
  for (const shard of analysis.shards) {
    for (const down of shard?.downs ?? []) if (down.untilUs <= tUs) instants.push(down.untilUs);
  }
  instants.sort((a, b) => b - a);
  for (const instant of instants) {
    // Standing in the microsecond before: the lapse came then.
    if (stands(analysis, hold, instant - 1, undo)) return instant;
  }
  return -Infinity;
}

/**
 * True time, up to `tUs`, at which the keys themselves were too few, by their ttl and without the servers' faults, whether or not the
 * servers were up. -Infinity if they never were enough, Infinity if they are at `tUs`.
 */
export function keysLapseUs(analysis: Analysis, hold: Hold, tUs: number): number {
  const tooFew = (atUs: number): boolean => {
    let without = 0;
    for (let server = 0; server < analysis.serverCount; server++)
      if (!covered(analysis, hold, server, atUs, 'faults')) without++;
    return without >= analysis.majority;
  };
  if (!tooFew(tUs)) return Infinity;
  const ends = hold.lives
    .filter((life) => !life.key.auxiliary)
    .map((life) => lifeEndUs(analysis, life, 'faults'))
    .filter((endUs) => endUs <= tUs)
    .sort((a, b) => b - a);
  return ends.find((endUs) => !tooFew(endUs - 1)) ?? -Infinity;
}

/** First true time, not before `fromUs`, at which the quorum does not stand; Infinity if it stands to the end. */
export function firstLapseUs(analysis: Analysis, hold: Hold, fromUs: number, undo: Undo): number {
  const instants: number[] = [fromUs];
  for (const life of hold.lives) {
    if (life.key.auxiliary) continue;
    const endUs = lifeEndUs(analysis, life, undo);
    if (endUs > fromUs && endUs !== Infinity) instants.push(endUs);
  }
  for (const shard of analysis.shards) {
    for (const down of shard?.downs ?? [])
      if (down.untilUs > fromUs && down.untilUs !== Infinity) instants.push(down.untilUs);
  }
  instants.sort((a, b) => a - b);
  for (const instant of instants) if (!stands(analysis, hold, instant, undo)) return instant;
  return Infinity;
}
