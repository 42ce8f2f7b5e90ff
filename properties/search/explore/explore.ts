/**
 * Bounded-exhaustive search on real code: all placements of at most so many anomalies over the decision points of a run. The
 * second anomaly is placed over the points of the run that the first one gives, after it, so that each schedule strikes exactly where
 * it says. A schedule that begins with one that violates, or has an anomaly that violates by itself, is not run: it would show
 * nothing new.
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
import { Walk } from './walk.js';

/** Runs in one macrotask: long enough to be worth it, short enough to be interrupted. */
const BATCH = 64;

/** One anomaly at a point of a run. */
interface Placed {
  readonly fault: Fault;
  /** Index of its point among those of the run. */
  readonly at: number;
  /** Its place among all that could be placed: earlier points first. */
  readonly ordinal: number;
}

/** More anomalies than one point can have. */
const VARIANTS = 64;

/** The run as it is, and what there is to explore. Plain data. */
export interface ExplorePlan {
  readonly decisionPoints: number;
  /** Of these, those that stand for all others. */
  readonly classes: number;
  /** Single anomalies that can be placed: with each of them begins a part of the search. 0: it violates without any. */
  readonly parts: number;
  /** Of the run without anomalies. */
  readonly tally: Tally;
  /** Why no run of this lock could show what is looked for; null: one may. */
  readonly cannotShow: string | null;
}

/** Some of a part, and how far it is done: the order of the schedule that was passed last; null: all of it. */
export interface Stretch {
  readonly tally: Tally;
  readonly reached: readonly number[] | null;
}

/** Runs after which a stretch ends: soon enough for a time limit and for Ctrl-C, long enough to be worth a task. */
const STRETCH = 256;

/** Called as a run begins: with its ordinal among those of the exploration. */
export type Begin = (run: number) => void;

const nobody: Begin = () => undefined;

export class Exploration {
  private readonly runs: Runs;
  private readonly anomalies: AnomalyPlan;
  private parts: readonly Placed[] = [];
  private planned: ExplorePlan | null = null;
  private begin: Begin = nobody;
  /** Points of a class that lie within a quarter of a ttl are one moment. */
  private readonly spreadUs: number;
  /** Anomalies that violate by themselves, by {@link keyOf}; and those that do not. */
  private readonly alone = new Map<string, boolean>();

  /** @param lock on the wire: bundled with its client package, see `lockFor` */
  constructor(
    private readonly spec: ExploreSpec,
    lock: LoadedLock,
  ) {
    this.runs = new Runs(spec, lock);
    this.anomalies = planAnomalies(this.runs.scenario, spec.kinds);
    this.spreadUs = this.runs.scenario.lock.ttlMs * 250;
  }

  /** The scenario with anomalies, as a file could hold it. */
  scenarioOf(faults: readonly Fault[]): Scenario {
    return this.runs.scenarioUnder(faults);
  }

  /** Runs the scenario as it is. */
  async plan(begin: Begin = nobody): Promise<ExplorePlan> {
    this.begin = begin;
    if (this.planned !== null) return this.planned;
    await this.runs.prepare();
    if (!(await inMacrotask(canDrainSynchronously)))
      throw new Error('an exploration needs the synchronous drain of Node');
    const { probe, run } = await this.probed([]);
    const isClean = run.violations.length === 0;
    this.parts = isClean ? this.place(this.without(probe, run), 0, this.spec.anomalies === 1) : [];
    return (this.planned = {
      decisionPoints: probe.points.length,
      classes: this.chosen(probe.points).length,
      parts: this.parts.length,
      tally: tallyOf([], [], run),
      cannotShow: run.cannotShow,
    });
  }

  /**
   * Runs the single anomalies of the parts [from, to).
   * @throws ReuseMismatch
   */
  async singles(from: number, to: number, begin: Begin = nobody): Promise<Tally> {
    await this.plan();
    this.begin = begin;
    const tally = await this.each([], [], this.parts.slice(from, to));
    await this.macrotask((charges) => this.runs.verify(charges));
    return tally;
  }

  /**
   * Runs the schedules of two and more anomalies whose first one is that of the parts [from, to).
   * @throws ReuseMismatch
   */
  async rest(from: number, to: number, begin: Begin = nobody): Promise<Tally> {
    await this.plan();
    this.begin = begin;
    let tally = NOTHING;
    for (let part = from; part < to; part++) {
      let reached: readonly number[] | null = [];
      while (reached !== null) {
        const stretch: Stretch = await this.stretch(part, reached, begin);
        tally = add(tally, stretch.tally);
        ({ reached } = stretch);
      }
    }
    return tally;
  }

