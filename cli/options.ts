/** The flags that verbs share, and how their values are read. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Blame } from '../properties/verdict.js';
import { didYouMean } from '../sim/scenario/nearest.js';
import { parseSetting, type Setting } from '../sim/scenario/set-path.js';

export const BLAMES: readonly Blame[] = ['library', 'infrastructure', 'lease', 'usage'];

export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly out: string;
  readonly failOn: readonly Blame[];
}

export interface RunOptions extends CommonOptions {
  readonly seed?: number;
  readonly set: readonly Setting[];
  readonly trace?: boolean;
}

function readBlames(text: string): readonly Blame[] {
  if (text === 'all') return BLAMES;
  if (text === 'none') return [];
  return text.split(',').map((word) => {
    const blame = BLAMES.find((known) => known === word.trim());
    if (blame !== undefined) return blame;
    throw new InvalidArgumentError(
      `\`${word}\` is no blame${didYouMean(word, BLAMES)}; known: ${BLAMES.join(', ')}, all, none.`,
    );
  });
}

export function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new InvalidArgumentError('A seed is a whole number of at least 0.');
}

function collectSetting(text: string, before: readonly Setting[]): readonly Setting[] {
  return [...before, parseSetting(text)];
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function addCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('--json', 'one JSON document on stdout, everything else on stderr'))
    .addOption(new Option('--quiet', 'print no more than the outcome'))
    .addOption(new Option('--out <dir>', 'where files are written').default('lockpick-out'))
    .addOption(
      new Option('--fail-on <blames>', 'blames that fail a run without expectations: a list, `all` or `none`')
        .argParser(readBlames)
        .default(['library'], 'library'),
    );
}

/** What changes a scenario: its seed, and anything else of it. */
export function addChangeOptions(command: Command): Command {
  return command
    .addOption(new Option('--seed <number>', 'the seed that decides everything').argParser(readSeed))
    .addOption(
      new Option('--set <path=value>', 'change the scenario, e.g. resource.fenced=true (repeatable)')
        .argParser<readonly Setting[]>(collectSetting)
        .default([], 'none'),
    );
}

export function addRunOptions(command: Command): Command {
  return addChangeOptions(addCommonOptions(command)).addOption(
    new Option('--trace', 'also write the history with every message and printed line'),
  );
}
