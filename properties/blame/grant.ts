/**
 * What is wrong with a grant at the instant it is returned (quorum-backed, honest-validity), and whose fault that is:
 * rule 2, then rule 3, else the library. Both properties and rule 1 of the others read it here.
 */
import {
  differ,
  endReadingUs,
  ppmOf,
  rateAt,
  readClock,
  readClockAtEvent,
  segmentIndex,
} from '../analysis/clocks.js';
import {
  besides,
  deadlineAtIndex,
  endedByOther,
  liveAtIndex,
  readingAtEnd,
  thereAtIndex,
} from '../analysis/keys.js';
import { serverUp } from '../analysis/shards.js';
import { expiryWithoutFaults, freeServers } from '../analysis/standing.js';
import type { Analysis, Hold, Life } from '../analysis/model.js';
import { ms } from '../analysis/words.js';
import { infrastructureFinding, wrong } from './infrastructure.js';
import { leaseFinding } from './lease.js';
import type { Finding, Moment } from './moment.js';

/** Servers that are up and without a live key of the hold when its acquire returns. */
export function freeAtReturn(analysis: Analysis, hold: Hold): number {
  const { serverCount } = analysis;
  const index = hold.ok!.i;
  let live = 0;
  const { lives } = hold;
  for (let k = 0; k < lives.length; k++) {
    const life = lives[k]!;
    if (liveAtIndex(life, index) && !life.key.auxiliary && !earlierOnServer(lives, k, index)) live++;
  }
  if (serverCount - live < analysis.majority) return serverCount - live;
  let free = 0;
  for (let server = 0; server < serverCount; server++) {
    if (serverUp(analysis, hold, server, hold.ok!.tUs) && !liveOn(lives, server, index)) free++;
  }
  return free;
}

function earlierOnServer(lives: readonly Life[], k: number, index: number): boolean {
  const { server } = lives[k]!;
  for (let j = 0; j < k; j++) {
    const life = lives[j]!;
    if (life.server === server && !life.key.auxiliary && liveAtIndex(life, index)) return true;
  }
  return false;
}

function liveOn(lives: readonly Life[], server: number, index: number): boolean {
  for (let k = 0; k < lives.length; k++) {
    const life = lives[k]!;
    if (life.server === server && !life.key.auxiliary && liveAtIndex(life, index)) return true;
  }
  return false;
}

export function breaksQuorum(analysis: Analysis, hold: Hold): boolean {
  return freeAtReturn(analysis, hold) >= analysis.majority;
}

/**
 * True time of the claimed end at the present rate of the claim's clock, as read when acquire returned; the return itself
 * if the lock claims no end.
 */
export function claimedEndUs(hold: Hold): number {
  const { claim, tUs } = hold.ok!;
  if (claim === null) return tUs;
  const { clocks } = hold.process;
  const leftUs = endReadingUs(claim.clock, claim.endMs) - readClock(clocks, claim.clock, tUs);
  if (clocks.length === 0) return tUs + leftUs;
  const ppm = ppmOf(clocks[segmentIndex(clocks, tUs)]!, claim.clock);
  return ppm === 0 ? tUs + leftUs : tUs + leftUs / (1 + ppm / 1e6);
}

/** True time at which a key that lives at the return would expire, at the server's present rate. */
function presentExpiryUs(life: Life, hold: Hold): number {
  const ok = hold.ok!;
  const { clocks } = life;
  const leftUs = readingAtEnd(deadlineAtIndex(life, ok.i)) - readClock(clocks, 'wall', ok.tUs);
  return ok.tUs + leftUs / rateAt(clocks, 'wall', ok.tUs);
}

/** The claimed end is past when acquire returns. */
export function returnsLate(hold: Hold): boolean {
  const { claim, tUs } = hold.ok!;
  return (
    claim !== null &&
    readClock(hold.process.clocks, claim.clock, tUs) > endReadingUs(claim.clock, claim.endMs)
  );
}

/** The claimed end comes after the quorum lapses, at the clocks' present rates. */
export function claimsTooLong(analysis: Analysis, hold: Hold): boolean {
  const endUs = claimedEndUs(hold);
  const index = hold.ok!.i;
  const { lives } = hold;
  let lasting = 0;
  for (let k = 0; k < lives.length; k++) {
    const life = lives[k]!;
    if (life.key.auxiliary || !liveAtIndex(life, index) || earlierOnServer(lives, k, index)) continue;
    if (presentExpiryUs(life, hold) >= endUs) lasting++;
  }
  if (analysis.serverCount - lasting < analysis.majority) return false;
  // A server that is down gives its vote to nobody else.
  for (let server = 0; server < analysis.serverCount; server++) {
    if (!serverUp(analysis, hold, server, hold.ok!.tUs)) lasting++;
  }
  return analysis.serverCount - lasting >= analysis.majority;
}

