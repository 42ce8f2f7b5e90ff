/**
 * Tasks that share a client: a command sent while two of them were busy belongs to neither, and a key that it set is
 * nobody's. What is judged by whose key it is then has no answer, and blame none at all.
 */
import type { PropertyId } from '../../sim/scenario/schema.js';
import type { Verdict } from '../verdict.js';
import type { Analysis } from './model.js';
import { ms } from './words.js';

/** Judged without keys, apart from the blame. */
const BY_BELIEFS_AND_USES: ReadonlySet<PropertyId> = new Set([
  'mutual-exclusion',
  'exclusive-use',
  'permits',
]);
/** Neither verdict nor blame asks for keys. */
const WITHOUT_KEYS: ReadonlySet<PropertyId> = new Set(['settles', 'quiet', 'progress']);

/** Why keys can't be told apart in this history; null if they can. */
export function unattributedKey(analysis: Analysis): string | null {
  const { sharedClient, tasks } = analysis.scenario.processes;
  if (!sharedClient || tasks === 1) return null;
  for (const event of analysis.events) {
    if (event.kind !== 'key' || event.by === undefined) continue;
    if (event.effect === 'set' && event.setter === null)
      return `the tasks of ${event.by} share a client: whose key was set at ${ms(event.tUs)} is ambiguous`;
    // The entries of a semaphore are in one key, and whose each is the commands say.
    if (event.effect === 'changed' && event.hold === null && analysis.permits > 1)
      return `the tasks of ${event.by} share a client: whose permit was written at ${ms(event.tUs)} is ambiguous`;
  }
  return null;
}

/** The verdict that is left of one that was reached as if all keys had owners. */
export function withoutKeys(id: PropertyId, verdict: Verdict, reason: string): Verdict {
  if (WITHOUT_KEYS.has(id) || verdict.verdict === 'unknown') return verdict;
  if (BY_BELIEFS_AND_USES.has(id) && verdict.verdict === 'holds') return verdict;
  return { verdict: 'unknown', reason };
}
