/** What an exploration is asked for, as plain data: the same spec gives the same answer on every machine. */
import type { FaultKind, PropertyId, ScenarioInput } from '../../../sim/scenario/schema.js';

/** The anomalies that are placed, as the faults of a scenario. docs/explore.md says where each of them can strike. */
export const ANOMALY_KINDS = [
  'pause',
  'delay',
  'hold',
  'crash',
  'step-clock',
  'promote',
] as const satisfies readonly FaultKind[];
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

export interface ExploreSpec {
  /** As `--lock` takes it; a path is absolute. */
  readonly lock: string;
  /** Its faults strike in every run, beside the anomalies; none: the runs have the anomalies alone. */
  readonly scenario: ScenarioInput;
  /** At most so many anomalies are placed, at least 1. */
  readonly anomalies: number;
  /** Only these; null: all. */
  readonly kinds: readonly AnomalyKind[] | null;
  /** Only this one is looked at; null: all. */
  readonly property: PropertyId | null;
  /** Every decision point, also those that are equivalent to others. */
  readonly everyPoint: boolean;
  /** Instances of the lock are kept between runs. */
  readonly reuse: boolean;
}
