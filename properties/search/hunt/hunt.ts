/** The search for violations: scenarios that nobody wrote, judged, and what they show made small. */
import type * as fc from 'fast-check';
import type { LoadedLock } from '../../../sim/load.js';
import { compile, type Plan } from '../../../sim/plan.js';
import { fillScenario } from '../../../sim/scenario/fill.js';
import { parseScenario, ScenarioError } from '../../../sim/scenario/parse.js';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import { applySets } from '../../../sim/scenario/set-path.js';
import { lockFor } from '../../../sim/transport/wire/program.js';
import { CoverageSum } from './coverage.js';
import { findingsOf, type Finding, type RawFinding } from './findings.js';
import { confirm } from './confirm.js';
import { minimising } from './minimise.js';
import { RunRandom } from './random.js';
import { lowestOfEach, type HuntRange } from './range.js';
import { Runner } from './runner.js';
import { scenariosOf } from './scenarios.js';
import { HuntRefused, type HuntSpec } from './spec.js';
import { traitsOf } from './traits.js';
import { checkSpec } from './check-spec.js';

export type { Finding, RawFinding } from './findings.js';
export { mergeRanges, type HuntRange } from './range.js';

/** One reused run in so many, by run index, is repeated with fresh instances and must match byte for byte. */
const VERIFY_EVERY = 64;

/** Called as a run begins: whoever watches from outside knows where it is. */
export type Begin = (run: number) => void;

const unwatched: Begin = () => undefined;

/** A hunt that is ready: what its lock is has been found out. */
interface Ready {
  readonly scenarios: fc.Arbitrary<ScenarioInput>;
  readonly lock: LoadedLock;
  readonly runner: Runner;
}

/**
 * Every run is decided by the spec and its index alone: ranges can be run in any order, on any thread or machine, and merged
 * ({@link mergeRanges}).
 */
export class Hunt {
  private readonly random: RunRandom;
  private readying: Promise<Ready> | null = null;

  /** @param lock what `spec.lock` names */
  constructor(
    readonly spec: HuntSpec,
    private readonly given: LoadedLock,
  ) {
    this.random = new RunRandom(spec.seed);
  }

  /**
   * Finds out what the lock is; the other methods do so by themselves. Rejects with HuntRefused for a spec that could find
   * nothing, with ScenarioError for a setting that the first scenario does not take.
   */
  async ready(): Promise<void> {
    await this.open();
  }

  /**
   * Runs [from, to). Rejects with ReuseMismatch: whoever asked starts over with `reuse: false`; with HuntRefused for settings that one
   * of the scenarios does not take.
   */
  async range(from: number, to: number, begin: Begin = unwatched): Promise<HuntRange> {
    const ready = await this.open();
    return ready.runner.drive(this.hunting(ready, from, to, begin));
  }

  /** The scenario of a run, as it is drawn. */
  async scenarioOf(run: number): Promise<ScenarioInput> {
    return this.drawn(await this.open(), run).value;
  }

  /** The finding made small, with a 1-minimal set of faults, from fresh instances; null if it did not reproduce. */
  async minimise(raw: RawFinding, begin: Begin = unwatched): Promise<Finding | null> {
    const ready = await this.open();
    const { runner, scenarios, lock } = ready;
    const test = (input: ScenarioInput): boolean => {
      begin(raw.run);
      const { history, verdicts } = runner.run(this.plan(input));
      return findingsOf(history, verdicts, raw.run, this.spec.properties).some(({ key }) => key === raw.key);
    };
    const scenario = await runner.drive(minimising(scenarios, this.drawn(ready, raw.run), test));
    return scenario === null ? null : confirm(raw, this.changed(scenario), lock);
  }

  private drawn({ scenarios }: Ready, run: number): fc.Value<ScenarioInput> {
    return scenarios.generate(this.random.of(run), undefined);
  }

  private *hunting(ready: Ready, from: number, to: number, begin: Begin): Generator<void, HuntRange> {
    const { runner } = ready;
    const coverage = new CoverageSum();
    const findings: RawFinding[] = [];
    const before = runner.events;
    for (let run = from; run < to; run++) {
      begin(run);
      const plan = this.planOf(ready, run);
      const judged = runner.run(plan);
      coverage.add(judged.history, judged.coverage);
      findings.push(...findingsOf(judged.history, judged.verdicts, run, this.spec.properties));
      if (run % VERIFY_EVERY === VERIFY_EVERY - 1) runner.verify(plan, judged.history, run);
      yield;
    }
    const events = runner.events - before;
    return { from, to, runs: to - from, events, coverage: coverage.sum(), findings: lowestOfEach(findings) };
  }

  /** @throws HuntRefused where the settings make no scenario of what was drawn */
  private planOf(ready: Ready, run: number): Plan {
    try {
      return this.plan(this.drawn(ready, run).value);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      throw new HuntRefused(
        `${error.message}\n--set: so it is in run ${run}, and not every scenario that is drawn takes it; --assume and --faults say what is drawn`,
      );
    }
  }

  private plan(input: ScenarioInput): Plan {
    const { sets } = this.spec;
    // What was drawn is valid; what somebody else has changed need not be.
    return compile(sets.length === 0 ? fillScenario(input) : applySets(parseScenario(input), sets));
  }

  /** The scenario with the spec's settings made. */
  private changed(input: ScenarioInput): ScenarioInput {
    const { sets } = this.spec;
    return sets.length === 0 ? input : (applySets(parseScenario(input), sets) as ScenarioInput);
  }

  private open(): Promise<Ready> {
    return (this.readying ??= this.openOnce());
  }

  private async openOnce(): Promise<Ready> {
    const { spec, given } = this;
    const traits = await traitsOf(given, spec);
    checkSpec(spec, traits);
    const scenarios = scenariosOf(spec, traits);
    const first = applySets(parseScenario(scenarios.generate(this.random.of(0), undefined).value), spec.sets);
    const lock = await lockFor(first, given);
    const runner = await Runner.open(lock, first.servers.engine, spec.reuse);
    return { scenarios, lock, runner };
  }
}
