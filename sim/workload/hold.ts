/** One acquire attempt and, once granted, the hold that comes of it: what the workload knows and the history records. */
import type { ClaimedEnd, Grant } from '../../src/contract.js';
import type { Claim } from '../history/events.js';
import type { ProcessTimer } from '../host/timer.js';

export class Hold {
  grant: Grant | null = null;
  /** The claimed end as it was recorded last. */
  claim: Claim | null = null;
  /** The lock signalled the loss, or a renewal by hand failed: a holder that heeds stops. */
  told = false;
  /** The next renewal by hand. */
  renewal: ProcessTimer | null = null;

  constructor(
    readonly id: string,
    readonly resource: string,
  ) {}

  /** The claim that the lock makes now, if it differs from the recorded one. */
  movedClaim(): Claim | null {
    const end = this.grant?.validUntil?.();
    if (end === undefined || sameClaim(this.claim, end)) return null;
    return (this.claim = claimOf(end));
  }
}

export function claimOf(end: ClaimedEnd | undefined): Claim | null {
  return end === undefined ? null : { clock: end.clock, endMs: end.ms };
}

function sameClaim(claim: Claim | null, end: ClaimedEnd): boolean {
  return claim !== null && claim.clock === end.clock && claim.endMs === end.ms;
}
