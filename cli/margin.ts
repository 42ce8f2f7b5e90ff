import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { boundaryFor, lateBy } from '../properties/search/margin/closed-form.js';
import { margin, type Margin } from '../properties/search/margin/margin.js';
import { ParameterError } from '../properties/search/margin/parameter.js';
import { AxisError, parseAxis, type AxisWish } from '../properties/search/margin/grid.js';
import { askMargin, type AskedMargin } from '../properties/search/margin/question.js';
import { marginReport } from '../reports/terminal/margin.js';
import { CATALOGUE, findScenario } from '../sim/catalogue/index.js';
import { didYouMean } from '../sim/scenario/nearest.js';
import { PROPERTY_IDS, type PropertyId } from '../sim/scenario/schema.js';
import { showSetting, type Setting } from '../sim/scenario/set-path.js';
import type { LoadedLock } from '../sim/load.js';
import { load } from './execute.js';
import { CommandError, EXIT, type ExitCode } from './exit.js';
import { addJobsOption, readCount } from './flags.js';
import { interruptible } from './interrupt.js';
import { axesOf, drawMap } from './margin-map.js';
import { marginDocument } from './margin-document.js';
import { addChangeOptions } from './options.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from './output.js';
import { startProgress } from './progress.js';
import { Reruns } from './rerun.js';
import { catalogueEntryOf, changeScenario, checkLockName, isPath, resolveScenario } from './resolve.js';

export interface MarginOptions {
  readonly lock?: string;
  readonly vary?: string;
  readonly property?: PropertyId;
  readonly from?: number;
  readonly to?: number;
  readonly scan: number;
  readonly grid?: readonly [AxisWish, AxisWish];
  readonly jobs: number;
  readonly seed?: number;
  readonly set: readonly Setting[];
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly out: string;
}

export function addMarginVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('margin')
    .description('vary one number of a scenario until the verdict flips, beside the closed form')
    .argument('<scenario>', 'an id of the catalogue, or a JSON file')
    .option('--lock <name>', "the lock: a name, or a module's path (default: the scenario's own)")
    .option('--vary <path>', 'the number to vary, as --set writes it (default: that of the catalogue)')
    .addOption(
      new Option(
        '--property <id>',
        'whose verdict (default: that of the catalogue, else the first violated)',
      ).argParser(readProperty),
    )
    .addOption(
      new Option('--from <number>', 'where to begin (default: what leaves room)').argParser(readNumber),
    )
    .addOption(new Option('--to <number>', 'where to end').argParser(readNumber))
    .addOption(
      new Option(
        '--scan <number>',
        'intervals that are run before bisecting: what flips twice inside one goes unseen',
      )
        .argParser(readScan)
        .default(32),
    )
    .addOption(
      new Option(
        '--grid <a,b>',
        'also a map of two numbers, each as path or path=from:to:step; written as CSV and SVG',
      ).argParser(readGrid),
    );
  addJobsOption(addChangeOptions(command))
    .addOption(new Option('--json', 'one JSON document on stdout, everything else on stderr'))
    .addOption(new Option('--quiet', 'print no more than the flip'))
    .addOption(new Option('--out <dir>', 'where the map is written').default('lockpick-out'))
    .addHelpText(
      'after',
      `
Examples:
  lockpick margin S1
  lockpick margin S13 --vary faults.0.byMs --property exclusive-use
  lockpick margin S1 --lock ./src/my-lock.ts --vary lock.ttlMs --from 100 --to 5000
  lockpick margin S1 --grid faults.0.forMs=0:2000:50,lock.ttlMs=200:1800:100

Exit codes: 0 the flip was found, or there is none in the range; 1 it is not where the catalogue's closed form
says; 2 bad usage or input; 3 the verdicts are unknown; 130 interrupted.`,
    )
    .action(async (word: string, options: MarginOptions) => {
      if (options.grid === undefined && command.getOptionValueSource('jobs') === 'cli')
        throw new CommandError('--jobs is for maps: without --grid each run waits for the one before');
      exit(await runMargin(word, options));
    });
}

/** More would only take longer: a flip is found to the last decimal anyway. */
const MOST_INTERVALS = 100_000;

function readScan(text: string): number {
  const intervals = readCount(text);
  if (intervals <= MOST_INTERVALS) return intervals;
  throw new InvalidArgumentError(`At most ${MOST_INTERVALS}.`);
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It is a number.');
}

function readProperty(text: string): PropertyId {
  const property = PROPERTY_IDS.find((id) => id === text);
  if (property !== undefined) return property;
  throw new InvalidArgumentError(
    `\`${text}\` is no property${didYouMean(text, PROPERTY_IDS)}; known: ${PROPERTY_IDS.join(', ')}.`,
  );
}

