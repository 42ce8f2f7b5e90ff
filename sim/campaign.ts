/**
 * Many runs of one scenario with different seeds, as fast as possible: the plan is compiled once and module instances
 * are kept per process slot. One run in 64 is repeated with fresh instances and must match byte for byte; at the first
 * mismatch the campaign must start over without reuse.
 */
import type { History } from './history/events.js';
import { FreshInstances, ReusedInstances } from './instances.js';
import { canDrainSynchronously } from './kernel/drain.js';
import { inMacrotask } from './kernel/macrotask.js';
import type { LoadedLock } from './load.js';
import { compile, type Plan } from './plan.js';
import { prepareEngine } from './redis/engines.js';
import { eventsText, InlineVerifier, type Verifier } from './reuse/verifier.js';
import { guarded, runPlan, type Charges } from './run.js';
import type { Scenario } from './scenario/schema.js';

/** Share of reused runs that are repeated with fresh instances: one in so many, by run index. */
const VERIFY_EVERY = 64;

/** Runs that may wait for their repetition; more would pile up where the verifier is slower than the campaign. */
const UNVERIFIED = 256;

/**
 * Runs in one macrotask. V8 frees what some of its internals hold only when the macrotask ends: in long ones memory
 * grows and every collection with it.
 */
const BATCH = 128;

export interface CampaignOptions {
  /** False where reuse has been found to matter: every run gets fresh instances. */
  readonly reuse?: boolean;
  /** Who repeats runs; by default this process does. The campaign closes it. */
  readonly verifier?: Verifier;
}

export class Campaign {
  private readonly plan: Plan;
  private readonly reused: ReusedInstances | null;
  private readonly verifier: Verifier;
  private runs = 0;
  /** Kernel events of all runs so far. */
  eventsExecuted = 0;

  constructor(
    scenario: Scenario,
    private readonly lock: LoadedLock,
    { reuse = true, verifier }: CampaignOptions = {},
  ) {
    const { transport, clientPackage } = scenario.processes;
    if (transport === 'wire' && lock.clientPackage !== clientPackage)
      throw new Error(
        `a campaign on the wire needs ${lock.name} bundled with ${clientPackage}: see lockFor()`,
      );
    this.plan = compile(scenario);
    this.reused = reuse ? new ReusedInstances(lock.bundle) : null;
    this.verifier = verifier ?? new InlineVerifier(scenario, lock);
  }

  /**
   * Runs all seeds, each history handed to `judge` as it is finished. Needs the synchronous drain. What was seen counts
   * when {@link finish} has resolved.
   * @throws ReuseMismatch
   */
  async runAll(seeds: Iterable<number>, judge: (history: History, seed: number) => void): Promise<void> {
    if (!(await inMacrotask(canDrainSynchronously))) {
      throw new Error('a campaign needs the synchronous drain of Node');
    }
    await prepareEngine(this.plan.scenario.servers.engine);
    const iterator = seeds[Symbol.iterator]();
    while (await inMacrotask(() => this.batch(iterator, judge))) await this.verifier.settle(UNVERIFIED);
  }

  /**
   * Waits for the repeated runs and ends the campaign.
   * @throws ReuseMismatch
   */
  async finish(): Promise<void> {
    try {
      await this.verifier.settle(0);
    } finally {
      this.verifier.close();
    }
  }

  /** False when there are no seeds left. */
  private batch(seeds: Iterator<number>, judge: (history: History, seed: number) => void): boolean {
    return guarded((charges) => {
      for (let run = 0; run < BATCH; run++) {
        const next = seeds.next();
        if (next.done === true) return false;
        judge(this.run(next.value, charges), next.value);
        this.eventsExecuted += charges.executed;
        charges.executed = 0;
      }
      return true;
    });
  }

  private run(seed: number, charges: Charges): History {
    if (this.reused === null) {
      return runPlan(this.plan, seed, this.lock, new FreshInstances(this.lock.bundle), {}, charges);
    }
    this.reused.begin();
    const history = runPlan(this.plan, seed, this.lock, this.reused, {}, charges);
    if (++this.runs % VERIFY_EVERY === 0) this.verifier.expect(seed, eventsText(history));
    return history;
  }
}