/** The claim would be honest with server faults undone and rates that differ too much made equal. */
function honestWithoutFaults(analysis: Analysis, hold: Hold): boolean {
  const ok = hold.ok!;
  const { clocks } = hold.process;
  const clock = ok.claim?.clock ?? 'monotonic';
  const leftUs =
    ok.claim === null ? 0 : endReadingUs(clock, ok.claim.endMs) - readClock(clocks, clock, ok.tUs);
  const clientRate = rateAt(clocks, clock, ok.tUs);
  let lasting = 0;
  for (let server = 0; server < analysis.serverCount; server++) {
    const up = serverUp(analysis, hold, server, ok.tUs);
    if (!up || hold.lives.some((life) => life.server === server && outlasts(life))) lasting++;
  }
  return analysis.serverCount - lasting < analysis.majority;

  function outlasts(life: Life): boolean {
    if (life.key.auxiliary || life.set.i > ok.i || endedEarlier(life)) return false;
    const serverRate = rateAt(life.clocks, 'wall', ok.tUs);
    const bound = analysis.scenario.clocks.driftBoundPpm;
    const rate = differ(serverRate, clientRate, bound) ? clientRate : serverRate;
    return lifeEndAtRate(life, rate) >= ok.tUs + leftUs / clientRate;
  }
  /** A deletion before the return is no server fault. */
  function endedEarlier(life: Life): boolean {
    return [life.end, ...besides(life)].some(
      (event) => event !== null && event.i < ok.i && (event.effect === 'deleted' || event.effect === 'set'),
    );
  }
  function lifeEndAtRate(life: Life, rate: number): number {
    // Rates may change and renewals come after the return; a life that ends then is measured from the return.
    if (life.end !== null && life.end.i < ok.i) return expiryWithoutFaults(analysis, life, ok.i);
    const deadline = deadlineAtIndex(life, ok.i);
    const wallAtDeadline = readClockAtEvent(life.clocks, 'wall', deadline);
    return deadline.tUs + (readingAtEnd(deadline) - wallAtDeadline) / rate;
  }
}

function returnMoment(hold: Hold): Moment {
  return { tUs: hold.ok!.tUs, sentUs: null, index: hold.ok!.i };
}

/** The votes that are missing were given by masters that had been deposed; null if that is not all. */
function deposedFinding(analysis: Analysis, hold: Hold): Finding | null {
  const { lives } = hold;
  const { i, tUs } = hold.ok!;
  const given = lives.filter((life) => !life.key.auxiliary && thereAtIndex(life, i));
  const deposed = given.filter((life) => life.deposed !== null);
  if (deposed.length === 0) return null;
  let free = 0;
  for (let server = 0; server < analysis.serverCount; server++) {
    const voted = given.some((life) => life.server === server);
    if (!voted && serverUp(analysis, hold, server, tUs)) free++;
  }
  if (free >= analysis.majority) return null;
  const because = deposed.map((life) => wrong(life, hold)).join(', ');
  return { blame: 'infrastructure', because, evidence: deposed.map((life) => life.set.i) };
}

/** Blame for a return without a quorum. */
export function quorumFinding(analysis: Analysis, hold: Hold): Finding {
  const split = deposedFinding(analysis, hold);
  if (split !== null) return split;
  const at = returnMoment(hold);
  const found = infrastructureFinding(analysis, hold, at) ?? leaseFinding(analysis, hold, at);
  if (found !== null) return found;
  const free = freeServers(analysis, hold, at.tUs, 'nothing');
  const gone = hold.lives.filter((life) => life.end !== null && life.end.i < at.index && !life.key.auxiliary);
  const because = `the lock returned although ${free} of ${analysis.serverCount} servers had no key of ${hold.id}`;
  return { blame: 'library', because, evidence: gone.map((life) => life.end!.i) };
}

/** Blame for a claim that is over, or goes beyond the keys, when acquire returns. */
export function honestyFinding(analysis: Analysis, hold: Hold): Finding {
  const at = returnMoment(hold);
  if (!returnsLate(hold) && honestWithoutFaults(analysis, hold)) {
    const found = infrastructureFinding(analysis, hold, at);
    const because =
      found?.because ??
      "without the steps or the rates of the servers' clocks the keys would outlive the claim";
    return { blame: 'infrastructure', because, evidence: found?.evidence ?? [] };
  }
  const lease = leaseFinding(analysis, hold, at, { claimToo: true });
  if (lease !== null) return lease;
  const because = returnsLate(hold)
    ? `the lock returned it after its own claimed end`
    : `the lock claims ${ms(claimedEndUs(hold) - at.tUs)} more, longer than its keys last`;
  return {
    blame: 'library',
    because,
    evidence: hold.lives.filter((life) => endedByOther(life)).map((life) => life.end!.i),
  };
}

/** The library's own fault in this grant, if there is one (rule 1). */
export function grantFault(analysis: Analysis, hold: Hold): Finding | null {
  if (breaksQuorum(analysis, hold)) {
    const finding = quorumFinding(analysis, hold);
    if (finding.blame === 'library') return finding;
  }
  if (returnsLate(hold) || claimsTooLong(analysis, hold)) {
    const finding = honestyFinding(analysis, hold);
    if (finding.blame === 'library') return finding;
  }
  return null;
}
