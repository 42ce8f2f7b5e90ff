/** In the tail nobody asks for long while nobody else gets, or is known to have, the resource. */
import { beliefsOf, believesAt } from '../analysis/beliefs.js';
import { boundsOf } from '../analysis/bounds.js';
import { endUsOf } from '../analysis/keys.js';
import { majorityReachable, unreachedBy } from '../analysis/links.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { refusalText, refusedBy } from '../analysis/refusals.js';
import { steppedBackOverKey } from '../blame/liveness.js';
import { evidence, ms } from '../analysis/words.js';
import type { Finding } from '../blame/moment.js';
import { unknown, type Check } from './check.js';

export const checkProgress: Check = (analysis) => {
  const { holds, tailUs } = analysis;
  const { progressUs } = boundsOf(analysis.scenario);
  let evaluated = 0;
  let first: Starved | null = null;
  for (let index = 0; index < holds.length; index++) {
    const hold = holds[index]!;
    const untilUs = askingEndUs(analysis, hold);
    if (untilUs < tailUs) continue;
    evaluated++;
    const fromUs = Math.max(tailUs, hold.askedUs);
    if (untilUs - fromUs <= progressUs) continue;
    const starved = longWait(hold, fromUs, untilUs, progressUs);
    if (starved !== null && (first === null || starved.atUs < first.atUs)) first = starved;
  }
  if (first === null) {
    return evaluated === 0 ? unknown('nobody asked in the tail') : { verdict: 'holds', evaluated };
  }
  const { hold, sinceUs, atUs } = first;
  const found = starvationFinding(analysis, hold, atUs);
  const blockedUs = askingEndUs(analysis, hold) - sinceUs;
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `${hold.id} asked for ${hold.resource.name} and got nothing for ${ms(blockedUs)} (since ${ms(sinceUs)}; more than ${ms(progressUs)}), blocked until ${blockedUntil(analysis, hold, atUs)}: ${found.because}`,
    atUs,
    evidence: evidence(hold.askedIndex, analysis.tailIndex, ...found.evidence),
    holds: [hold.id],
    evaluated,
  };
};

interface Starved {
  readonly hold: Hold;
  readonly sinceUs: number;
  /** When it had lasted too long. */
  readonly atUs: number;
}

/** Until when a hold asked: its grant, failure, withdrawal, crash, or the end of the run. */
function askingEndUs(analysis: Analysis, hold: Hold): number {
  const settledUs = hold.ok === null ? hold.failedUs : hold.ok.tUs;
  return Math.min(settledUs, hold.withdrawnUs, hold.crashUs, analysis.endUs);
}

/** The first wait of more than `progressUs` within the asking in which nobody got the resource and no belief ended. */
function longWait(hold: Hold, fromUs: number, untilUs: number, progressUs: number): Starved | null {
  const marks = [fromUs];
  for (const other of hold.resource.grants) {
    const beliefs = beliefsOf(other);
    const instants = [other.ok!.tUs, ...beliefs.filter((_, index) => index % 2 === 1)];
    for (const instant of instants)
      if (instant > fromUs && instant < untilUs) marks.push(Math.floor(instant));
  }
  marks.sort((a, b) => a - b);
  marks.push(untilUs);
  for (let index = 1; index < marks.length; index++) {
    const sinceUs = marks[index - 1]!;
    if (marks[index]! - sinceUs > progressUs) return { hold, sinceUs, atUs: sinceUs + progressUs };
  }
  return null;
}

function starvationFinding(analysis: Analysis, hold: Hold, atUs: number): Finding {
  if (!majorityReachable(analysis, hold.process.name, atUs)) {
    return {
      blame: 'infrastructure',
      because: `${hold.process.name} reaches no majority of the servers`,
      evidence: [],
    };
  }
  const refused = refusalFinding(analysis, hold, atUs);
  if (refused !== null) return refused;
  const step = steppedBackOverKey(analysis, atUs);
  if (step !== null) {
    return {
      blame: 'infrastructure',
      because: `the clock of ${step.host} stepped back over a live key at ${ms(step.tUs)}`,
      evidence: [step.i],
    };
  }
  const holders = hold.resource.grants.filter(
    (other) => other !== hold && believesAt(other, atUs) && other.releaseUs > atUs && other.crashUs > atUs,
  );
  if (holders.length >= analysis.permits) {
    return {
      blame: 'usage',
      because: `${holders.map(({ id }) => id).join(', ')} ${holders.length === 1 ? 'is' : 'are'} alive and ${holders.length === 1 ? 'has' : 'have'} not let go`,
      evidence: holders.map(({ ok }) => ok!.i),
    };
  }
  const standing = standingKey(analysis, hold, atUs);
  const because = standing === null ? 'no key is in the way' : standing;
  return { blame: 'library', because, evidence: [] };
}

/** Who asks for the same beside it may be the one that is refused: its votes, which come to nothing, are in the way then. */
function refusalFinding(analysis: Analysis, hold: Hold, atUs: number): Finding | null {
  const beside = analysis.holds.filter(
    (other) =>
      other !== hold &&
      other.resource === hold.resource &&
      other.askedUs <= atUs &&
      askingEndUs(analysis, other) > atUs,
  );
  for (const asker of [hold, ...beside]) {
    const { name } = asker.process;
    const unreached = unreachedBy(analysis, name, atUs);
    const refusals = refusedBy(analysis, asker, atUs, unreached);
    if (refusals === null) continue;
    const because = [
      ...refusals.map(refusalText),
      ...unreached.map((server) => `${name} does not reach ${server}`),
    ];
    return {
      blame: 'infrastructure',
      because: because.join(', '),
      evidence: refusals.map(({ i }) => i),
    };
  }
  return null;
}

/** A key that is in the way at a true time, in words. */
function standingKey(analysis: Analysis, hold: Hold, atUs: number): string | null {
  for (const other of analysis.holds) {
    if (other === hold || other.resource !== hold.resource) continue;
    for (const life of other.lives) {
      if (life.set.tUs > atUs || endUsOf(life) <= atUs || life.key.auxiliary) continue;
      const state = other.crashUs <= atUs ? ', whose process crashed' : '';
      return `${life.shard.name} keeps the key of ${other.id}${state}`;
    }
  }
  return null;
}

/** `ttl`, if the keys in the way have one; else `never`. */
function blockedUntil(analysis: Analysis, hold: Hold, atUs: number): string {
  for (const other of analysis.holds) {
    if (other.resource !== hold.resource) continue;
    for (const life of other.lives) {
      if (life.set.tUs > atUs || endUsOf(life) <= atUs || life.key.auxiliary) continue;
      const last = life.changes?.[life.changes.length - 1] ?? life.set;
      if (last.deadlineMs === null) return 'never';
    }
  }
  return 'ttl';
}
