/** Readers of flags that several verbs have: counts, times, shards. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError } from './exit.js';
import { DEFAULT_JOBS } from './pool/pool.js';

/** A whole number of at least 1. */
export function readCount(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It is a whole number of at least 1.');
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A length of real time, as in 500ms, 60s, 1.5m, 2h; in milliseconds. */
export function readDuration(text: string): number {
  const [, figure, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const ms = Number(figure) * (UNITS_MS[unit ?? ''] ?? NaN);
  if (ms >= 1) return ms;
  throw new InvalidArgumentError('It is a time with its unit: 500ms, 60s, 10m or 2h.');
}

/** One of `of` equal parts of a work that several machines share; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export function readShard(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  if (index === undefined || of === undefined)
    throw new InvalidArgumentError('It is a part and how many there are, as in 2/5.');
  const shard = { index: Number(index), of: Number(of) };
  if (shard.of < 1) throw new InvalidArgumentError('There is at least one part: 1/1.');
  if (shard.index < 1 || shard.index > shard.of)
    throw new InvalidArgumentError(
      `Out of range: of ${shard.of} the parts are 1/${shard.of} to ${shard.of}/${shard.of}.`,
    );
  return shard;
}

/**
 * Every n-th of all, so that no part has all the slow ones.
 * @param what they are called
 * @throws CommandError where there are more parts than things to share
 */
export function shareOf<T>(all: readonly T[], shard: Shard | undefined, what: string): readonly T[] {
  if (shard === undefined) return all;
  if (shard.of > all.length)
    throw new CommandError(
      `--shard ${shard.index}/${shard.of}: there are only ${all.length} ${what} to share`,
    );
  return all.filter((_, index) => index % shard.of === shard.index - 1);
}

export function addShardOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--shard <i/n>',
      'do the i-th of n equal parts, and write a partial result for `lockpick merge`',
    ).argParser(readShard),
  );
}

export function addJobsOption(command: Command): Command {
  return command.addOption(
    new Option('--jobs <number>', 'threads; the result does not depend on how many')
      .argParser(readCount)
      .default(DEFAULT_JOBS, 'one for each core'),
  );
}
