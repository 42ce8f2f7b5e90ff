/**
 * Which properties a lock of this kind can be asked about. A mutex has one holder at a time; a semaphore has permits for several,
 * and may keep all of them in one key, which is then nobody's.
 */
import type { PropertyId } from '../../sim/scenario/schema.js';
import type { Unknown } from '../verdict.js';
import type { Analysis } from './model.js';

/** Of two holders at once. */
const OF_A_MUTEX: ReadonlySet<PropertyId> = new Set([
  'mutual-exclusion',
  'exclusive-use',
  'no-stale-write',
  'fencing-order',
]);

/** Of the keys that a hold has to itself. */
const OF_OWN_KEYS: ReadonlySet<PropertyId> = new Set([
  'own-key-only',
  'quorum-backed',
  'honest-validity',
  'loss-signalled',
  'no-orphan',
]);

const OF_A_SEMAPHORE: Unknown = {
  verdict: 'unknown',
  reason: 'the lock is a plain mutex',
  inapplicable: true,
};

/** Why a property can't be asked of the lock of this history; null if it can. */
export function notOfThisKind(analysis: Analysis, id: PropertyId): Unknown | null {
  const { permits } = analysis;
  if (permits === 1) return id === 'permits' ? OF_A_SEMAPHORE : null;
  if (OF_A_MUTEX.has(id)) {
    return { verdict: 'unknown', reason: `the lock has ${permits} permits`, inapplicable: true };
  }
  const key = OF_OWN_KEYS.has(id) ? sharedKey(analysis) : null;
  return key === null ? null : { verdict: 'unknown', reason: `all holds share the key ${key}` };
}

/** A key in which several holds are kept, as in a sorted set; null if each has keys of its own. */
export function sharedKey(analysis: Analysis): string | null {
  return sharedKeys(analysis)[0] ?? null;
}

/** All such keys: one of each resource. */
export function sharedKeys(analysis: Analysis): readonly string[] {
  if (analysis.permits === 1) return [];
  const keyless = analysis.grants.some(({ lives }) => lives.every(({ key }) => key.auxiliary));
  // A counter that is changed in place stands beside the keys of the holds; if they have none, it is no counter.
  return analysis.keyNames
    .filter((key) => key.changedInPlace && (keyless || !key.auxiliary))
    .map(({ name }) => name);
}
