/** The smallest schedules that violate, from a fresh start: counterexample, history and trace of each as files. */
import path from 'node:path';
import { judge } from '../../properties/judge.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import { smaller, type Breach, type Tally } from '../../properties/search/explore/tally.js';
import { violationOf, type Named, type Sort } from '../../properties/search/main-property.js';
import type { Blame, Verdicts } from '../../properties/verdict.js';
import { digest } from '../../sim/history/digest.js';
import { writeCounterexample, writeHistory } from '../../sim/history/file.js';
import type { LoadedLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import { lockFor } from '../../sim/transport/wire/program.js';
import { confirm, counterexampleOf, fileStem, violationsOf, type Execution } from '../execute.js';
import { CommandError, EXIT } from '../exit.js';
import { compareWithExpectation } from '../expectation.js';
import { countingSorts } from './outcome.js';

export interface Keeping {
  readonly spec: ExploreSpec;
  readonly lock: LoadedLock;
  readonly out: string;
  readonly failOn: readonly Blame[];
}

/** The run of a schedule, and the violation that its file stands for. */
export interface KeptSchedule extends Execution {
  readonly about: Sort;
}

/** What is on disk afterwards. */
export interface KeptSchedules {
  /** The smallest that counts, else the smallest of all; null: none violates. */
  readonly main: KeptSchedule | null;
  /** The run of a schedule that was kept. */
  readonly of: (breach: Breach) => KeptSchedule | undefined;
}

/** Keeps the smallest schedule of each property and blame that counts; where none does, the smallest of all. */
export async function keepAll(tally: Tally, keeping: Keeping): Promise<KeptSchedules> {
  const counting = countingSorts(tally, keeping.failOn).map(({ first }) => first);
  const main = counting.reduce(smaller, null) ?? tally.smallest;
  const kept = new Map<string, KeptSchedule>();
  for (const breach of main === null ? [] : [main, ...counting])
    if (!kept.has(keyOf(breach))) kept.set(keyOf(breach), await keep(breach, keeping));
  const of = (breach: Breach): KeptSchedule | undefined => kept.get(keyOf(breach));
  return { main: main === null ? null : of(main)!, of };
}

function keyOf({ order }: Breach): string {
  return order.join(' ');
}

/** The scenario with the anomalies among its faults, as a file holds it. */
function scenarioUnder({ scenario }: ExploreSpec, { faults }: Breach): Scenario {
  const parsed = parseScenario(scenario);
  return parseScenario({ ...parsed, faults: [...parsed.faults, ...faults] });
}

/** Rejects where the violation does not show again. */
async function keep(breach: Breach, { spec, lock: given, out, failOn }: Keeping): Promise<KeptSchedule> {
  const scenario = scenarioUnder(spec, breach);
  const lock = await lockFor(scenario, given);
  const history = await simulate(scenario, lock);
  const digestHex = digest(history);
  await confirm(scenario, lock, digestHex);
  const { verdicts, coverage } = judge(history);
  const all = violationsOf(verdicts);
  const about = weightiest(verdicts, breach, failOn);
  const stem = path.join(out, `explore-${fileStem(scenario, digestHex)}`);
  const files = {
    history: `${stem}.history.jsonl`,
    trace: `${stem}.trace.jsonl`,
    counterexample: `${stem}.counterexample.json`,
  };
  writeHistory(files.history, history);
  writeHistory(files.trace, await simulate(scenario, lock, { trace: true }));
  writeCounterexample(files.counterexample, counterexampleOf(history, digestHex, all, out, about));
  const outcome = compareWithExpectation(history, verdicts, failOn);
  const [property, { blame }] = about;
  return { history, digest: digestHex, verdicts, coverage, outcome, files, about: { property, blame } };
}

/** The violation that was looked for; of several one that counts. */
function weightiest(verdicts: Verdicts, { violations }: Breach, failOn: readonly Blame[]): Named {
  const found = violations.flatMap((sort): Named[] => {
    const violation = violationOf(verdicts, sort);
    return violation === undefined ? [] : [[sort.property, violation]];
  });
  const about = found.find(([, { blame }]) => failOn.includes(blame)) ?? found[0];
  if (about !== undefined) return about;
  const words = violations.map(({ property, blame }) => `${property}/${blame}`).join(', ');
  throw new CommandError(
    `${words} did not show again with fresh instances of the lock: --no-reuse explores with fresh ones`,
    EXIT.diverged,
  );
}
