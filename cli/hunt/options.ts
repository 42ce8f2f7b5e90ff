/** What `hunt` is told, and what of it makes no sense together. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DRAWN_KINDS, type DrawnKind } from '../../properties/arbitraries/faults.js';
import { ASSUMPTIONS, type Assumption, type HuntSpec } from '../../properties/search/hunt/spec.js';
import { didYouMean } from '../../sim/scenario/nearest.js';
import { PROPERTY_IDS, type PropertyId } from '../../sim/scenario/schema.js';
import type { Setting } from '../../sim/scenario/set-path.js';
import { addReporterOption, type ReporterOptions } from '../ci/reporters.js';
import { CommandError } from '../exit.js';
import { addJobsOption, addShardOption, readCount, readDuration, type Shard } from '../flags.js';
import { addChangeOptions, addCommonOptions, type CommonOptions } from '../options.js';

export interface HuntOptions extends CommonOptions, ReporterOptions {
  readonly lock: string;
  readonly runs?: number;
  readonly timeLimit?: number;
  readonly assume: Assumption;
  readonly faults?: readonly DrawnKind[];
  readonly property?: readonly PropertyId[];
  readonly seed?: number;
  readonly set: readonly Setting[];
  readonly jobs: number;
  readonly shard?: Shard;
  readonly corpus?: string;
  readonly queue?: string;
  readonly reuse: boolean;
}

/** Runs of a hunt that is told neither `--runs` nor `--time-limit`. */
export const DEFAULT_RUNS = 2000;
const DEFAULT_SEED = 1;

/** Words for several kinds of faults at once. */
const FAULT_WORDS: Readonly<Record<string, readonly DrawnKind[]>> = {
  clock: ['step-clock', 'set-drift'],
  network: ['partition', 'hold', 'slow', 'reset', 'delay'],
};

function readWord<T extends string>(text: string, known: readonly T[], what: string): T {
  const word = known.find((one) => one === text.trim());
  if (word !== undefined) return word;
  const near = didYouMean(text, known);
  throw new InvalidArgumentError(`\`${text}\` is no ${what}${near}; known: ${known.join(', ')}.`);
}

function readFaults(text: string): readonly DrawnKind[] {
  const words = [...DRAWN_KINDS, ...Object.keys(FAULT_WORDS)];
  const kinds = text.split(',').flatMap((word) => {
    const known = readWord(word, words, 'kind of fault that a hunt draws');
    return FAULT_WORDS[known] ?? [known as DrawnKind];
  });
  return DRAWN_KINDS.filter((kind) => kinds.includes(kind));
}

function collectProperties(text: string, before: readonly PropertyId[] = []): readonly PropertyId[] {
  const added = text.split(',').map((word) => readWord(word, PROPERTY_IDS, 'property'));
  return PROPERTY_IDS.filter((id) => before.includes(id) || added.includes(id));
}

export function addHuntOptions(command: Command): Command {
  command
    .requiredOption('--lock <name>', "the lock: a name, or a module's path")
    .addOption(
      new Option(
        '--runs <number>',
        `so many runs (default: ${DEFAULT_RUNS}, or none beside a time limit)`,
      ).argParser(readCount),
    )
    .addOption(
      new Option('--time-limit <time>', 'no new runs after so long: 60s, 10m').argParser(readDuration),
    )
    .addOption(
      new Option('--assume <preset>', `what may go wrong: ${ASSUMPTIONS.join(', ')}`)
        .argParser((text) => readWord(text, ASSUMPTIONS, 'preset'))
        .default('everything'),
    )
    .addOption(
      new Option(
        '--faults <kinds>',
        `only faults of these kinds: a list of ${DRAWN_KINDS.join(', ')}, or clock, network for several`,
      ).argParser(readFaults),
    )
    .addOption(
      new Option('--property <ids>', 'look only for violations of these (a list, repeatable)').argParser(
        collectProperties,
      ),
    );
  addJobsOption(addChangeOptions(command));
  addShardOption(addReporterOption(command))
    .option('--corpus <dir>', 'where counterexamples are kept, and tried first (default: corpus in --out)')
    .option('--queue <url>', 'share the runs out to `lockpick work` processes through this Redis')
    .option('--no-reuse', 'fresh instances of the lock for every run: slower');
  return addCommonOptions(command);
}

/** What to hunt for, as plain data. */
export function specOf(options: HuntOptions): HuntSpec {
  return {
    lock: options.lock,
    seed: options.seed ?? DEFAULT_SEED,
    assume: options.assume,
    kinds: options.faults ?? null,
    properties: options.property ?? null,
    sets: options.set,
    reuse: options.reuse,
  };
}

/** Refuses what contradicts itself. */
export function checkTogether(options: HuntOptions): void {
  const { shard, queue, timeLimit, set } = options;
  if (shard !== undefined && queue !== undefined)
    throw new CommandError('--shard and --queue exclude each other: a queue shares the runs out by itself');
  if (shard !== undefined && timeLimit !== undefined)
    throw new CommandError(
      '--shard needs --runs and no --time-limit: parts of a time are not parts of a result',
    );
  if (queue !== undefined && timeLimit !== undefined)
    throw new CommandError('--queue needs --runs and no --time-limit: ranges are handed out beforehand');
  for (const { path } of set) {
    if (path === 'lock.name')
      throw new CommandError('--set lock.name: it is --lock that names the lock of a hunt');
    if (path === 'seed')
      throw new CommandError('--set seed: every run has a seed of its own, --seed decides them all');
    if (path === 'id') throw new CommandError("--set id: the scenarios of a hunt are nobody's");
  }
  if (shard !== undefined && shard.of > (options.runs ?? DEFAULT_RUNS))
    throw new CommandError(
      `--shard ${shard.index}/${shard.of}: there are only ${options.runs ?? DEFAULT_RUNS} runs to share`,
    );
}

/** The runs that are asked for, from, and up to but not including; no end beside a time limit alone. */
export function boundsOf({ runs, timeLimit, shard }: HuntOptions): { from: number; to: number } {
  const total = runs ?? (timeLimit === undefined ? DEFAULT_RUNS : Infinity);
  if (shard === undefined) return { from: 0, to: total };
  return {
    from: Math.floor((total * (shard.index - 1)) / shard.of),
    to: Math.floor((total * shard.index) / shard.of),
  };
}
