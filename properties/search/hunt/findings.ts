/** What a hunt found, and when two findings are one. */
import type { History, HistoryEvent } from '../../../sim/history/events.js';
import type { PropertyId, ScenarioInput } from '../../../sim/scenario/schema.js';
import { everyViolation, type Blame, type Verdicts, type Violation } from '../../verdict.js';

/** A violation as a run showed it, before it is made small. Plain data. */
export interface RawFinding {
  /** Property, blame and cause: findings with the same key are one. */
  readonly key: string;
  readonly property: PropertyId;
  readonly blame: Blame;
  /** What the evidence shows beside the operations themselves: see {@link causeOf}. */
  readonly cause: string;
  readonly run: number;
  readonly reason: string;
}

/** A finding made small and confirmed with fresh instances. Plain data. */
export interface Finding extends RawFinding {
  readonly scenario: ScenarioInput;
  /** How many faults are left: without any of them the violation is gone. */
  readonly faults: number;
  /** Of the history of the scenario. */
  readonly digest: string;
  /** Every violation of that run, `property -> violated/<blame>`. */
  readonly verdicts: Readonly<Partial<Record<PropertyId, string>>>;
}

/** Words for what events of the evidence show, the most telling first; what shows none of them is `work`. */
const CAUSES: readonly (readonly [string, (event: HistoryEvent) => boolean])[] = [
  ['key lost', (event) => event.kind === 'key' && (event.effect === 'lost' || event.effect === 'restored')],
  ['key evicted', (event) => event.kind === 'key' && event.effect === 'evicted'],
  ['key deleted', (event) => event.kind === 'key' && event.effect === 'deleted'],
  ['clock', (event) => event.kind === 'clock'],
  ['crash', (event) => event.kind === 'crash' || event.kind === 'restart'],
  ['failover', (event) => event.kind === 'promote' || event.kind === 'sentinel'],
  ['link', (event) => event.kind === 'link'],
  ['pause', (event) => event.kind === 'pause'],
  ['trouble', (event) => event.kind === 'trouble'],
  ['pending call', (event) => event.kind === 'pending'],
  ['key expired', (event) => event.kind === 'key' && event.effect === 'expired'],
  ['key', (event) => event.kind === 'key'],
];

/**
 * The cause of a violation, in a word: the most telling kind of event among its evidence. Hosts, times and figures do not
 * matter, so that one mistake is found once however often it strikes.
 */
export function causeOf({ evidence }: Violation, { events }: History): string {
  for (const [word, shows] of CAUSES) if (evidence.some((index) => shows(events[index]!))) return word;
  return 'work';
}

/** The violations of a run. @param wanted properties that count; null: all */
export function findingsOf(
  history: History,
  verdicts: Verdicts,
  run: number,
  wanted: readonly PropertyId[] | null,
): RawFinding[] {
  const found: RawFinding[] = [];
  for (const id in verdicts) {
    const property = id as PropertyId;
    const verdict = verdicts[property];
    if (verdict.verdict !== 'violated' || wanted?.includes(property) === false) continue;
    for (const violation of everyViolation(verdict)) {
      const { blame, reason } = violation;
      const cause = causeOf(violation, history);
      found.push({ key: `${property} ${blame} ${cause}`, property, blame, cause, run, reason });
    }
  }
  return found;
}