function readGrid(text: string): readonly [AxisWish, AxisWish] {
  const [a, b, ...more] = text.split(',');
  if (a === undefined || b === undefined || more.length > 0)
    throw new InvalidArgumentError('It is two paths with a comma between, as in faults.0.forMs,lock.ttlMs.');
  try {
    const wishes = [parseAxis(a), parseAxis(b)] as const;
    if (wishes[0].path !== wishes[1].path) return wishes;
  } catch (error) {
    if (error instanceof AxisError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
  throw new InvalidArgumentError(`Both paths are ${a.split('=')[0]}: a map needs two.`);
}

async function runMargin(word: string, options: MarginOptions): Promise<ExitCode> {
  const given = changeScenario(resolveScenario(word), options);
  const path = varied(options);
  const entry = findScenario(given.id);
  const boundary =
    entry === undefined
      ? undefined
      : boundaryFor(entry, { ...options, lock: given.lock.name, ...(path === undefined ? {} : { path }) });
  // Who names no lock asks about one that flips there.
  const named = options.lock !== undefined || options.set.some((setting) => setting.path === 'lock.name');
  const scenario =
    boundary === undefined || named ? given : changeScenario(given, { lock: boundary.lock, set: [] });
  const { name } = scenario.lock;
  checkLockName(name);
  const lock = await load(name);
  const reruns = new Reruns((other) => (other === name ? Promise.resolve(lock) : load(other)));
  try {
    return await interruptible(async (heard) => {
      const asked = await asInput(() =>
        askMargin({
          ...options,
          scenario,
          settings: options.set,
          entry,
          ...(path === undefined ? {} : { path }),
          // The range of a map's first axis is the range of the line through it.
          ...rangeOf(options),
          intervals: options.scan,
          runner: reruns.run,
          stopped: heard,
        }),
      );
      const isRow = catalogueEntryOf(given) !== undefined;
      return answer(word, asked, options, { lock, heard, isRow });
    });
  } finally {
    await reruns.close();
  }
}

function varied({ vary, grid }: MarginOptions): string | undefined {
  const first = grid?.[0].path;
  if (vary !== undefined && first !== undefined && vary !== first)
    throw new CommandError(
      `--vary ${vary} and --grid ${first} differ: the first path of a map is the one that is varied`,
    );
  return vary ?? first;
}

function rangeOf({ from, to, grid }: MarginOptions): { from?: number; to?: number } {
  const axis = grid?.[0];
  if (axis?.from !== undefined && (from !== undefined || to !== undefined))
    throw new CommandError('--from and --to beside a range in --grid: one of them is enough');
  return {
    ...((from ?? axis?.from) === undefined ? {} : { from: from ?? axis!.from! }),
    ...((to ?? axis?.to) === undefined ? {} : { to: to ?? axis!.to! }),
  };
}

/** What can't be asked is the input's fault. */
async function asInput<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ParameterError || error instanceof AxisError) throw new CommandError(error.message);
    throw error;
  }
}

interface Means {
  readonly lock: LoadedLock;
  readonly heard: () => boolean;
  /** The scenario is a row of the catalogue, unchanged. */
  readonly isRow: boolean;
}

async function answer(
  word: string,
  asked: AskedMargin,
  options: MarginOptions,
  { lock, heard, isRow }: Means,
): Promise<ExitCode> {
  const { scenario, closedForm } = asked;
  const { grid } = options;
  const axes = grid === undefined ? null : await asInput(() => axesOf(asked, grid, rangeOf(options)));
  const found = await searched(asked, options);
  const late = closedForm === null || found.flipsAt === null ? null : lateBy(closedForm, found.flipsAt);
  const commands = commandsOf(word, asked, found.main, options);
  const map =
    axes === null || heard() ? null : await drawMap(asked, axes, { ...options, lock, stopped: heard });
  const interrupted = heard();
  if (options.json === true)
    printJson(marginDocument(asked, found, { late, commands, map, interrupted, settings: options.set }));
  const stream = options.json === true ? process.stderr : process.stdout;
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  const paint = painter(wantsColour(stream));
  const report = marginReport({
    ...asked,
    margin: found,
    lateBy: late,
    assumed: asked.assumed.map(showSetting),
    commands,
    paint,
    width: terminalWidth(stream),
    brief: options.quiet === true || options.json === true,
    ...(title === undefined ? {} : { title }),
  });
  const text =
    map === null || options.quiet === true || options.json === true
      ? report
      : `${report}\n\n${map.text(paint, terminalWidth(stream))}`;
  if (options.json !== true) print(text);
  else if (options.quiet !== true) note(text);
  if (interrupted) return EXIT.interrupted;
  return exitOf(asked, found, isRow && options.set.length === 0);
}

async function searched(asked: AskedMargin, { scan, quiet }: MarginOptions): Promise<Margin> {
  const progress = startProgress(scan + 30, { quiet: quiet === true });
  let runs = 0;
  try {
    return await margin({
      ...asked,
      runner: (there) => {
        progress.at(++runs, asked.parameter.path);
        return asked.runner(there);
      },
    });
  } finally {
    progress.done();
  }
}

/** The commands that show what is on both sides of the flip. */
function commandsOf(
  word: string,
  { scenario, parameter, assumed }: AskedMargin,
  main: { readonly below: { readonly value: number }; readonly above: { readonly value: number } } | null,
  { set }: MarginOptions,
): { below: string; above: string } | null {
  if (main === null) return null;
  const lock = isPath(scenario.lock.name) ? path.normalize(scenario.lock.name) : scenario.lock.name;
  const commandAt = (value: number): string => {
    const settings = [...assumed, ...set, { path: parameter.path, value }].flatMap((setting) => [
      '--set',
      showSetting(setting),
    ]);
    const seed = scenario.seed === 1 ? [] : ['--seed', String(scenario.seed)];
    return ['npx', 'lockpick', 'run', word, '--lock', lock, ...seed, ...settings].map(shellWord).join(' ');
  };
  return { below: commandAt(main.below.value), above: commandAt(main.above.value) };
}

function exitOf({ closedForm }: AskedMargin, { agrees, main, scan }: Margin, isRow: boolean): ExitCode {
  // The catalogue answers for its own scenarios and locks; what was changed may be outside what an inequality covers.
  if (agrees === false && closedForm !== null && isRow) return EXIT.violation;
  return main === null && scan.some(({ verdict }) => verdict === 'unknown') ? EXIT.unknown : EXIT.asExpected;
}
