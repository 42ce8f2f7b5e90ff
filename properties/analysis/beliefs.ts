/** Belief: the instants at which the holder, asking its own clock and its lock, takes the lock to be its own. */
import type { Claim } from '../../sim/history/events.js';
import { endReadingUs, firstAtLeast, firstBelow, readClock } from './clocks.js';
import type { Hold } from './model.js';

/** A belief at a single instant is written [t, t + ½): true time is whole, so half-open arithmetic stays exact. */
const INSTANT = 0.5;

/**
 * Half-open intervals of belief of a granted hold, flat: from, until, from, until. Ascending and disjoint. The first
 * one begins when acquire returned; a step of the claim's clock may end and revive it.
 */
export function beliefsOf(hold: Hold): readonly number[] {
  if (hold.beliefs !== null) return hold.beliefs;
  const ok = hold.ok!;
  const { releaseUs, lostUs, crashUs } = hold;
  const capUs = releaseUs < lostUs ? Math.min(releaseUs, crashUs) : Math.min(lostUs, crashUs);
  const out: number[] = [];
  let fromUs = ok.tUs;
  let claim = ok.claim;
  const renewals = hold.renewals;
  if (renewals !== null) {
    for (const renewal of renewals) {
      if (renewal.phase !== 'ok' && renewal.phase !== 'info') continue;
      addPeriod(hold, out, claim, fromUs, Math.min(renewal.tUs, capUs));
      fromUs = renewal.tUs;
      claim = renewal.claim;
    }
  }
  addPeriod(hold, out, claim, fromUs, capUs);
  // However late it is, a resolved acquire is a claim at the instant it returns.
  const late = ok.claim !== null && !runs(hold, ok.claim, ok.tUs);
  if (late && out[0] !== ok.tUs) out.unshift(ok.tUs, ok.tUs + INSTANT);
  hold.beliefs = out;
  return out;
}

/** Adds the instants of [fromUs, untilUs) at which the claim runs. */
function addPeriod(hold: Hold, out: number[], claim: Claim | null, fromUs: number, untilUs: number): void {
  if (fromUs >= untilUs) return;
  if (claim === null) {
    add(out, fromUs, untilUs);
    return;
  }
  const { clocks } = hold.process;
  const endUs = endReadingUs(claim.clock, claim.endMs);
  let atUs = fromUs;
  for (;;) {
    atUs = firstBelow(clocks, claim.clock, endUs, atUs);
    if (atUs >= untilUs) return;
    const reachedUs = firstAtLeast(clocks, claim.clock, endUs, atUs);
    add(out, atUs, Math.min(reachedUs, untilUs));
    if (reachedUs >= untilUs) return;
    atUs = reachedUs;
  }
}

function add(out: number[], fromUs: number, untilUs: number): void {
  if (out.length > 0 && out[out.length - 1] === fromUs) out[out.length - 1] = untilUs;
  else out.push(fromUs, untilUs);
}

function runs(hold: Hold, claim: Claim, tUs: number): boolean {
  return readClock(hold.process.clocks, claim.clock, tUs) < endReadingUs(claim.clock, claim.endMs);
}

/** One unbroken belief of a hold. */
export interface Belief {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly hold: Hold;
}

/** All beliefs of holds, by their beginning. */
export function byBeginning(holds: readonly Hold[]): Belief[] {
  const all: Belief[] = [];
  for (const hold of holds) {
    const beliefs = beliefsOf(hold);
    for (let index = 0; index < beliefs.length; index += 2) {
      all.push({ fromUs: beliefs[index]!, untilUs: beliefs[index + 1]!, hold });
    }
  }
  return all.sort((a, b) => a.fromUs - b.fromUs);
}

/** The claim in force at a true time: the grant's, or that of the last renewal that had returned. */
export function claimAt(hold: Hold, tUs: number): Claim | null {
  let claim = hold.ok!.claim;
  for (const renewal of hold.renewals ?? []) {
    if (renewal.tUs > tUs) break;
    if (renewal.phase === 'ok' || renewal.phase === 'info') claim = renewal.claim;
  }
  return claim;
}

/** True time at which the claim in force at `tUs` was made. */
export function claimMadeUs(hold: Hold, tUs: number): number {
  let madeUs = hold.ok!.tUs;
  for (const renewal of hold.renewals ?? []) if (renewal.tUs <= tUs) madeUs = renewal.tUs;
  return madeUs;
}

/** Whether the claimed end had not come at a true time by the clock the lock chose; without a claimed end, always. */
export function claimRuns(hold: Hold, tUs: number): boolean {
  const claim = claimAt(hold, tUs);
  return claim === null || runs(hold, claim, tUs);
}

/** Whether the hold believes at a true time. */
export function believesAt(hold: Hold, tUs: number): boolean {
  const beliefs = beliefsOf(hold);
  for (let index = 0; index < beliefs.length; index += 2) {
    if (beliefs[index]! <= tUs && tUs < beliefs[index + 1]!) return true;
  }
  return false;
}

/** Microseconds of its clock that are left of the claim in force at a true time; Infinity without a claim. */
export function claimLeftUs(hold: Hold, tUs: number): number {
  const claim = claimAt(hold, tUs);
  if (claim === null) return Infinity;
  return endReadingUs(claim.clock, claim.endMs) - readClock(hold.process.clocks, claim.clock, tUs);
}