  /**
   * Goes on with a part of {@link rest}, which may be very long, from where the stretch before has ended.
   * @param after `reached` of the stretch before; empty: from the beginning
   * @param enough runs after which it may end
   * @throws ReuseMismatch
   */
  async stretch(
    part: number,
    after: readonly number[],
    begin: Begin = nobody,
    enough: number = STRETCH,
  ): Promise<Stretch> {
    await this.plan();
    this.begin = begin;
    if (this.spec.anomalies < 2) return { tally: NOTHING, reached: null };
    await this.tryAlone();
    const walk = new Walk(after, this.runs.count + enough);
    const { fault, ordinal, at } = this.parts[part]!;
    const tally = await this.extend([fault], [ordinal], at, walk);
    await this.macrotask((charges) => this.runs.verify(charges));
    return { tally, reached: walk.isOver ? walk.reached : null };
  }

  /** Which anomalies violate by themselves must not depend on who ran them. */
  private async tryAlone(): Promise<void> {
    const unknown = this.parts.filter(({ fault }) => !this.alone.has(keyOf(fault)));
    if (unknown.length > 0) await this.each([], [], unknown);
  }

  /** The schedules on the walk that begin with these anomalies and have more, none if these violate by themselves. */
  private async extend(
    faults: readonly Fault[],
    order: readonly number[],
    at: number,
    walk: Walk,
  ): Promise<Tally> {
    const { probe, run } = await this.probed(faults);
    if (run.violations.length > 0) return NOTHING;
    const isLast = faults.length + 1 === this.spec.anomalies;
    const placed = this.place(this.without(probe, run), at + 1, isLast).filter(
      ({ fault }) => this.alone.get(keyOf(fault)) !== true,
    );
    if (isLast) return this.ends(faults, order, placed, walk);
    let tally = NOTHING;
    if (walk.isNew(order)) {
      tally = await this.each(faults, order, placed);
      walk.passed(order, this.runs.count);
    }
    for (const { fault, ordinal, at: next } of placed) {
      const longer = [...order, ordinal];
      if (walk.isOver) return tally;
      if (walk.isBehind(longer)) continue;
      tally = add(tally, await this.extend([...faults, fault], longer, next, walk));
    }
    return tally;
  }

  /** Runs these anomalies with each of the placed ones that the walk comes to. */
  private async ends(
    faults: readonly Fault[],
    order: readonly number[],
    placed: readonly Placed[],
    walk: Walk,
  ): Promise<Tally> {
    const left = placed.filter(({ ordinal }) => walk.isNew([...order, ordinal]));
    let tally = NOTHING;
    for (let start = 0; start < left.length && !walk.isOver; start += BATCH) {
      const batch = left.slice(start, start + BATCH);
      tally = add(tally, await this.each(faults, order, batch));
      walk.passed([...order, batch.at(-1)!.ordinal], this.runs.count);
    }
    return tally;
  }

  /** Runs these anomalies with each of the placed ones. */
  private async each(
    faults: readonly Fault[],
    order: readonly number[],
    placed: readonly Placed[],
  ): Promise<Tally> {
    let tally = NOTHING;
    for (let start = 0; start < placed.length; start += BATCH) {
      const batch = placed.slice(start, start + BATCH);
      tally = await this.macrotask((charges) => {
        let sum = tally;
        for (const { fault, ordinal } of batch) {
          const schedule = [...faults, fault];
          const run = this.run(schedule, charges);
          if (faults.length === 0) this.alone.set(keyOf(fault), run.violations.length > 0);
          sum = add(sum, tallyOf(schedule, [...order, ordinal], run));
        }
        return sum;
      });
    }
    return tally;
  }

  private run(faults: readonly Fault[], charges: Charges, probe?: PointProbe): JudgedRun {
    this.begin(this.runs.count);
    return this.runs.run(faults, charges, probe);
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
        placed.push({ fault, at, ordinal: at * VARIANTS + variant });
      });
    }
    return placed;
  }

  private chosen(points: readonly Point[]): readonly number[] {
    return this.spec.everyPoint ? points.map((_, index) => index) : representatives(points, this.spreadUs);
  }

  private async probed(faults: readonly Fault[]): Promise<{ probe: PointProbe; run: JudgedRun }> {
    const probe = new PointProbe();
    return { probe, run: await this.macrotask((charges) => this.run(faults, charges, probe)) };
  }

  private without({ points }: PointProbe, { events }: JudgedRun): Without {
    return { points, events, hasCrashes: events.some(({ kind }) => kind === 'crash' || kind === 'promote') };
  }

  private macrotask<T>(run: (charges: Charges) => T): Promise<T> {
    return inMacrotask(() => guarded(run));
  }
}

/** The same anomaly at the same moment has the same key. */
function keyOf(fault: Fault): string {
  return JSON.stringify(fault);
}
