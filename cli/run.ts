import type { Command } from 'commander';
import { terminalReport } from '../reports/terminal/report.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { showSetting, type Setting } from '../sim/scenario/set-path.js';
import { runDocument } from './documents.js';
import { execute, load, type Execution } from './execute.js';
import { addRunOptions, type RunOptions } from './options.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from './output.js';
import { changeScenario, checkLockName, resolveScenario } from './resolve.js';

interface Options extends RunOptions {
  readonly lock?: string;
}

export function addRunVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('run')
    .description('run one scenario and report in full')
    .argument('<scenario>', 'an id of the catalogue, or a JSON file')
    .option('--lock <name>', "the lock: a name, or a module's path (default: the scenario's own)");
  addRunOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  lockpick run S1 --lock single
  lockpick run S1 --lock single-fenced --set resource.fenced=true
  lockpick run R1 --lock redlock@4.2.0 --seed 7 --json
  lockpick run ./my-scenario.json --lock ./src/my-lock.ts --fail-on library,usage

Exit codes: 0 as expected, 1 a violation (or an expected one is missing), 2 bad usage or input,
3 unknown, 4 not deterministic.`,
    )
    .action(async (word: string, options: Options) => {
      const scenario = changeScenario(resolveScenario(word), options);
      checkLockName(scenario.lock.name);
      const execution = await execute(scenario, await load(scenario.lock.name), options);
      present(execution, options, replayCommand(word, options, execution));
      exit(execution.outcome.exitCode);
    });
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
export function present(execution: Execution, options: RunOptions, replay: string, extra: object = {}): void {
  if (options.json === true) printJson({ ...runDocument(execution, options.set), ...extra });
  const colour = wantsColour(options.json === true ? process.stderr : process.stdout);
  const width = terminalWidth(options.json === true ? process.stderr : process.stdout);
  const report = terminalReport(execution.history, execution.verdicts, {
    width,
    paint: painter(colour),
    replay,
    outcome: execution.outcome,
    files: execution.files,
    brief: options.quiet === true,
  });
  if (options.json !== true) print(report);
  else if (options.quiet !== true) note(report);
}
