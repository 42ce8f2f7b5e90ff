import path from 'node:path';
import type { Command } from 'commander';
import { matrixReport } from '../reports/terminal/matrix.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { digest } from '../sim/history/digest.js';
import { writeHistory } from '../sim/history/file.js';
import type { LoadedLock } from '../sim/load.js';
import { isEngineRefusal } from '../sim/scenario/engine.js';
import { parseScenario, ScenarioError } from '../sim/scenario/parse.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { showSetting } from '../sim/scenario/set-path.js';
import { LOCKS } from '../src/registry.js';
import { LockShelf, runCell, type LockAtHand } from './cells.js';
import { casesOfCells } from './ci/cases.js';
import { addReporterOption, reportToCi, type ReporterOptions } from './ci/reporters.js';
import { verdictsDocument } from './documents.js';
import { fileStem, load, misfit, violationsOf } from './execute.js';
import { EXIT, type ExitCode } from './exit.js';
import { addShardOption, shareOf, type Shard } from './flags.js';
import { interruptible } from './interrupt.js';
import { addRunOptions, collect, type RunOptions } from './options.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from './output.js';
import { startProgress } from './progress.js';
import { changeScenario, checkLockName, isPath, resolveScenario } from './resolve.js';
import {
  matrixPart,
  matrixPartFile,
  type ExecutedCell,
  type MatrixAsked,
  type MatrixResult,
} from './shards/matrix-part.js';
import { writePart } from './shards/parts.js';

interface Options extends RunOptions, ReporterOptions {
  readonly lock?: readonly string[];
  readonly shard?: Shard;
}

export function addMatrixVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('matrix')
    .description('run every scenario against every lock it has expectations for')
    .argument('[scenarios...]', 'only these scenarios')
    .option('--lock <name>', 'only this lock (repeatable); a module runs in every scenario it fits', collect);
  addReporterOption(addShardOption(addRunOptions(command)))
    .addHelpText(
      'after',
      `
Examples:
  lockpick matrix
  lockpick matrix S1 S2 S3 --lock single --lock single-fenced
  lockpick matrix --lock ./src/my-lock.ts --fail-on library
  lockpick matrix --shard 1/2 --out a && lockpick matrix --shard 2/2 --out b && lockpick merge a/*.json b/*.json

Histories of violated cells are written to the --out directory.`,
    )
    .action(async (words: readonly string[], options: Options) => {
      const all = await planCells(words, options);
      const { shard } = options;
      const result = await runCells(shareOf(all, shard, 'cells'), options);
      const asked: MatrixAsked = {
        cells: all.map(({ scenario, lock }) => `${scenario.id} ${lock}`),
        flags: changesOf(options),
      };
      if (shard !== undefined) {
        const file = matrixPartFile(options.out, shard);
        writePart(file, matrixPart(result, asked, shard));
        if (options.quiet !== true) note(`part ${shard.index}/${shard.of}: ${file}`);
      }
      presentMatrix(result, asked.flags, options);
      exit(exitOfMatrix(result));
    });
}

interface PlannedCell {
  readonly scenario: Scenario;
  readonly lock: string;
}

/** Scenario by scenario, the locks that have an `expect` there; a module given by its path where its servers fit. */
async function planCells(words: readonly string[], options: Options): Promise<readonly PlannedCell[]> {
  const scenarios =
    words.length > 0
      ? words.map((word) => resolveScenario(word))
      : CATALOGUE.map(({ scenario }) => parseScenario(scenario, scenario.id));
  for (const name of options.lock ?? []) checkLockName(name);
  const names = options.lock ?? LOCKS.map(({ name }) => name);
  const modules = new Map<string, LoadedLock>();
  for (const name of names) if (isPath(name)) modules.set(name, await load(name));
  const chosen = words.length > 0 ? scenarios : withoutRefused(scenarios, options);
  return chosen.flatMap((scenario) =>
    names
      .filter((name) => {
        const module = modules.get(name);
        return module === undefined ? scenario.expect[name] !== undefined : misfit(module, scenario) === null;
      })
      .map((lock) => ({ scenario: changeScenario(scenario, { ...options, lock }), lock })),
  );
}

/** Those of the catalogue that the engine asked for can play. */
function withoutRefused(scenarios: readonly Scenario[], options: Options): readonly Scenario[] {
  const refused: string[] = [];
  const left = scenarios.filter((scenario) => {
    try {
      changeScenario(scenario, { set: options.set });
      return true;
    } catch (error) {
      if (!(error instanceof ScenarioError) || !error.problems.every(isEngineRefusal)) throw error;
      refused.push(scenario.id);
      return false;
    }
  });
  if (refused.length > 0) note(`left out, since the engine can't play them: ${refused.join(', ')}`);
  return left;
}

