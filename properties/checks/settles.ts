/** Every call resolves or rejects within the bound in the tail. */
import { boundsOf } from '../analysis/bounds.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { reachFinding } from '../blame/liveness.js';
import { unknown, type Check } from './check.js';

export const checkSettles: Check = (analysis) => {
  const { settleUs } = boundsOf(analysis.scenario);
  const search = new Search(analysis, settleUs);
  const { holds } = analysis;
  for (let index = 0; index < holds.length; index++) search.visit(holds[index]!);
  const { first, evaluated } = search;
  if (first === null) {
    return search.attempts === 0 ? unknown('no attempt in the tail') : { verdict: 'holds', evaluated };
  }
  const { hold, call, fromUs, atUs, index } = first;
  const found = reachFinding(analysis, hold.process.name, atUs);
  const within = settleUs === Infinity ? 'after' : `within ${ms(settleUs)} of`;
  const never = search.isPending(hold, call) ? ' and never can' : '';
  return {
    verdict: 'violated',
    blame: found.blame,
    reason: `the ${call} of ${hold.id} did not settle ${within} ${ms(fromUs)}${never}; ${found.because}`,
    atUs,
    evidence: evidence(index, analysis.tailIndex),
    holds: [hold.id],
    evaluated,
  };
};

type Call = 'acquire' | 'extend' | 'release';

interface Unsettled {
  readonly hold: Hold;
  readonly call: Call;
  readonly fromUs: number;
  readonly atUs: number;
  readonly index: number;
}

class Search {
  first: Unsettled | null = null;
  /** Calls judged, and the attempts among them. */
  evaluated = 0;
  attempts = 0;

  constructor(
    private readonly analysis: Analysis,
    private readonly settleUs: number,
  ) {}

  visit(hold: Hold): void {
    const settledUs = hold.ok === null ? hold.failedUs : hold.ok.tUs;
    if (settledUs >= this.analysis.tailUs) this.attempts++;
    this.call(hold, 'acquire', hold.askedUs, settledUs, hold.askedIndex);
    if (hold.releaseIndex >= 0)
      this.call(hold, 'release', hold.releaseUs, hold.releasedUs, hold.releaseIndex);
    if (hold.extends !== null) this.extensions(hold);
  }

  isPending(hold: Hold, call: Call): boolean {
    const { pending } = this.analysis;
    for (let index = 0; index < pending.length; index++) {
      if (pending[index]!.hold === hold.id && pending[index]!.op === call) return true;
    }
    return false;
  }

  private extensions(hold: Hold): void {
    let open: { tUs: number; i: number } | null = null;
    for (const event of hold.extends!) {
      if (event.phase === 'invoke') open = event;
      else if (open !== null && event.phase !== 'info') {
        this.call(hold, 'extend', open.tUs, event.tUs, open.i);
        open = null;
      }
    }
    if (open !== null) this.call(hold, 'extend', open.tUs, Infinity, open.i);
  }

  private call(hold: Hold, call: Call, invokedUs: number, settledUs: number, index: number): void {
    const { tailUs, endUs } = this.analysis;
    if (settledUs < tailUs) return;
    this.evaluated++;
    const fromUs = Math.max(invokedUs, tailUs);
    const dueUs = Math.min(fromUs + this.settleUs, Number.MAX_SAFE_INTEGER);
    if (settledUs <= dueUs || hold.crashUs <= dueUs) return;
    // A run that ended before the bound shows a violation only where nothing was left that could settle the call.
    if (endUs <= dueUs && !this.isPending(hold, call)) return;
    const atUs = Math.min(dueUs, endUs);
    if (this.first === null || atUs < this.first.atUs) this.first = { hold, call, fromUs, atUs, index };
  }
}
