/**
 * Bounded-exhaustive search on real code: all placements of at most so many anomalies over the decision points of a run. The
 * second anomaly is placed over the points of the run that the first one gives, after it, so that each schedule strikes exactly where
 * it says. A schedule of which a part violates already is not extended: it would show nothing new.
 */
import { canDrainSynchronously } from '../../../sim/kernel/drain.js';
import { inMacrotask } from '../../../sim/kernel/macrotask.js';
import type { LoadedLock } from '../../../sim/load.js';
import { guarded, type Charges } from '../../../sim/run.js';
import type { Fault, Scenario } from '../../../sim/scenario/schema.js';
import { anomaliesAt, planAnomalies, type AnomalyPlan } from './anomalies.js';
import { PointProbe, representatives, type Point } from './points.js';
import { Runs } from './runs.js';
import type { ExploreSpec } from './spec.js';
import { add, NOTHING, tallyOf, type Tally } from './tally.js';

/** Runs in one macrotask: long enough to be worth it, short enough to be interrupted. */
const BATCH = 64;

/** One anomaly of the fault-free run: where a part of the search begins. */
interface Single {
  readonly fault: Fault;
  /** Index of its point among those of the run. */
  readonly at: number;
  /** It violates by itself, and is not extended. */
  violates: boolean;
}

/** What is known when the schedules of no and of one anomaly have been run. */
export interface Opening {
  readonly decisionPoints: number;
  /** Of these, those that stand for all others. */
  readonly classes: number;
  /** Parts of the rest of the search: {@link Exploration.range} takes them. 0: there is no rest. */
  readonly parts: number;
  readonly tally: Tally;
  readonly complete: boolean;
}

/** Asked between batches; true: no more runs. */
export type Stop = (tally: Tally) => boolean;

const NEVER: Stop = () => false;

export class Exploration {
  private readonly runs: Runs;
  private readonly anomalies: AnomalyPlan;
  private singles: Single[] | null = null;
  private opening: Opening | null = null;

  /** @param lock on the wire: bundled with its client package, see `lockFor` */
  constructor(
    private readonly spec: ExploreSpec,
    lock: LoadedLock,
  ) {
    this.runs = new Runs(spec, lock);
    this.anomalies = planAnomalies(this.runs.scenario, spec.kinds);
  }

  /** The scenario with anomalies, as a file could hold it. */
  scenarioOf(faults: readonly Fault[]): Scenario {
    return this.runs.scenarioUnder(faults);
  }

  /**
   * Runs the scenario as it is and with each single anomaly.
   * @throws ReuseMismatch
   */
  async open(stop: Stop = NEVER): Promise<Opening> {
    if (this.opening !== null) return this.opening;
    await this.runs.prepare();
    if (!(await inMacrotask(canDrainSynchronously)))
      throw new Error('an exploration needs the synchronous drain of Node');
    const probe = new PointProbe();
    const violations = await this.macrotask((charges) => this.runs.run([], charges, probe));
    const chosen = this.chosen(probe.points);
    const singles = violations.length > 0 ? [] : this.place(probe.points, chosen, 0);
    let tally = tallyOf([], [], violations);
    let complete = true;
    for (let from = 0; from < singles.length && complete; from += BATCH) {
      tally = await this.macrotask((charges) => {
        let sum = tally;
        for (let index = from; index < Math.min(from + BATCH, singles.length); index++)
          sum = add(sum, this.single(singles[index]!, index, charges));
        return sum;
      });
      complete = from + BATCH >= singles.length || !stop(tally);
    }
    if (complete) this.singles = singles;
    const parts = this.spec.anomalies > 1 ? singles.length : 0;
    const opening = { decisionPoints: probe.points.length, classes: chosen.length, parts, tally, complete };
    if (complete) this.opening = opening;
    return opening;
  }

  private single(single: Single, index: number, charges: Charges): Tally {
    const violations = this.runs.run([single.fault], charges);
    single.violates = violations.length > 0;
    return tallyOf([single.fault], [index], violations);
  }

  /**
   * Runs the schedules of two and more anomalies whose first one is among the parts [from, to).
   * @throws ReuseMismatch
   */
  async range(from: number, to: number, stop: Stop = NEVER): Promise<Tally | null> {
    await this.open();
    let tally = NOTHING;
    for (let part = from; part < to; part++) {
      const single = this.singles![part]!;
      if (single.violates) continue;
      const found = await this.extend([single.fault], [part], single.at, (sum) => stop(add(tally, sum)));
      if (found === null) return null;
      tally = add(tally, found);
    }
    return tally;
  }

  /** All schedules that begin with these anomalies and have more; null: it was stopped. */
  private async extend(
    faults: readonly Fault[],
    order: readonly number[],
    at: number,
    stop: Stop,
  ): Promise<Tally | null> {
    const probe = new PointProbe();
    await this.macrotask((charges) => this.runs.run(faults, charges, probe));
    const next = this.place(probe.points, this.chosen(probe.points), at + 1);
    const last = faults.length + 1 === this.spec.anomalies;
    let tally = NOTHING;
    for (let from = 0; from < next.length; from += BATCH) {
      const batch = next.slice(from, from + BATCH);
      tally = await this.macrotask((charges) => {
        let sum = tally;
        batch.forEach((each, index) => {
          const violations = this.runs.run([...faults, each.fault], charges);
          each.violates = violations.length > 0;
          sum = add(sum, tallyOf([...faults, each.fault], [...order, from + index], violations));
        });
        return sum;
      });
      for (let index = 0; index < batch.length && !last; index++) {
        const each = batch[index]!;
        if (each.violates) continue;
        const deeper = await this.extend([...faults, each.fault], [...order, from + index], each.at, (sum) =>
          stop(add(tally, sum)),
        );
        if (deeper === null) return null;
        tally = add(tally, deeper);
      }
      if (stop(tally)) return null;
    }
    return tally;
  }

  private chosen(points: readonly Point[]): readonly number[] {
    return this.spec.everyPoint ? points.map((_, index) => index) : representatives(points);
  }

  /** Every anomaly at each of the chosen points from `from` on. */
  private place(points: readonly Point[], chosen: readonly number[], from: number): Single[] {
    const placed: Single[] = [];
    for (const at of chosen) {
      if (at < from) continue;
      for (const fault of anomaliesAt(points[at]!, this.anomalies)) placed.push({ fault, at, violates: false });
    }
    return placed;
  }

  private macrotask<T>(run: (charges: Charges) => T): Promise<T> {
    return inMacrotask(() =>
      guarded((charges) => {
        // Errors of a run keep their first line only, and their stacks cost more than all the rest of them.
        const limit = Error.stackTraceLimit;
        Error.stackTraceLimit = 0;
        try {
          return run(charges);
        } finally {
          Error.stackTraceLimit = limit;
        }
      }),
    );
  }
}
