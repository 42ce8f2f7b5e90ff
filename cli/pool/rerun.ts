/** A run once more, for its verdict alone. */
import { judge } from '../../properties/judge.js';
import { everyViolation, type Blame } from '../../properties/verdict.js';
import { digest } from '../../sim/history/digest.js';
import type { LoadedLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../../sim/scenario/schema.js';

/** What came of it. Plain data. */
export interface Reran {
  readonly digest: string;
  /** Hash of the bundle that ran; null where the lock could not say. */
  readonly bundle: string | null;
  readonly violations: readonly {
    readonly property: PropertyId;
    readonly blame: Blame;
    readonly reason: string;
  }[];
  /** Why some properties could not be judged. */
  readonly unknown: Readonly<Partial<Record<PropertyId, string>>>;
}

export async function rerun(scenario: Scenario, lock: LoadedLock): Promise<Reran> {
  const history = await simulate(scenario, lock);
  const { verdicts } = judge(history);
  const unknown: Partial<Record<PropertyId, string>> = {};
  const violations: Reran['violations'][number][] = [];
  for (const property of PROPERTY_IDS) {
    const verdict = verdicts[property];
    if (verdict.verdict === 'unknown') unknown[property] = verdict.reason;
    if (verdict.verdict !== 'violated') continue;
    for (const { blame, reason } of everyViolation(verdict)) violations.push({ property, blame, reason });
  }
  return { digest: digest(history), bundle: history.header.lock.bundle, violations, unknown };
}
