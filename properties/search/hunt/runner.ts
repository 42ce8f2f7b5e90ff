/** Runs scenarios one after the other with instances that are kept, and judges them. */
import type { History } from '../../../sim/history/events.js';
import { FreshInstances, ReusedInstances, type Instances } from '../../../sim/instances.js';
import { canDrainSynchronously } from '../../../sim/kernel/drain.js';
import { inMacrotask } from '../../../sim/kernel/macrotask.js';
import type { LoadedLock } from '../../../sim/load.js';
import type { Plan } from '../../../sim/plan.js';
import { prepareEngine, type EngineName } from '../../../sim/redis/engines.js';
import { eventsText, ReuseMismatch } from '../../../sim/reuse/verifier.js';
import { Charges, guarded, runPlan } from '../../../sim/run.js';
import { judge, type Judgement } from '../../judge.js';

export interface Judged extends Judgement {
  readonly history: History;
}

export class Runner {
  private readonly reused: ReusedInstances | null;
  /** Kernel events of all runs, without repetitions. */
  events = 0;

  private constructor(
    private readonly lock: LoadedLock,
    reuse: boolean,
  ) {
    this.reused = reuse ? new ReusedInstances(lock.bundle) : null;
  }

  static async open(lock: LoadedLock, engine: EngineName, reuse: boolean): Promise<Runner> {
    if (!(await inMacrotask(canDrainSynchronously))) {
      throw new Error('a hunt needs the synchronous drain of Node');
    }
    await prepareEngine(engine);
    return new Runner(lock, reuse);
  }

  /** Runs `steps` to its end; many runs share a macrotask, and in between the event loop turns. */
  async drive<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const done = await inMacrotask(() => guarded((charges) => this.batch(steps, charges)));
      if (done !== null) return done.value;
    }
  }

  /** Inside {@link drive}: one run. */
  run(plan: Plan): Judged {
    const { lock, reused } = this;
    reused?.begin();
    const history = this.simulate(plan, reused ?? new FreshInstances(lock.bundle));
    return { history, ...judge(history) };
  }

  /**
   * Inside {@link drive}: the run once more with fresh instances. It does not count.
   * @throws ReuseMismatch when anything of it came out otherwise
   */
  verify(plan: Plan, expected: History, run: number): void {
    if (this.reused === null) return;
    const { events } = this;
    const fresh = this.simulate(plan, new FreshInstances(this.lock.bundle));
    this.events = events;
    if (eventsText(fresh) !== eventsText(expected)) throw new ReuseMismatch(run);
  }

  private charges = new Charges();

  private simulate(plan: Plan, instances: Instances): History {
    const { charges } = this;
    charges.executed = 0;
    const history = runPlan(plan, plan.scenario.seed, this.lock, instances, {}, charges);
    this.events += charges.executed;
    return history;
  }

  private batch<T>(steps: Generator<void, T>, charges: Charges): { readonly value: T } | null {
    this.charges = charges;
    for (let step = 0; step < BATCH; step++) {
      const next = steps.next();
      if (next.done === true) return { value: next.value };
    }
    return null;
  }
}

/** Runs in one macrotask: V8 frees what some of its internals hold only when the macrotask ends. */
const BATCH = 64;
