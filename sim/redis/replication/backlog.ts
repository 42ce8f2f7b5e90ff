import type { StreamPart } from './stream.js';

/** Redis' `repl-backlog-size`. */
export const BACKLOG_BYTES = 1_048_576;
/** What a PING takes in the real stream. */
const CHORE_BYTES = 14;
/** About what a SET with an absolute deadline takes in the real stream, beside its key. */
const CHANGE_BYTES = 96;

/**
 * The latest parts of the stream, for replicas that lost their connection and ask for the rest. Its size is reckoned, not
 * measured: {@link CHANGE_BYTES} and the key for every change.
 */
export class Backlog {
  private parts: StreamPart[] = [];
  /** Index of the oldest part that is kept. */
  private head = 0;
  private bytes = 0;
  private newest: number;

  /** @param offset of the last part before it */
  constructor(
    offset: number,
    private readonly limit = BACKLOG_BYTES,
  ) {
    this.newest = offset;
  }

  push(part: StreamPart): void {
    this.parts.push(part);
    this.newest = part.offset;
    this.bytes += bytesOf(part);
    while (this.bytes > this.limit && this.head < this.parts.length) {
      this.bytes -= bytesOf(this.parts[this.head++]!);
    }
    if (this.head > 1000 && this.head * 2 > this.parts.length) {
      this.parts = this.parts.slice(this.head);
      this.head = 0;
    }
  }

  /** Number of the oldest part that is kept (of the next one, if none is). */
  get oldest(): number {
    return this.newest + 1 - (this.parts.length - this.head);
  }

  get length(): number {
    return this.parts.length - this.head;
  }

  /** All parts after this offset; null if some of them are gone, or it is ahead of the stream. */
  after(offset: number): readonly StreamPart[] | null {
    if (offset > this.newest || offset + 1 < this.oldest) return null;
    return this.parts.slice(this.head + (offset + 1 - this.oldest));
  }
}

function bytesOf({ changes }: StreamPart): number {
  if (changes.length === 0) return CHORE_BYTES;
  let bytes = 0;
  for (const { key } of changes) bytes += CHANGE_BYTES + key.length;
  return bytes;
}
