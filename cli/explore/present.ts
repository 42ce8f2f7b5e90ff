/** What an exploration leaves behind: files of the smallest schedules, the document or the report, an exit code. */
import { planAnomalies } from '../../properties/search/explore/anomalies.js';
import { ANOMALY_KINDS, type ExploreSpec } from '../../properties/search/explore/spec.js';
import { violationOf } from '../../properties/search/main-property.js';
import type { CiCase } from '../../reports/ci/model.js';
import { exploreReport, type ExploreRow } from '../../reports/terminal/explore.js';
import { CATALOGUE } from '../../sim/catalogue/index.js';
import type { LoadedLock } from '../../sim/load.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import { casesOfExplore } from '../ci/cases.js';
import { reportToCi } from '../ci/reporters.js';
import { explain } from '../counterfactuals.js';
import type { Execution } from '../execute.js';
import type { ExitCode } from '../exit.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from '../output.js';
import { present } from '../run.js';
import type { Explored } from './conduct.js';
import { exploreDocument, sortsOf, type ExploreFacts } from './document.js';
import { keepAll, type KeptSchedule } from './keep.js';
import type { ExploreOptions } from './options.js';
import { countingSorts, outcomeOf } from './outcome.js';

export interface Found {
  readonly spec: ExploreSpec;
  readonly lock: LoadedLock;
  readonly explored: Explored;
  readonly options: ExploreOptions;
  readonly interrupted: boolean;
}

interface Facts extends Found, ExploreFacts {
  readonly options: ExploreOptions;
}

/** Keeps what is small and counts, prints, and says how the command ends. */
export async function presentExploration(found: Found): Promise<ExitCode> {
  const { spec, lock, explored, options } = found;
  const { json = false, quiet = false, out, failOn } = options;
  const kept = await keepAll(explored.tally, { spec, lock, out, failOn });
  const outcome = outcomeOf({ ...found, failOn });
  const facts = { ...found, kept, outcome };
  if (json) printJson(exploreDocument(facts));
  else if (kept.main !== null && !quiet) await reportMain(kept.main, found);
  if (!json) print(report(facts));
  else if (!quiet) note(report(facts));
  reportToCi('explore', options, () => ciCases(facts));
  return outcome.exitCode;
}

async function reportMain(main: KeptSchedule, { lock, options }: Found): Promise<void> {
  const why = await explain(main.history, lock, main.verdicts, main.about);
  present(main, options, replayOf(main), { why });
  print('');
}

function replayOf({ files }: Execution): string {
  return ['npx', 'lockpick', 'replay', files.counterexample!].map(shellWord).join(' ');
}

function report(facts: Facts): string {
  const { spec, explored, options, outcome, kept } = facts;
  const { plan, tally, seconds, complete } = explored;
  const scenario = parseScenario(spec.scenario);
  const stream = options.json === true ? process.stderr : process.stdout;
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  const commands: [string, string][] = [];
  if (kept.main !== null) commands.push(['Replay', replayOf(kept.main)]);
  if (!complete && options.resume !== undefined) commands.push(['Kept in', options.resume]);
  return exploreReport(
    {
      scenario,
      ...(title === undefined ? {} : { title }),
      anomalies: spec.anomalies,
      placed: placedIn(scenario, spec),
      ...plan,
      ...tally,
      smallest: tally.smallest === null ? null : tally.smallest.faults.length,
      rows: rowsOf(facts),
      complete,
      unfinished: whyUnfinished(facts),
      seconds,
      commands,
      outcome: outcome.text,
    },
    {
      paint: painter(wantsColour(stream)),
      width: terminalWidth(stream),
      brief: options.quiet === true || options.json === true,
    },
  );
}

/** Those that count come first. */
function rowsOf({ explored, options, kept }: Facts): readonly ExploreRow[] {
  const rows = sortsOf(explored.tally).map(({ property, blame, count, first }): ExploreRow => {
    const own = kept.of(first);
    // That of the first one stands below.
    const replay = own === undefined || own === kept.main ? null : replayOf(own);
    return { property, blame, schedules: count, faults: first.faults, replay };
  });
  const counts = ({ blame }: ExploreRow): boolean => options.failOn.includes(blame);
  return [...rows.filter(counts), ...rows.filter((row) => !counts(row))];
}

function whyUnfinished({ interrupted, options, explored }: Facts): string {
  if (interrupted) return 'interrupted';
  const isEnough = options.first === true && countingSorts(explored.tally, options.failOn).length > 0;
  return isEnough ? 'at the first violation' : 'time is up';
}

function placedIn(scenario: Scenario, { kinds, property }: ExploreSpec): string {
  const { spansMs } = planAnomalies(scenario, kinds);
  const asked = property === null ? '' : `; only ${property}`;
  return `${(kinds ?? ANOMALY_KINDS).join(', ')}, of ${spansMs.join(', ')} ms${asked}`;
}

function ciCases({ spec, explored, options, kept, outcome }: Facts): readonly CiCase[] {
  const findings = countingSorts(explored.tally, options.failOn).map(({ property, blame, first }) => {
    const run = kept.of(first)!;
    const violation = violationOf(run.verdicts, { property, blame });
    const { reason } = first.violations.find((each) => each.property === property && each.blame === blame)!;
    const { faults } = first;
    return { property, blame, reason, faults, replay: replayOf(run), history: run.history, violation };
  });
  const { schedules } = explored.tally;
  return casesOfExplore({ scenario: spec.scenario.id, lock: spec.lock, schedules, findings, outcome });
}
