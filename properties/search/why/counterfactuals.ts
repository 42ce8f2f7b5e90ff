/** The single changes, each tried on the same seed, with what became of every property: those that do not help, too. */
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';
import type { Verdicts } from '../../verdict.js';
import { rerun, type Refusal, type Rerun, type Runner } from '../rerun.js';
import { changesFor, type ChangeId, type LockFamily, type PlannedChange } from './changes.js';
import { verdictText } from './minimal.js';

/**
 * - `cures`: nothing is violated any more
 * - `helps`: something that was violated holds, and something is still violated, or only now
 * - `no help`: all that was violated still is, or is unknown now
 * - `not applicable`: the change can't be made here, or makes no difference to anything
 */
export type Effect = 'cures' | 'helps' | 'no help' | 'not applicable';

export interface Counterfactual {
  readonly id: ChangeId;
  /** In words: `a ttl of 2000 ms`. */
  readonly what: string;
  readonly lock: string | null;
  readonly settings: readonly Setting[];
  readonly effect: Effect;
  /** Why it isn't applicable, or why nothing can be said; null otherwise. */
  readonly reason: string | null;
  /** What each property says then, as `holds`, `violated/lease`, `unknown`; null where nothing was run. */
  readonly verdicts: Readonly<Record<PropertyId, string>> | null;
  /** Violated before, holds now. */
  readonly cures: readonly PropertyId[];
  /** Violated now. */
  readonly leaves: readonly PropertyId[];
}

/** A longer ttl only seems to help where what is violated is how long somebody waits. */
const LIVENESS: ReadonlySet<PropertyId> = new Set(['progress', 'no-orphan', 'settles', 'quiet']);

export async function counterfactuals(
  scenario: Scenario,
  before: Verdicts,
  family: LockFamily,
  runner: Runner,
): Promise<Counterfactual[]> {
  const violated = violatedIn(before);
  const found: Counterfactual[] = [];
  for (const change of changesFor(
    scenario,
    family,
    violated.some((property) => !LIVENESS.has(property)),
  ))
    found.push(await tried(scenario, violated, change, runner));
  return found;
}

async function tried(
  scenario: Scenario,
  violated: readonly PropertyId[],
  change: PlannedChange,
  runner: Runner,
): Promise<Counterfactual> {
  const { id, what } = change;
  const none = { id, what, lock: null, settings: [], verdicts: null, cures: [], leaves: [] };
  if ('inapplicable' in change) return { ...none, effect: 'not applicable', reason: change.inapplicable };
  const { lock = null, settings } = change;
  const result = await withChange(scenario, lock, settings, runner);
  if ('refused' in result) return { ...none, effect: 'not applicable', reason: result.refused };
  const leaves = violatedIn(result.verdicts);
  const cures = violated.filter((property) => result.verdicts[property].verdict === 'holds');
  const verdicts = Object.fromEntries(
    PROPERTY_IDS.map((property) => [property, verdictText(result.verdicts[property])]),
  ) as Record<PropertyId, string>;
  const effect = cures.length === 0 ? 'no help' : leaves.length === 0 ? 'cures' : 'helps';
  return {
    id,
    what,
    lock,
    settings,
    verdicts,
    cures,
    leaves,
    effect,
    reason: doubt(result, violated, cures),
  };
}

/** Where nothing is cured and yet nothing is violated, the run may just not have come so far. */
function doubt(
  { verdicts }: Rerun,
  violated: readonly PropertyId[],
  cures: readonly PropertyId[],
): string | null {
  if (cures.length > 0) return null;
  for (const property of violated) {
    const verdict = verdicts[property];
    if (verdict.verdict === 'unknown') return `${property} is unknown then: ${verdict.reason}`;
  }
  return null;
}

function withChange(
  scenario: Scenario,
  lock: string | null,
  settings: readonly Setting[],
  runner: Runner,
): Promise<Rerun | Refusal> {
  return rerun(
    runner,
    scenario,
    lock === null ? settings : [{ path: 'lock.name', value: lock }, ...settings],
  );
}

export function violatedIn(verdicts: Verdicts): PropertyId[] {
  return PROPERTY_IDS.filter((property) => verdicts[property].verdict === 'violated');
}
