/** The properties: what must hold of every history. docs/properties.md says how each is judged. */
import type { PropertyId } from '../sim/scenario/schema.js';
import type { Check } from './checks/check.js';
import { checkExclusiveUse } from './checks/exclusive-use.js';
import { checkFencingOrder } from './checks/fencing-order.js';
import { checkHonestValidity } from './checks/honest-validity.js';
import { checkLossSignalled } from './checks/loss-signalled.js';
import { checkMutualExclusion } from './checks/mutual-exclusion.js';
import { checkNoOrphan } from './checks/no-orphan.js';
import { checkNoStaleWrite } from './checks/no-stale-write.js';
import { checkOwnKeyOnly } from './checks/own-key-only.js';
import { checkPermits } from './checks/permits.js';
import { checkProgress } from './checks/progress.js';
import { checkQuiet } from './checks/quiet.js';
import { checkQuorumBacked } from './checks/quorum-backed.js';
import { checkSettles } from './checks/settles.js';

export interface Property {
  readonly id: PropertyId;
  readonly title: string;
  /** When it holds, in one sentence. */
  readonly statement: string;
  readonly check: Check;
}

export const PROPERTIES: readonly Property[] = [
  {
    id: 'mutual-exclusion',
    title: 'Mutual exclusion',
    statement: 'Beliefs of different holds of a resource do not overlap in true time.',
    check: checkMutualExclusion,
  },
  {
    id: 'exclusive-use',
    title: 'Exclusive use',
    statement:
      'The spans from first to last use of different holds, in the order in which uses arrive, are disjoint.',
    check: checkExclusiveUse,
  },
  {
    id: 'no-stale-write',
    title: 'No stale write',
    statement: 'The storage accepts no write of an older hold after an accepted write of a newer one.',
    check: checkNoStaleWrite,
  },
  {
    id: 'fencing-order',
    title: 'Fencing order',
    statement: 'Fencing tokens strictly increase in the order of holds.',
    check: checkFencingOrder,
  },
  {
    id: 'own-key-only',
    title: 'Own key only',
    statement: "No command of a lock removes or changes a live key that another hold's command set.",
    check: checkOwnKeyOnly,
  },
  {
    id: 'quorum-backed',
    title: 'Quorum backed',
    statement:
      'When a grant is returned, fewer than a majority of the servers are up and without a live key of it.',
    check: checkQuorumBacked,
  },
  {
    id: 'honest-validity',
    title: 'Honest validity',
    statement: "When a grant is returned, its claimed end is not past and not after its quorum's lapse.",
    check: checkHonestValidity,
  },
  {
    id: 'loss-signalled',
    title: 'Loss signalled',
    statement: 'A lock that promises a signal tells its holder of a loss in time, and never without a loss.',
    check: checkLossSignalled,
  },
  {
    id: 'progress',
    title: 'Progress',
    statement: 'In the quiet tail nobody asks for long for a resource that nobody gets.',
    check: checkProgress,
  },
  {
    id: 'no-orphan',
    title: 'No orphan',
    statement: 'No key stays for long without a grant to its setter, or after its release was invoked.',
    check: checkNoOrphan,
  },
  {
    id: 'settles',
    title: 'Settles',
    statement: 'In the quiet tail every call resolves or rejects within a bound.',
    check: checkSettles,
  },
  {
    id: 'quiet',
    title: 'Quiet',
    statement: 'No unhandled rejection, no hot loop, no error hidden by another.',
    check: checkQuiet,
  },
  {
    id: 'permits',
    title: 'Permits',
    statement: 'At no instant do more holds of a semaphore believe than it has permits.',
    check: checkPermits,
  },
];
