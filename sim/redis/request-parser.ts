/**
 * Takes commands out of a stream of bytes that may be cut anywhere, as a Redis server reads them: arrays of bulk strings,
 * or inline commands. After a protocol error nothing more is read.
 */
import type { Bytes } from './keyspace.js';
import { splitArguments } from './split-arguments.js';

/** What is wrong with the stream; the server answers it and closes the connection. */
export class ProtocolError {
  constructor(readonly text: string) {}
}

/** Longest line without its end, in bytes. */
const LONGEST_LINE = 64 * 1024;
/** `proto-max-bulk-len`, in bytes. */
const LONGEST_BULK = 512 * 1024 * 1024;
const MOST_ARGUMENTS = 0x7fffffff;
const ASTERISK = 42;
const DOLLAR = 36;
const INTEGER = /^(0|-?[1-9]\d{0,17})$/;

export class RequestParser {
  #buffer = '';
  #at = 0;
  /** Arguments of the command that is being read; null: none is. */
  #args: Bytes[] | null = null;
  #missing = 0;
  /** Length of the bulk string that is being read; -1: its length comes first. */
  #bulk = -1;
  #failed = false;

  /** Part of a command is here, and the rest is not. */
  get midway(): boolean {
    return this.#args !== null || this.#at < this.#buffer.length;
  }

  push(bytes: Bytes): void {
    if (this.#failed) return;
    this.#buffer = this.#at === this.#buffer.length ? bytes : this.#buffer.slice(this.#at) + bytes;
    this.#at = 0;
  }

  /** The next command that is complete; null: there is none yet. */
  next(): readonly Bytes[] | ProtocolError | null {
    while (!this.#failed) {
      if (this.#args !== null) return this.#readBulks(this.#args);
      if (this.#at >= this.#buffer.length) return null;
      const read = this.#buffer.charCodeAt(this.#at) === ASTERISK ? this.#readCount() : this.#readInline();
      if (read !== undefined) return read;
    }
    return null;
  }

  #fail(text: string): ProtocolError {
    this.#failed = true;
    this.#buffer = '';
    this.#at = 0;
    return new ProtocolError(`ERR Protocol error: ${text.replace(/[\r\n]/g, ' ')}`);
  }

  /** The line at hand without its end; null: it is not complete. */
  #line(tooLong: string): string | ProtocolError | null {
    const end = this.#buffer.indexOf('\r', this.#at);
    if (end < 0) return this.#buffer.length - this.#at > LONGEST_LINE ? this.#fail(tooLong) : null;
    if (end + 1 >= this.#buffer.length) return null;
    const line = this.#buffer.slice(this.#at + 1, end);
    this.#at = end + 2;
    return line;
  }

  /** Undefined: go on with what follows. */
  #readCount(): ProtocolError | null | undefined {
    const line = this.#line('too big mbulk count string');
    if (typeof line !== 'string') return line;
    const count = INTEGER.test(line) ? Number(line) : NaN;
    if (!(count <= MOST_ARGUMENTS)) return this.#fail('invalid multibulk length');
    if (count > 0) {
      this.#args = [];
      this.#missing = count;
    }
    return undefined;
  }

  #readBulks(args: Bytes[]): readonly Bytes[] | ProtocolError | null {
    while (this.#missing > 0) {
      if (this.#bulk < 0) {
        const problem = this.#readLength();
        if (problem !== undefined) return problem;
      }
      const end = this.#at + this.#bulk;
      if (this.#buffer.length < end + 2) return null;
      args.push(this.#buffer.slice(this.#at, end));
      this.#at = end + 2;
      this.#bulk = -1;
      this.#missing--;
    }
    this.#args = null;
    return args;
  }

  /** Undefined: the length is known. */
  #readLength(): ProtocolError | null | undefined {
    const first = this.#buffer[this.#at];
    const line = this.#line('too big bulk count string');
    if (typeof line !== 'string') return line;
    if (first!.charCodeAt(0) !== DOLLAR) return this.#fail(`expected '$', got '${first}'`);
    const length = INTEGER.test(line) ? Number(line) : NaN;
    if (!(length >= 0 && length <= LONGEST_BULK)) return this.#fail('invalid bulk length');
    this.#bulk = length;
    return undefined;
  }

  #readInline(): readonly Bytes[] | ProtocolError | null | undefined {
    const end = this.#buffer.indexOf('\n', this.#at);
    if (end < 0)
      return this.#buffer.length - this.#at > LONGEST_LINE ? this.#fail('too big inline request') : null;
    const line = this.#buffer.slice(
      this.#at,
      this.#buffer[end - 1] === '\r' ? Math.max(this.#at, end - 1) : end,
    );
    this.#at = end + 1;
    const args = splitArguments(line);
    if (args === null) return this.#fail('unbalanced quotes in request');
    return args.length === 0 ? undefined : args;
  }
}
