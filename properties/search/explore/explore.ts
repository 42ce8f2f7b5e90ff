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
import { Runs, type JudgedRun } from './runs.js';
import type { ExploreSpec } from './spec.js';
import { add, NOTHING, tallyOf, type Tally } from './tally.js';
import { isUnnoticed, type Without } from './unnoticed.js';

/** Runs in one macrotask: long enough to be worth it, short enough to be interrupted. */
const BATCH = 64;

/** One anomaly at a point of a run. */
interface Placed {
  readonly fault: Fault;
  /** Index of its point among those of the run. */
  readonly at: number;
  /** Its place among all that could be placed: earlier points first. */
  readonly ordinal: number;
  /** With it the run violates: it is not extended. */
  violates: boolean;
}

/** More anomalies than one point can have. */
const VARIANTS = 64;

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
  private singles: readonly Placed[] | null = null;
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
    const { probe, run } = await this.probed([]);
    const chosen = this.chosen(probe.points);
    const own = tallyOf([], [], run.violations);
    const level =
      run.violations.length > 0
        ? { tally: NOTHING, placed: [], complete: true }
        : await this.level([], [], this.without(probe, run), 0, (sum) => stop(add(own, sum)));
    const opening = {
      decisionPoints: probe.points.length,
      classes: chosen.length,
      parts: this.spec.anomalies > 1 ? level.placed.length : 0,
      tally: add(own, level.tally),
      complete: level.complete,
    };
    if (level.complete) {
      this.singles = level.placed;
      this.opening = opening;
    }
    return opening;
  }

  /**
   * Runs the schedules of two and more anomalies whose first one is among the parts [from, to); null: it was stopped.
   * @throws ReuseMismatch
   */
  async range(from: number, to: number, stop: Stop = NEVER): Promise<Tally | null> {
    await this.open();
    let tally = NOTHING;
    for (let part = from; part < to; part++) {
      const single = this.singles![part]!;
      if (single.violates) continue;
      const sum = tally;
      const found = await this.extend([single.fault], [single.ordinal], single.at, (more) =>
        stop(add(sum, more)),
      );
      if (found === null) return null;
      tally = add(tally, found);
    }
    await this.macrotask((charges) => this.runs.verify(charges));
    return tally;
  }

  /** All schedules that begin with these anomalies and have more; null: it was stopped. */
  private async extend(
    faults: readonly Fault[],
    order: readonly number[],
    at: number,
    stop: Stop,
  ): Promise<Tally | null> {
    const { probe, run } = await this.probed(faults);
    const level = await this.level(faults, order, this.without(probe, run), at + 1, stop);
    if (!level.complete) return null;
    let { tally } = level;
    if (faults.length + 1 === this.spec.anomalies) return tally;
    for (const { fault, ordinal, at: next, violates } of level.placed) {
      if (violates) continue;
      const sum = tally;
      const deeper = await this.extend([...faults, fault], [...order, ordinal], next, (more) =>
        stop(add(sum, more)),
      );
      if (deeper === null) return null;
      tally = add(tally, deeper);
    }
    return tally;
  }

  /** Runs these anomalies with each one that can follow at a point from `from` on. */
  private async level(
    faults: readonly Fault[],
    order: readonly number[],
    without: Without,
    from: number,
    stop: Stop,
  ): Promise<{ tally: Tally; placed: readonly Placed[]; complete: boolean }> {
    const placed = this.place(without, from, faults.length + 1 === this.spec.anomalies);
    let tally = NOTHING;
    for (let start = 0; start < placed.length; start += BATCH) {
      const batch = placed.slice(start, start + BATCH);
      tally = await this.macrotask((charges) => {
        let sum = tally;
        for (const each of batch) {
          const schedule = [...faults, each.fault];
          const { violations } = this.runs.run(schedule, charges);
          each.violates = violations.length > 0;
          sum = add(sum, tallyOf(schedule, [...order, each.ordinal], violations));
        }
        return sum;
      });
      if (start + BATCH < placed.length && stop(tally)) return { tally, placed, complete: false };
    }
    return { tally, placed, complete: true };
  }

  /** @param last nothing will be added to what is placed: what changes nothing can be left out */
  private place(without: Without, from: number, last: boolean): readonly Placed[] {
    const { everyPoint } = this.spec;
    const { points } = without;
    const placed: Placed[] = [];
    for (const at of this.chosen(points)) {
      if (at < from) continue;
      anomaliesAt(points[at]!, this.anomalies).forEach((fault, variant) => {
        if (last && !everyPoint && isUnnoticed(fault, at, without)) return;
        placed.push({ fault, at, ordinal: at * VARIANTS + variant, violates: false });
      });
    }
    return placed;
  }

  private chosen(points: readonly Point[]): readonly number[] {
    return this.spec.everyPoint ? points.map((_, index) => index) : representatives(points);
  }

  private async probed(faults: readonly Fault[]): Promise<{ probe: PointProbe; run: JudgedRun }> {
    const probe = new PointProbe();
    return { probe, run: await this.macrotask((charges) => this.runs.run(faults, charges, probe)) };
  }

  private without({ points }: PointProbe, { events }: JudgedRun): Without {
    return { points, events, hasCrashes: events.some(({ kind }) => kind === 'crash' || kind === 'promote') };
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
