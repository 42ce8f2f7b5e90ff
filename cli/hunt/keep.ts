/** Findings as files: each a counterexample that `lockpick replay` runs; of one the whole history as well. */
import path from 'node:path';
import type { Finding } from '../../properties/search/hunt/findings.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { judge } from '../../properties/judge.js';
import { everyViolation, type Violation } from '../../properties/verdict.js';
import { digest } from '../../sim/history/digest.js';
import type { History } from '../../sim/history/events.js';
import { writeCounterexample, writeHistory } from '../../sim/history/file.js';
import { simulate } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { PropertyId, Scenario } from '../../sim/scenario/schema.js';
import { lockFor } from '../../sim/transport/wire/program.js';
import { counterexampleOf, violationsOf, type Execution } from '../execute.js';
import { CommandError, EXIT } from '../exit.js';
import { compareWithExpectation } from '../expectation.js';
import { lockStem } from '../resolve.js';
import type { HuntPlan } from './plan.js';

/** A finding whose counterexample is on disk. */
export interface Kept {
  readonly finding: Finding;
  /** The counterexample's path. */
  readonly file: string;
}

export type Keeping = Pick<HuntPlan, 'lock' | 'out' | 'corpus' | 'failOn'> & { readonly spec: HuntSpec };

/** Runs a finding once more and writes its counterexample to the corpus. */
export async function keep(finding: Finding, plan: Keeping): Promise<Kept> {
  const { history, digestHex, about } = await rerun(finding, plan);
  const file = path.join(plan.corpus, `${stemOf(finding, plan)}.counterexample.json`);
  const { run } = finding;
  const { assume, seed } = plan.spec;
  writeCounterexample(file, {
    ...counterexampleOf(history, digestHex, about.all, plan.corpus, about.this),
    hunt: { assume, seed, run },
  });
  return { finding, file };
}

/** The run of a finding in full, for a report: its history and its trace are written. */
export async function execution({ finding, file }: Kept, plan: Keeping): Promise<Execution> {
  const { history, digestHex, scenario, lock } = await rerun(finding, plan);
  const stem = path.join(plan.out, stemOf(finding, plan));
  const files = { history: `${stem}.history.jsonl`, trace: `${stem}.trace.jsonl`, counterexample: file };
  writeHistory(files.history, history);
  writeHistory(files.trace, await simulate(scenario, lock, { trace: true }));
  const { verdicts, coverage } = judge(history);
  const outcome = compareWithExpectation(history, verdicts, plan.failOn);
  return { history, digest: digestHex, verdicts, coverage, outcome, files };
}

interface Rerun {
  readonly scenario: Scenario;
  readonly lock: HuntPlan['lock'];
  readonly history: History;
  readonly digestHex: string;
  readonly about: {
    readonly all: ReturnType<typeof violationsOf>;
    readonly this: readonly [PropertyId, Violation];
  };
}

async function rerun(
  { scenario: input, property, blame, run, ...finding }: Finding,
  plan: Keeping,
): Promise<Rerun> {
  const scenario = parseScenario(input);
  const lock = await lockFor(scenario, plan.lock);
  const history = await simulate(scenario, lock);
  const digestHex = digest(history);
  const all = violationsOf(judge(history).verdicts);
  const verdict = all.find(([id]) => id === property)?.[1];
  const violation = verdict && everyViolation(verdict).find((each) => each.blame === blame);
  if (digestHex !== finding.digest || violation === undefined)
    throw new CommandError(
      `run ${run} of the hunt: its smallest scenario has the digest ${digestHex.slice(0, 12)} here and had ${finding.digest.slice(0, 12)}: the lock is not deterministic, nothing it shows can be trusted`,
      EXIT.diverged,
    );
  return { scenario, lock, history, digestHex, about: { all, this: [property, violation] } };
}

/** `<lock>-<property>-<blame>-<digest>`: the same finding has the same file, whoever finds it. */
function stemOf({ property, blame, digest: digestHex }: Finding, { spec }: Keeping): string {
  return [lockStem(spec.lock), property, blame, digestHex.slice(0, 8)].join('-');
}
