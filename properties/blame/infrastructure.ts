/** Rule 2: the servers lost what they had acknowledged, or their clocks did what no lock can allow for. */
import { claimAt, claimMadeUs } from '../analysis/beliefs.js';
import { differ, endReadingUs, rateAt, readClock } from '../analysis/clocks.js';
import { endUsOf } from '../analysis/keys.js';
import { firstLapseUs, lifeEndUs, stands } from '../analysis/standing.js';
import type { Analysis, Hold, Life } from '../analysis/model.js';
import { ms } from '../analysis/words.js';
import type { Finding, Moment } from './moment.js';

/** With the servers' faults undone the hold's quorum would stand at x, or its claim would have ended by x. */
export function infrastructureFinding(analysis: Analysis, hold: Hold, at: Moment): Finding | null {
  if (lapsedBy(analysis, hold, at.tUs) && stands(analysis, hold, at.tUs, 'faults')) {
    return describe(analysis, hold, at);
  }
  if (claimWouldHaveEnded(analysis, hold, at.tUs)) {
    const because = `${hold.process.name}'s clock runs slower than the servers' by more than the bound: at equal rates its claim would have ended`;
    return { blame: 'infrastructure', because, evidence: [] };
  }
  return null;
}

/** A quorum that lapsed may seem to stand again at x, when servers are down by then and free for nobody. */
function lapsedBy(analysis: Analysis, hold: Hold, xUs: number): boolean {
  if (!stands(analysis, hold, xUs, 'nothing')) return true;
  return firstLapseUs(analysis, hold, hold.ok!.tUs, 'nothing') <= xUs;
}

function describe(analysis: Analysis, hold: Hold, at: Moment): Finding {
  const wronged = hold.lives.filter(
    (life) => !life.key.auxiliary && endUsOf(life) <= at.tUs && lifeEndUs(analysis, life, 'faults') > at.tUs,
  );
  const parts = wronged.map((life) => wrong(life, hold));
  const indexes = wronged.flatMap((life) => [
    life.deposed === null ? life.end!.i : life.set.i,
    ...clockSteps(life),
  ]);
  const because = parts.length > 0 ? parts.join(', ') : `a server came back without ${hold.id}'s key`;
  return { blame: 'infrastructure', because, evidence: indexes };
}

/** What became of a key that should have lived. */
export function wrong({ shard, set, end, deposed, elsewhere }: Life, hold: Hold): string {
  if (deposed !== null)
    return `${deposed.name} took ${hold.id}'s key at ${ms(set.tUs)} when it was the master of ${shard.name} no more`;
  const at = ms(end!.tUs);
  switch (end!.effect) {
    case 'lost':
    case 'restored':
      return `${shard.name} lost ${hold.id}'s key at ${at}`;
    case 'evicted':
      return `${shard.name} evicted ${hold.id}'s key at ${at}`;
    default: {
      const late = elsewhere === null ? '' : `, which a deposed master had extended,`;
      return `${shard.name} expired ${hold.id}'s key${late} early at ${at}`;
    }
  }
}

/** Steps of the server's clock during the life of a key. */
function clockSteps(life: Life): number[] {
  return life.clocks
    .filter((clock) => clock.cause !== 'initial' && clock.i > life.set.i && clock.tUs <= endUsOf(life))
    .map((clock) => clock.i);
}

/** Whether, at the rate of a server that gave its vote and differs too much, the claim in force would be over at x. */
function claimWouldHaveEnded(analysis: Analysis, hold: Hold, xUs: number): boolean {
  const claim = claimAt(hold, xUs);
  if (claim === null) return false;
  const { clocks } = hold.process;
  const madeUs = claimMadeUs(hold, xUs);
  const leftUs = endReadingUs(claim.clock, claim.endMs) - readClock(clocks, claim.clock, madeUs);
  const clientRate = rateAt(clocks, claim.clock, madeUs);
  for (const life of hold.lives) {
    if (life.key.auxiliary) continue;
    const serverRate = rateAt(life.clocks, 'wall', madeUs);
    if (!differ(serverRate, clientRate, analysis.scenario.clocks.driftBoundPpm)) continue;
    if (serverRate > clientRate && madeUs + leftUs / serverRate <= xUs) return true;
  }
  return false;
}
