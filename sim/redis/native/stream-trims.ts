/** How XADD and XTRIM shorten streams. */
import { ErrorReply, type Bytes } from '../keyspace.js';
import { NOT_INTEGER } from './command.js';
import type { Stream } from './entry.js';
import { parseInteger } from './numbers.js';
import { BAD_ID, parseId } from './stream-ids.js';

/** Entries that Redis keeps in one block (`stream-node-max-entries`), and about how many bytes (`stream-node-max-bytes`). */
export const BLOCK_ITEMS = 100;
export const BLOCK_BYTES = 4096;
const DEFAULT_LIMIT = 100 * BLOCK_ITEMS;

export interface Trim {
  readonly by: 'maxlen' | 'minid';
  readonly threshold: number | bigint;
  /** `~`: only whole blocks, and no more than `limit` entries (0: no limit). */
  readonly approximate: boolean;
  readonly limit: number;
}

const BOTH = new ErrorReply('ERR syntax error, MAXLEN and MINID options at the same time are not compatible');
const NEGATIVE_LENGTH = new ErrorReply('ERR The MAXLEN argument must be >= 0.');
const NEGATIVE_LIMIT = new ErrorReply('ERR The LIMIT argument must be >= 0.');
const LIMIT_ALONE = new ErrorReply(
  'ERR syntax error, LIMIT cannot be used without specifying a trimming strategy',
);
const LIMIT_EXACT = new ErrorReply('ERR syntax error, LIMIT cannot be used without the special ~ option');

/** Collects the options of one command that trims. */
export class TrimReader {
  #by: Trim['by'] | null = null;
  #threshold: number | bigint = 0;
  #approximate = false;
  #limit: number | null = null;

  constructor(private readonly args: readonly Bytes[]) {}

  /** Reads an option at this place: the place after it, an error, or undefined: it is none of trimming. */
  read(at: number): number | ErrorReply | undefined {
    const option = this.args[at]!.toLowerCase();
    const more = this.args.length - 1 - at;
    if ((option === 'maxlen' || option === 'minid') && more > 0) return this.#readStrategy(option, at + 1);
    if (option !== 'limit' || more === 0) return undefined;
    const limit = parseInteger(this.args[at + 1]!);
    if (limit === undefined) return NOT_INTEGER;
    if (limit < 0) return NEGATIVE_LIMIT;
    this.#limit = limit;
    return at + 2;
  }

  #readStrategy(by: Trim['by'], at: number): number | ErrorReply {
    if (this.#by !== null) return BOTH;
    let place = at;
    const sign = this.args[place];
    if (this.args.length - 1 - (at - 1) >= 2 && (sign === '~' || sign === '=')) {
      this.#approximate = sign === '~';
      place++;
    }
    const threshold = by === 'maxlen' ? parseInteger(this.args[place]!) : parseId(this.args[place]!, 0n);
    if (threshold === undefined) return by === 'maxlen' ? NOT_INTEGER : BAD_ID;
    if (threshold < 0) return NEGATIVE_LENGTH;
    this.#by = by;
    this.#threshold = threshold;
    return place + 1;
  }

  /** What was asked for; null: no trimming. */
  finish(): Trim | null | ErrorReply {
    if (this.#by === null) return this.#limit === null ? null : LIMIT_ALONE;
    if (this.#limit !== null && !this.#approximate) return LIMIT_EXACT;
    return {
      by: this.#by,
      threshold: this.#threshold,
      approximate: this.#approximate,
      limit: this.#limit ?? (this.#approximate ? DEFAULT_LIMIT : 0),
    };
  }
}

/** Removes the oldest entries; answers how many. */
export function trimStream({ entries }: Stream, { by, threshold, approximate, limit }: Trim): number {
  const isOver = (index: number) =>
    by === 'maxlen' ? entries.length - index > Number(threshold) : entries[index]!.id < threshold;
  let removed = 0;
  while (removed < entries.length && isOver(removed)) {
    if (!approximate) {
      removed++;
      continue;
    }
    const { block } = entries[removed]!;
    let end = removed;
    while (end < entries.length && entries[end]!.block === block) end++;
    if (!isOver(end - 1) || (limit > 0 && end > limit)) break;
    removed = end;
  }
  entries.splice(0, removed);
  return removed;
}
