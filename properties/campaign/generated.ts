/** Runs generated scenarios and says what was violated: the common part of the property tests. */
import type { History } from '../../sim/history/events.js';
import { ReusedInstances } from '../../sim/instances.js';
import { loadLock, type LoadedLock } from '../../sim/load.js';
import { compile } from '../../sim/plan.js';
import { guarded, runPlan } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { PropertyId, ScenarioInput } from '../../sim/scenario/schema.js';
import { resolveLock } from '../../src/resolve.js';
import { judge } from '../judge.js';
import { everyViolation, type Blame, type Verdict } from '../verdict.js';

export interface Violation {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
}

export interface Judged {
  readonly violations: readonly Violation[];
  /** Properties that were evaluated at least once. */
  readonly evaluated: ReadonlySet<PropertyId>;
}

/** A lock that generated scenarios can be run on. */
export class Subject {
  private readonly instances: ReusedInstances;

  private constructor(private readonly lock: LoadedLock) {
    this.instances = new ReusedInstances(lock.bundle);
  }

  /** @param name as `--lock` takes it */
  static async load(name: string): Promise<Subject> {
    return new Subject(await loadLock(resolveLock(name)));
  }

  async run(input: ScenarioInput): Promise<Judged> {
    const history = await this.simulate(input);
    const violations: Violation[] = [];
    const evaluated = new Set<PropertyId>();
    for (const [id, verdict] of Object.entries(judge(history).verdicts) as [PropertyId, Verdict][]) {
      if (verdict.verdict !== 'unknown') evaluated.add(id);
      if (verdict.verdict !== 'violated') continue;
      for (const { blame, reason } of everyViolation(verdict))
        violations.push({ property: id, blame, reason });
    }
    return { violations, evaluated };
  }

  /** Like `simulate`, with instances kept from run to run: a fresh one costs more than most runs. */
  simulate(input: ScenarioInput): Promise<History> {
    const plan = compile(parseScenario(input));
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          this.instances.begin();
          const { seed } = plan.scenario;
          resolve(guarded((charges) => runPlan(plan, seed, this.lock, this.instances, {}, charges)));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }
}
