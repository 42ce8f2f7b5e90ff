import type { Command } from 'commander';
import { terminalReport } from '../reports/terminal/report.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { showSetting, type Setting } from '../sim/scenario/set-path.js';
import { whyReport } from '../reports/terminal/explanation.js';
import { buildView } from '../reports/view/model.js';
import type { Change } from '../reports/view/remedy.js';
import type { LoadedLock } from '../sim/load.js';
import { mainViolation, violationOf, type Named, type Sort } from '../properties/search/main-property.js';
import type { Why } from '../properties/search/why/why.js';
import type { Verdicts } from '../properties/verdict.js';
import { CommandError } from './exit.js';
import { whyDocument } from './why-document.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { LOCKS } from '../src/registry.js';
import { changesOf, explain } from './counterfactuals.js';
import { runDocument } from './documents.js';
import { casesOfRun } from './ci/cases.js';
import { addReporterOption, reportToCi, type ReporterOptions } from './ci/reporters.js';
import { execute, load, type Execution } from './execute.js';
import { addRunOptions, type RunOptions } from './options.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from './output.js';
import { changeScenario, checkLockName, resolveScenario } from './resolve.js';

interface Options extends RunOptions, WhyOptions, ReporterOptions {
  readonly lock?: string;
}

/** What asks for the explanation in full. */
export interface WhyOptions {
  readonly why?: boolean;
}

export function addWhyOption(command: Command): Command {
  return command.option('--why', 'also the whole chain, and every change that was tried or cannot be made');
}

export function addRunVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('run')
    .description('run one scenario and report in full')
    .argument('<scenario>', 'an id of the catalogue, or a JSON file')
    .option('--lock <name>', "the lock: a name, or a module's path (default: the scenario's own)");
  addReporterOption(addRunOptions(addWhyOption(command)))
    .addHelpText(
      'after',
      `
Examples:
  lockpick run S1 --lock single
  lockpick run S1 --lock single-fenced --set resource.fenced=true
  lockpick run R4 --why
  lockpick run R1 --lock redlock@4.2.0 --seed 7 --json
  lockpick run ./my-scenario.json --lock ./src/my-lock.ts --fail-on library,usage

Exit codes: 0 as expected, 1 a violation (or an expected one is missing), 2 bad usage or input,
3 unknown, 4 not deterministic.`,
    )
    .action(async (word: string, options: Options) => {
      const scenario = changeScenario(resolveScenario(word), options);
      checkLockName(scenario.lock.name);
      const lock = await load(scenario.lock.name);
      const execution = await execute(scenario, lock, options);
      const why = await whyOf(execution, lock, options);
      const replay = replayCommand(word, options, execution);
      present(execution, options, replay, { why });
      reportToCi('run', options, () => casesOfRun(execution, replay));
      exit(execution.outcome.exitCode);
    });
}

/** The explanation of a violated run, where somebody will read it: a person, or a program that asked for the document. */
export async function whyOf(
  { history, verdicts }: Execution,
  lock: LoadedLock,
  { json, quiet, why }: Pick<RunOptions, 'json' | 'quiet'> & WhyOptions,
  about?: Sort,
): Promise<Why | null> {
  if (quiet === true && why === true)
    throw new CommandError('--quiet prints no more than the outcome, and --why everything: one of them');
  return quiet === true && json !== true ? null : explain(history, lock, verdicts, about);
}

/** The command that shows this run again: the counterexample where there is one, else the same words. */
export function replayCommand(
  word: string,
  options: { readonly lock?: string; readonly seed?: number; readonly set: readonly Setting[] },
  { history, files }: Execution,
): string {
  const words = ['npx', 'lockpick'];
  if (files.counterexample !== undefined) words.push('replay', files.counterexample);
  else words.push('run', word, ...runFlags(history.header.scenario, options.set));
  return words.map(shellWord).join(' ');
}

function runFlags(scenario: Scenario, set: readonly Setting[]): string[] {
  const flags = ['--lock', scenario.lock.name, '--seed', String(scenario.seed)];
  for (const setting of set) flags.push('--set', showSetting(setting));
  return flags;
}

/** Prints a run as the options want it; `extra` joins the JSON document. */
export function present(
  execution: Execution,
  options: RunOptions & WhyOptions,
  replay: string,
  {
    why = null,
    changes = why === null ? [] : changesOf(why.counterfactuals),
    extra = {},
  }: { why?: Why | null; changes?: readonly Change[]; extra?: object } = {},
): void {
  const { history, verdicts, outcome, files } = execution;
  const stream = options.json === true ? process.stderr : process.stdout;
  if (options.json === true)
    printJson({
      ...runDocument(execution, options.set),
      changes,
      why: whyDocument(history, verdicts, why),
      command: replay,
      ...extra,
    });
  const title = CATALOGUE.find(({ scenario }) => scenario.id === history.header.scenario.id)?.title;
  const mistake = LOCKS.find(({ name }) => name === history.header.lock.name)?.mistake;
  const report = terminalReport(history, verdicts, {
    width: terminalWidth(stream),
    paint: painter(wantsColour(stream)),
    replay,
    outcome,
    files,
    about: aboutOf(verdicts, why),
    changes,
    // Beside the document nobody needs the whole report as well.
    brief: options.quiet === true || options.json === true,
    ...(title === undefined ? {} : { title }),
    ...(mistake === undefined ? {} : { mistake }),
    ...(why === null ? {} : { why }),
  });
  if (options.json !== true) print(options.why === true ? `${report}\n\n${inFull(execution, why)}` : report);
  else if (options.quiet !== true) note(report);
}

/** The violation that the report is about: the one that was explained, if any was. */
function aboutOf(verdicts: Verdicts, why: Why | null): Named | null {
  const explained = why === null ? undefined : violationOf(verdicts, why);
  return why === null || explained === undefined
    ? (mainViolation(verdicts) ?? null)
    : [why.property, explained];
}

/** What `--why` adds. */
function inFull({ history, verdicts }: Execution, why: Why | null): string {
  const violation = why === null ? undefined : violationOf(verdicts, why);
  if (why === null || violation === undefined) return 'Nothing is violated: there is nothing to explain.';
  const width = Math.min(terminalWidth(process.stdout), 100);
  return whyReport(buildView(history), violation, why, painter(wantsColour(process.stdout)), width);
}
