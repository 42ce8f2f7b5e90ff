/** A lock that promises a signal tells its holder of the loss in time, and never without a loss. */
import { claimLeftUs } from '../analysis/beliefs.js';
import { endUsOf } from '../analysis/keys.js';
import { stands } from '../analysis/standing.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { lateSignal } from '../blame/loss.js';
import type { Verdict } from '../verdict.js';
import { unknown, type Check } from './check.js';

/** Timers count whole milliseconds: a signal this much before the claimed end is on time, not false. */
const TIMER_GRAIN_US = 1000;

export const checkLossSignalled: Check = (analysis) => {
  const { grants } = analysis;
  let evaluated = 0;
  for (let index = 0; index < grants.length; index++) if (grants[index]!.ok!.signals) evaluated++;
  if (evaluated === 0) {
    return unknown(grants.length === 0 ? 'no lock was granted' : 'the lock promises no signal');
  }
  let first: Verdict | null = null;
  let firstUs = Infinity;
  for (let index = 0; index < grants.length; index++) {
    const hold = grants[index]!;
    if (!hold.ok!.signals) continue;
    const late = lateSignal(analysis, hold);
    if (late !== null && late.dueUs < firstUs) {
      firstUs = late.dueUs;
      const came = hold.lostUs === Infinity ? 'it never came' : `it came at ${ms(hold.lostUs)}`;
      first = violated(
        hold,
        late.dueUs,
        evaluated,
        late.evidence,
        `the loss of ${hold.id} was to be signalled by ${ms(late.dueUs)}: ${came}`,
      );
    }
    if (hold.lostUs < firstUs && isFalse(analysis, hold)) {
      firstUs = hold.lostUs;
      const reason = `${hold.id} was told at ${ms(hold.lostUs)} that it had lost the lock, while its claim ran, its keys stood and no renewal had failed`;
      first = violated(hold, hold.lostUs, evaluated, [hold.ok!.i, hold.lostIndex], reason);
    }
  }
  return first ?? { verdict: 'holds', evaluated };
};

function violated(
  hold: Hold,
  atUs: number,
  evaluated: number,
  indexes: readonly number[],
  reason: string,
): Verdict {
  return {
    verdict: 'violated',
    blame: 'library',
    reason,
    atUs,
    evidence: evidence(...indexes),
    holds: [hold.id],
    evaluated,
  };
}

/** A signal without a loss: the claim runs, the keys stand, no renewal failed, and the hold is neither released nor crashed. */
function isFalse(analysis: Analysis, hold: Hold): boolean {
  const { lostUs } = hold;
  if (lostUs >= hold.releaseUs || lostUs >= hold.crashUs) return false;
  const left = claimLeftUs(hold, lostUs);
  return (
    left > TIMER_GRAIN_US &&
    hasOwnKey(hold, lostUs) &&
    stands(analysis, hold, lostUs, 'nothing') &&
    !renewalFailed(analysis, hold)
  );
}

/** Nested holds have their keys in common; a lock that does not know of nesting tells the outer one of the loss of its own. */
function hasOwnKey(hold: Hold, tUs: number): boolean {
  if (hold.kin === null) return true;
  return hold.lives.some((life) => life.owner === hold && life.set.tUs <= tUs && endUsOf(life) > tUs);
}

/** A renewal failed before the signal: the workload's, or a command of the lock's own while it held. */
function renewalFailed(analysis: Analysis, hold: Hold): boolean {
  if (hold.extends?.some((event) => event.phase === 'fail' && event.i < hold.lostIndex)) return true;
  for (const event of analysis.events) {
    if (event.i >= hold.lostIndex) break;
    if (event.i < hold.ok!.i) continue;
    if (event.kind === 'reply' && event.hold === hold.id && isRenewal(event.op) && event.outcome !== 'ok')
      return true;
    if (event.kind === 'apply' && event.hold === hold.id && isRenewal(event.op) && refused(event.reply))
      return true;
  }
  return false;
}

function isRenewal(op: string): boolean {
  return op === 'hold' || op === 'extend';
}

function refused(reply: string): boolean {
  return reply === '0' || reply === '(nil)' || reply.startsWith('-');
}
