/** Judged runs of one scenario under changing fault schedules, as fast as may be: compiled once, instances kept. */
import type { History } from '../../../sim/history/events.js';
import { FreshInstances, ReusedInstances } from '../../../sim/instances.js';
import type { LoadedLock } from '../../../sim/load.js';
import { compile, type Plan } from '../../../sim/plan.js';
import { prepareEngine } from '../../../sim/redis/engines.js';
import { eventsText, ReuseMismatch } from '../../../sim/reuse/verifier.js';
import { runPlan, type Charges } from '../../../sim/run.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { Fault, PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import { judge } from '../../judge.js';
import { everyViolation, type Blame, type Verdict, type Verdicts } from '../../verdict.js';
import type { PointProbe } from './points.js';
import type { ExploreSpec } from './spec.js';

/** Share of runs with kept instances that are repeated with fresh ones: one in so many. */
const VERIFY_EVERY = 64;

/** Runs that may wait for their repetition. */
const UNVERIFIED = 128;

export interface Violated {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
}

export interface JudgedRun {
  readonly violations: readonly Violated[];
  /** Somebody got the lock. */
  readonly granted: boolean;
  /** What is looked for could be judged; of all properties one. */
  readonly judged: boolean;
  /** Why no run of this lock could show what is looked for; null: one may. */
  readonly cannotShow: string | null;
  readonly events: History['events'];
}

export class Runs {
  readonly scenario: Scenario;
  private readonly plan: Plan;
  private readonly reused: ReusedInstances | null;
  /** Runs that are to be repeated: fresh instances in between would undo much of what V8 has optimised for the kept ones. */
  private unverified: { readonly plan: Plan; readonly events: string }[] = [];
  /** Runs so far. */
  count = 0;

  /** @param lock on the wire: bundled with its client package, see `lockFor` */
  constructor(
    private readonly spec: ExploreSpec,
    private readonly lock: LoadedLock,
  ) {
    this.scenario = parseScenario(spec.scenario);
    this.plan = compile(this.scenario);
    this.reused = spec.reuse ? new ReusedInstances(lock.bundle) : null;
  }

  /** Before the first run. */
  prepare(): Promise<void> {
    return prepareEngine(this.scenario.servers.engine);
  }

  /**
   * One run with the scenario's own faults and these, judged. Inside `guarded` only.
   * @throws ReuseMismatch where repeated runs are due
   */
  run(anomalies: readonly Fault[], charges: Charges, probe?: PointProbe): JudgedRun {
    const { seed } = this.scenario;
    const plan = this.under(anomalies);
    const onlook = probe === undefined ? {} : { probe };
    this.count++;
    this.reused?.begin();
    const instances = this.reused ?? new FreshInstances(this.lock.bundle);
    const history = runPlan(plan, seed, this.lock, instances, onlook, charges);
    if (this.reused !== null && this.count % VERIFY_EVERY === 0) {
      this.unverified.push({ plan, events: eventsText(history) });
      if (this.unverified.length === UNVERIFIED) this.verify(charges);
    }
    return { ...this.judged(history), events: history.events };
  }

  scenarioUnder(anomalies: readonly Fault[]): Scenario {
    return { ...this.scenario, faults: [...this.scenario.faults, ...anomalies] };
  }

  private under(anomalies: readonly Fault[]): Plan {
    return { ...this.plan, scenario: this.scenarioUnder(anomalies) };
  }

  /**
   * Repeats some of the runs with fresh instances: they must come out the same, byte for byte. Inside `guarded` only.
   * @throws ReuseMismatch
   */
  verify(charges: Charges): void {
    const { seed } = this.scenario;
    const due = this.unverified;
    this.unverified = [];
    for (const { plan, events } of due) {
      const fresh = runPlan(plan, seed, this.lock, new FreshInstances(this.lock.bundle), {}, charges);
      if (eventsText(fresh) !== events) throw new ReuseMismatch(seed);
    }
  }

  private judged(history: History): Omit<JudgedRun, 'events'> {
    const { property } = this.spec;
    const { verdicts, coverage } = judge(history);
    const evaluated = property === null ? Object.values(coverage.evaluated) : [coverage.evaluated[property]];
    return {
      violations: this.violations(verdicts),
      granted: coverage.acquisitions > 0,
      judged: evaluated.some((times) => times > 0),
      cannotShow: property === null ? null : cannotShow(property, verdicts[property], history),
    };
  }

  private violations(verdicts: Verdicts): readonly Violated[] {
    const { property } = this.spec;
    const found: Violated[] = [];
    for (const [id, verdict] of Object.entries(verdicts) as [PropertyId, Verdict][]) {
      if (verdict.verdict !== 'violated' || (property !== null && id !== property)) continue;
      for (const { blame, reason } of everyViolation(verdict)) found.push({ property: id, blame, reason });
    }
    return found;
  }
}

function cannotShow(property: PropertyId, verdict: Verdict, { header }: History): string | null {
  if (verdict.verdict !== 'unknown') return null;
  if (verdict.inapplicable === true) return verdict.reason;
  const { claims } = header.lock;
  // Nobody knows what it claims before it was granted.
  return property === 'fencing-order' && claims?.fence === false ? 'its grants carry no fencing token' : null;
}
