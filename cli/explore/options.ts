/** What `explore` is told, and the search that it makes of it. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ANOMALY_KINDS, type AnomalyKind, type ExploreSpec } from '../../properties/search/explore/spec.js';
import { didYouMean } from '../../sim/scenario/nearest.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../../sim/scenario/schema.js';
import type { Setting } from '../../sim/scenario/set-path.js';
import { CommandError } from '../exit.js';
import { addJobsOption, readCount, readDuration } from '../flags.js';
import { addReporterOption, type ReporterOptions } from '../ci/reporters.js';
import { addChangeOptions, addCommonOptions, type CommonOptions } from '../options.js';

export interface ExploreOptions extends CommonOptions, ReporterOptions {
  readonly lock?: string;
  readonly anomalies: number;
  readonly faults?: readonly AnomalyKind[];
  readonly property?: PropertyId;
  readonly keepFaults?: boolean;
  readonly everyPoint?: boolean;
  readonly first?: boolean;
  readonly timeLimit?: number;
  readonly resume?: string;
  readonly seed?: number;
  readonly set: readonly Setting[];
  readonly jobs: number;
  readonly reuse: boolean;
}

/** More would never end: each further anomaly multiplies the schedules by a hundred or more. */
const MOST_ANOMALIES = 4;

export function addExploreOptions(command: Command): Command {
  command
    .option('--lock <name>', "the lock: a name, or a module's path (default: the scenario's own)")
    .addOption(
      new Option('--anomalies <number>', `at most so many at once, 1 to ${MOST_ANOMALIES}`)
        .argParser(readAnomalies)
        .default(1),
    )
    .addOption(
      new Option('--faults <kinds>', `only anomalies of these kinds: ${ANOMALY_KINDS.join(', ')}`).argParser(
        readKinds,
      ),
    )
    .addOption(new Option('--property <id>', 'look only for violations of this one').argParser(readProperty))
    .option('--keep-faults', "the scenario's own faults strike in every run (default: they are left out)")
    .option('--every-point', 'also run schedules that are equivalent to others: much slower')
    .option('--first', 'end at the first violation with a blame in --fail-on')
    .addOption(new Option('--time-limit <time>', 'end after so long: 60s, 10m').argParser(readDuration))
    .option('--resume <file>', 'go on from this file, where there is one, and keep what is done in it')
    .option('--no-reuse', 'fresh instances of the lock for every run: slower');
  return addReporterOption(addCommonOptions(addJobsOption(addChangeOptions(command))));
}

function readAnomalies(text: string): number {
  const anomalies = readCount(text);
  if (anomalies <= MOST_ANOMALIES) return anomalies;
  throw new InvalidArgumentError(`At most ${MOST_ANOMALIES}: more would never end.`);
}

function readKinds(text: string): readonly AnomalyKind[] {
  const words = text.split(',').map((word) => word.trim());
  for (const word of words) {
    if (!ANOMALY_KINDS.some((kind) => kind === word))
      throw new InvalidArgumentError(
        `\`${word}\` is no anomaly${didYouMean(word, ANOMALY_KINDS)}; known: ${ANOMALY_KINDS.join(', ')}.`,
      );
  }
  return ANOMALY_KINDS.filter((kind) => words.includes(kind));
}

function readProperty(text: string): PropertyId {
  const property = PROPERTY_IDS.find((id) => id === text);
  if (property !== undefined) return property;
  throw new InvalidArgumentError(
    `\`${text}\` is no property${didYouMean(text, PROPERTY_IDS)}; known: ${PROPERTY_IDS.join(', ')}.`,
  );
}

/**
 * What is explored, as plain data.
 * @param scenario with the changes made
 */
export function specOf(scenario: Scenario, options: ExploreOptions): ExploreSpec {
  const kinds = options.faults ?? null;
  if (kinds?.includes('promote') === true && scenario.servers.replicas === 0)
    throw new CommandError(
      `--faults promote: ${scenario.id} has no replica to fail over to: --set servers.replicas=1 gives it one`,
    );
  return {
    lock: scenario.lock.name,
    // What is expected of the scenario as it stands is no matter of its anomalies.
    scenario: { ...scenario, faults: options.keepFaults === true ? scenario.faults : [], expect: {} },
    anomalies: options.anomalies,
    kinds,
    property: options.property ?? null,
    everyPoint: options.everyPoint === true,
    reuse: options.reuse,
  };
}
