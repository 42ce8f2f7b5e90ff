import path from 'node:path';
import { Option, type Command } from 'commander';
import { addReporterOption, type ReporterOptions } from './ci/reporters.js';
import { CommandError, type ExitCode } from './exit.js';
import { load } from './execute.js';
import { presentHunt } from './hunt/present.js';
import { exitOfMatrix, presentMatrix } from './matrix.js';
import { HUNT_PART, mergeHuntParts } from './shards/hunt-part.js';
import { MATRIX_PART, mergeMatrixParts } from './shards/matrix-part.js';
import { mergeTrialParts, TRIAL_PART } from './shards/trial-part.js';
import { exitOfTrial, presentTrial } from './trial.js';
import { readPart } from './shards/parts.js';
import { checkLockName } from './resolve.js';

interface Options extends ReporterOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly out: string;
  readonly corpus?: string;
}

export function addMergeVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('merge')
    .description('join the partial results of --shard into what one machine would have had')
    .argument('<files...>', 'one file of each part')
    .addOption(new Option('--json', 'one JSON document on stdout, everything else on stderr'))
    .addOption(new Option('--quiet', 'print no more than the outcome'))
    .addOption(new Option('--out <dir>', 'where files are written').default('lockpick-out'))
    .option('--corpus <dir>', 'where counterexamples of a hunt are kept (default: corpus in --out)');
  addReporterOption(command)
    .addHelpText(
      'after',
      `
Examples:
  lockpick hunt --lock single --shard 1/2 && lockpick hunt --lock single --shard 2/2
  lockpick merge lockpick-out/hunt-single-shard*.json

The exit code is that of the whole.`,
    )
    .action(async (files: readonly string[], options: Options) => {
      exit(await merge(files, options));
    });
}

async function merge(files: readonly string[], options: Options): Promise<ExitCode> {
  const formats = [HUNT_PART, MATRIX_PART, TRIAL_PART];
  const read = files.map((file) => ({ file, ...readPart(file, formats) }));
  const [first] = read;
  if (first!.part.format === HUNT_PART) return mergeHunt(read, options);
  const { corpus } = options;
  if (corpus !== undefined)
    throw new CommandError(`--corpus is of hunts, and ${first!.file} is no part of one`);
  if (first!.part.format === TRIAL_PART) {
    const trial = mergeTrialParts(read);
    presentTrial(trial, options);
    return exitOfTrial(trial);
  }
  const { result, asked } = mergeMatrixParts(read);
  presentMatrix(result, asked.flags, options);
  return exitOfMatrix(result);
}

async function mergeHunt(
  documents: readonly { file: string; document: unknown }[],
  options: Options,
): Promise<ExitCode> {
  const { hunted, bundle, failOn } = mergeHuntParts(documents);
  const { lock: name } = hunted.spec;
  checkLockName(name);
  const lock = await load(name);
  if (lock.bundle.hash !== bundle)
    throw new CommandError(
      `${name} is another here than where the parts were run: its counterexamples would not replay`,
    );
  const { out, corpus = path.join(out, 'corpus') } = options;
  return presentHunt({
    hunted,
    keeping: { lock, out, corpus, failOn, spec: hunted.spec },
    jobs: documents.length,
    options: { ...options, failOn },
    shard: null,
  });
}
