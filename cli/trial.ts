import path from 'node:path';
import { Option, type Command } from 'commander';
import { scorecard, type ScorecardOptions } from '../reports/terminal/scorecard.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { writeWhole } from '../sim/history/file.js';
import { casesOfTrial } from './ci/cases.js';
import { addReporterOption, reportToCi, type ReporterOptions } from './ci/reporters.js';
import { EXIT, type ExitCode } from './exit.js';
import { addJobsOption, addShardOption } from './flags.js';
import { readSeed } from './options.js';
import { note, painter, print, printJson, terminalWidth, wantsColour } from './output.js';
import { writePart } from './shards/parts.js';
import { trialPart, trialPartFile } from './shards/trial-part.js';
import { asExpected, scoreOf, trialDocument } from './trial/document.js';
import { readRuns, runTrial, type TrialOptions, type TrialResult } from './trial/trial.js';

interface Options extends TrialOptions, ReporterOptions {
  readonly json?: boolean;
}

/** Runs of the hunt for each lock. */
const HUNT_RUNS = 200;

export function addTrialVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('trial')
    .description('put lock libraries on trial: every scenario, real clients, a scorecard')
    .argument(
      '[locks...]',
      'names or paths (default: all libraries that are installed, and the reference locks)',
    )
    .addOption(
      new Option('--hunt-runs <number>', 'runs of the hunt for each lock; 0: none')
        .argParser(readRuns)
        .default(HUNT_RUNS),
    )
    .addOption(
      new Option('--seed <number>', "the seed of every run (default: each row's own)").argParser(readSeed),
    )
    .addOption(new Option('--json', 'one JSON document on stdout, everything else on stderr'))
    .addOption(new Option('--quiet', 'print no more than the outcome'))
    .addOption(new Option('--out <dir>', 'where files are written').default('lockpick-out'));
  addReporterOption(addShardOption(addJobsOption(command)))
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], options: Options) => {
      const { names, ...result } = await runTrial(words, options);
      const { shard, seed = null, huntRuns } = options;
      if (shard !== undefined) {
        const file = trialPartFile(options.out, shard);
        writePart(file, trialPart(result, { locks: [...names], seed, huntRuns }, shard));
        if (options.quiet !== true) note(`part ${shard.index}/${shard.of}: ${file}`);
      }
      presentTrial(result, options);
      exit(exitOfTrial(result));
    });
}

const HELP = `
Each lock meets every scenario of the catalogue that it fits. What goes wrong there is tried again on the wire,
with the client that the lock has in production; only what shows there counts against it, and only if the blame
is the lock's own. A hunt then looks for what no scenario shows. docs/trial.md says how to read the card.

Examples:
  lockpick trial
  lockpick trial redlock@4.2.0 @sesamecare-oss/redlock@1.4.0
  lockpick trial ./src/my-lock.ts --hunt-runs 5000
  lockpick trial --shard 1/2 && lockpick trial --shard 2/2 && lockpick merge lockpick-out/trial-shard*.json

Exit codes: 0 if all that the catalogue expects of these locks came out and no reference lock is at fault,
1 otherwise (the faults of libraries are what a trial is for: they do not fail it), 2 bad usage or input,
3 a lock could not be tried to its end, 4 not deterministic, 130 interrupted: what was found is printed and saved.`;

export function exitOfTrial({ locks, lost, interrupted }: TrialResult): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (locks.some(({ notDeterministic }) => notDeterministic.length > 0)) return EXIT.diverged;
  if (!asExpected(locks)) return EXIT.violation;
  return lost.length > 0 ? EXIT.unknown : EXIT.asExpected;
}

export function presentTrial(
  result: TrialResult,
  options: Pick<Options, 'json' | 'quiet' | 'out' | 'reporter'>,
): void {
  const { locks, lost, seconds, interrupted } = result;
  const runs = locks.reduce((sum, lock) => sum + lock.runs, 0);
  const card = (how: Pick<ScorecardOptions, 'paint' | 'width' | 'brief'>): string =>
    scorecard(locks.map(scoreOf), {
      ...how,
      titles: new Map(CATALOGUE.map(({ scenario, title }) => [scenario.id, title])),
      lost,
      runs,
      seconds,
      interrupted,
      out: options.out,
    });
  const document = trialDocument(result, runs);
  writeWhole(path.join(options.out, 'trial.json'), [`${JSON.stringify(document, undefined, 2)}\n`]);
  writeWhole(path.join(options.out, 'trial.txt'), [
    `${card({ paint: painter(false), width: 100, brief: false })}\n`,
  ]);
  const stream = options.json === true ? process.stderr : process.stdout;
  const text = card({
    paint: painter(wantsColour(stream)),
    width: Math.max(100, terminalWidth(stream)),
    brief: options.quiet === true || options.json === true,
  });
  if (options.json === true) printJson(document);
  if (options.json !== true) print(text);
  else if (options.quiet !== true) note(text);
  reportToCi('trial', options, () => casesOfTrial(locks.map(scoreOf), lost));
}
