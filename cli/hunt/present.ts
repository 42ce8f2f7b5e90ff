/** What a hunt leaves behind: files of the findings, the document or the report, an exit code. */
import type { CiCase } from '../../reports/ci/model.js';
import { huntReport, type HuntFinding } from '../../reports/terminal/hunt.js';
import type { Blame } from '../../properties/verdict.js';
import { explain } from '../counterfactuals.js';
import { casesOfHunt } from '../ci/cases.js';
import { reportToCi, type ReporterOptions } from '../ci/reporters.js';
import type { ExitCode } from '../exit.js';
import type { Shard } from '../flags.js';
import type { CommonOptions } from '../options.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from '../output.js';
import { present } from '../run.js';
import type { Hunted } from './conduct.js';
import { groupFindings, huntDocument } from './document.js';
import { execution, keep, type Keeping, type Kept } from './keep.js';
import { keepLost } from './lost.js';
import { outcomeOf, type HuntOutcome } from './outcome.js';

export interface Presented {
  readonly hunted: Hunted;
  readonly keeping: Keeping;
  readonly jobs: number;
  readonly options: Pick<CommonOptions, 'json' | 'quiet' | 'out' | 'failOn'> & ReporterOptions;
  readonly shard: { readonly file: string; readonly shard: Shard } | null;
}

/** Keeps the findings, prints, and says how the command ends. */
export async function presentHunt(presented: Presented): Promise<ExitCode> {
  const { hunted, keeping, options } = presented;
  const kept: Kept[] = [];
  for (const finding of hunted.findings) kept.push(await keep(finding, keeping));
  await keepLost(hunted.lostRuns, hunted.spec, keeping);
  const outcome = outcomeOf(hunted, keeping.failOn, presented.shard !== null);
  if (options.json === true) {
    const { jobs, shard } = presented;
    printJson(huntDocument({ hunted, kept, outcome, failOn: keeping.failOn, jobs, shard }));
  } else if (options.quiet !== true && kept.length > 0) await reportSmallest(kept, keeping, presented);
  if (options.json !== true || options.quiet !== true) report(presented, kept, outcome);
  reportToCi('hunt', options, () => ciCases(presented, kept, outcome));
  return outcome.exitCode;
}

function ciCases(
  { hunted, keeping }: Presented,
  kept: readonly Kept[],
  outcome: HuntOutcome,
): readonly CiCase[] {
  const findings = kept.map((one) => ({ ...one.finding, replay: replayOf(one) }));
  const { lock } = hunted.spec;
  return casesOfHunt({ lock, runs: hunted.range?.runs ?? 0, findings, failOn: keeping.failOn, outcome });
}

/** In full: the smallest finding that counts, else the smallest of all. */
async function reportSmallest(
  kept: readonly Kept[],
  keeping: Keeping,
  { options, hunted }: Presented,
): Promise<void> {
  const counting = kept.find(({ finding }) => keeping.failOn.includes(finding.blame));
  const one = counting ?? kept[0]!;
  const executed = await execution(one, keeping);
  const why = await explain(executed.history, keeping.lock, executed.verdicts, one.finding);
  const { failOn } = keeping;
  present(executed, { ...options, failOn, set: hunted.spec.sets }, replayOf(one), { why });
  print('');
}

/** One of each property and blame; those that count first, the smallest first among them. */
function told(kept: readonly Kept[], failOn: readonly Blame[]): readonly HuntFinding[] {
  const all = groupFindings(kept).map(({ first, also }): HuntFinding => {
    const { property, blame, cause, run, faults } = first.finding;
    return { property, blame, cause, run, faults, replay: replayOf(first), others: also.length };
  });
  const counts = ({ blame }: HuntFinding): boolean => failOn.includes(blame);
  return [...all.filter(counts), ...all.filter((one) => !counts(one))];
}

function replayOf({ file }: Kept): string {
  return ['npx', 'lockpick', 'replay', file].map(shellWord).join(' ');
}

function report(
  { hunted, keeping, jobs, options, shard }: Presented,
  kept: readonly Kept[],
  outcome: HuntOutcome,
): void {
  const { spec, range, seconds, corpus, interrupted } = hunted;
  const stream = options.json === true ? process.stderr : process.stdout;
  const text = huntReport(
    {
      lock: spec.lock,
      seed: spec.seed,
      assume: spec.assume,
      runs: range?.runs ?? 0,
      seconds,
      jobs,
      findings: told(kept, keeping.failOn),
      corpus,
      coverage: range?.coverage ?? null,
      failOn: keeping.failOn,
      outcome,
      interrupted,
      shard: shard?.file ?? null,
    },
    {
      paint: painter(wantsColour(stream)),
      width: terminalWidth(stream),
      brief: options.quiet === true || options.json === true,
    },
  );
  if (options.json === true) note(text);
  else print(text);
}
