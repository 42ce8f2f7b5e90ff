/** One row of the failure catalogue: a scenario, what it teaches, and where exactly it flips. */
import type { PropertyId, Scenario, ScenarioInput } from '../scenario/schema.js';

export interface CatalogueEntry {
  readonly scenario: ScenarioInput;
  readonly title: string;
  /** What a reader would ask. */
  readonly question: string;
  /** What the run teaches, in one or two sentences. */
  readonly takeaway: string;
  /** Paper, page or issue number. */
  readonly source: string;
  /** The public report that the row reproduces, as `owner/repository#number`; left out where nobody reported it. */
  readonly report?: string;
  readonly boundaries: readonly Boundary[];
  /** Where the row promises safety: the properties must hold at each of the values. */
  readonly controls?: readonly Control[];
}

/** A value that must not matter: at none of `values` is one of the properties violated. */
export interface Control {
  readonly lock: string;
  readonly properties: readonly PropertyId[];
  /** As in {@link Boundary}. */
  readonly path: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly values: readonly number[];
}

/** One step on one side of `flipsAt` holds, one step on the other side is violated. */
export interface Boundary {
  readonly lock: string;
  readonly property: PropertyId;
  /** Numeric path in the scenario, as `--set` writes it, e.g. `faults.0.forMs`. */
  readonly path: string;
  /** Changes made to the scenario first: `path -> value`. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The closed form in the symbols of the catalogue, e.g. `P > T - (δr + s + δw)`. */
  readonly closedForm: string;
  /** The value of `path` at which the inequality becomes an equality. */
  flipsAt(scenario: Scenario): number;
  /** How far from `flipsAt` the two tests stand; the default is 1 (ms): Redis's whole milliseconds. */
  readonly step?: number;
  /** Which side is violated; the default is `above`. */
  readonly violated?: 'above' | 'below';
  /** The verdict on that side, e.g. `violated/lease`. */
  readonly verdict: string;
}