async function runCells(plan: readonly PlannedCell[], options: Options): Promise<MatrixResult> {
  const progress = startProgress(plan.length, { quiet: options.quiet === true });
  const started = performance.now();
  const shelf = new LockShelf();
  const cells: ExecutedCell[] = [];
  try {
    return await interruptible(async (interrupted) => {
      for (const planned of plan) {
        if (interrupted()) break;
        progress.at(cells.length, `${planned.scenario.id} × ${planned.lock}`);
        cells.push(await executeCell(planned, await shelf.get(planned.lock), options));
      }
      const seconds = (performance.now() - started) / 1000;
      return { cells, planned: plan.length, seconds, interrupted: interrupted() };
    });
  } finally {
    progress.done();
    await shelf.close();
  }
}

async function executeCell(
  { scenario }: PlannedCell,
  lock: LockAtHand,
  options: Options,
): Promise<ExecutedCell> {
  const { history, verdicts, outcome } = await runCell(scenario, lock, options);
  const { asExpected, mismatches, exitCode, unknownBecause } = outcome;
  let file: string | null = null;
  if (violationsOf(verdicts).length > 0 || !asExpected) {
    file = path.join(options.out, `${fileStem(scenario, digest(history))}.history.jsonl`);
    writeHistory(file, history);
  }
  return {
    scenario: scenario.id,
    lock: scenario.lock.name,
    seed: scenario.seed,
    verdicts,
    asExpected,
    mismatches,
    exitCode,
    unknownBecause,
    history: file,
  };
}

/** The flags that make the same run of a cell. */
function changesOf({ seed, set }: Options): string[] {
  const flags = seed === undefined ? [] : ['--seed', String(seed)];
  for (const setting of set) flags.push('--set', showSetting(setting));
  return flags;
}

export function exitOfMatrix({ cells, interrupted }: MatrixResult): ExitCode {
  if (interrupted) return EXIT.interrupted;
  const unexpected = cells.filter(({ asExpected }) => !asExpected);
  if (unexpected.length === 0) return EXIT.asExpected;
  return unexpected.some(({ exitCode }) => exitCode === EXIT.violation) ? EXIT.violation : EXIT.unknown;
}

/** The command that runs a cell alone. */
function cellCommand(flags: readonly string[]): (scenario: string, lock: string) => string {
  return (scenario, lock) =>
    ['npx', 'lockpick', 'run', scenario, '--lock', lock, ...flags].map(shellWord).join(' ');
}

/** @param flags those that make the same run of a cell */
export function presentMatrix(
  { cells, planned, seconds, interrupted }: MatrixResult,
  flags: readonly string[],
  options: Pick<Options, 'json' | 'quiet' | 'out' | 'reporter'>,
): void {
  const unexpected = cells.filter(({ asExpected }) => !asExpected);
  const runsPerSecond = seconds > 0 ? cells.length / seconds : 0;
  if (options.json === true) {
    printJson({
      format: 'lockpick/matrix@1',
      cells: cells.map(
        ({ scenario, lock, seed, verdicts, asExpected, mismatches, unknownBecause, history }) => ({
          scenario,
          lock,
          seed,
          verdicts: verdictsDocument(verdicts),
          asExpected,
          mismatches,
          unknownBecause,
          history,
        }),
      ),
      asExpected: unexpected.length === 0 && !interrupted,
      unexpected: unexpected.length,
      runs: cells.length,
      planned,
      interrupted,
      seconds,
      runsPerSecond,
    });
  }
  const stream = options.json === true ? process.stderr : process.stdout;
  const report = matrixReport(cells, {
    titles: new Map(CATALOGUE.map(({ scenario, title }) => [scenario.id, title])),
    kinds: new Map(LOCKS.map(({ name, kind }) => [name, kind])),
    width: Math.max(100, terminalWidth(stream)),
    paint: painter(wantsColour(stream)),
    brief: options.quiet === true || options.json === true,
    planned,
    seconds,
    interrupted,
    out: options.out,
    command: cellCommand(flags),
  });
  if (options.json !== true) print(report);
  else if (options.quiet !== true) note(report);
  reportToCi('matrix', options, () => casesOfCells(cells, cellCommand(flags)));
}
