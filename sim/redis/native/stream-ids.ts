/** Identifiers of stream entries: two unsigned 64-bit numbers, kept as one: `milliseconds << 64 | sequence`. */
import { ErrorReply, type Bytes } from '../keyspace.js';

const WORD = 2n ** 64n;
export const MAX_ID = WORD * WORD - 1n;
export const BAD_ID = new ErrorReply('ERR Invalid stream ID specified as stream command argument');

export function formatId(id: bigint): Bytes {
  return `${id / WORD}-${id % WORD}`;
}

export function idOf(ms: bigint, sequence: bigint): bigint {
  return ms * WORD + sequence;
}

export function msOf(id: bigint): bigint {
  return id / WORD;
}

/** As C's strtoull reads it, which takes blanks, a plus sign and zeros before it. */
function word(text: Bytes): bigint | undefined {
  if (!/^[ \t-\r]*\+?\d+$/.test(text)) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  return value < WORD ? value : undefined;
}

/** An identifier; without a sequence it has `missing` for one. Undefined: it is none. */
export function parseId(text: Bytes, missing: bigint): bigint | undefined {
  if (text.length === 0 || text.length > 127) return undefined;
  const dash = text.indexOf('-');
  const ms = word(dash < 0 ? text : text.slice(0, dash));
  const sequence = dash < 0 ? missing : word(text.slice(dash + 1));
  return ms === undefined || sequence === undefined ? undefined : idOf(ms, sequence);
}

/** What XADD is given instead of an identifier: all of it, or the sequence, is the server's to choose. */
export type GivenId = { readonly id: bigint } | { readonly ms: bigint } | 'auto';

export function parseGivenId(text: Bytes): GivenId | undefined {
  if (text === '*') return 'auto';
  if (text.endsWith('-*')) {
    const ms = word(text.slice(0, -2));
    return ms === undefined ? undefined : { ms };
  }
  const id = parseId(text, 0n);
  return id === undefined ? undefined : { id };
}

/** The bound of a range: `-`, `+`, an identifier (its missing sequence widens the range), `(` before it leaves it out. */
export function parseBound(text: Bytes, isEnd: boolean): bigint | ErrorReply {
  if (text === '-') return 0n;
  if (text === '+') return MAX_ID;
  const exclusive = text.startsWith('(');
  const id = parseId(exclusive ? text.slice(1) : text, isEnd ? WORD - 1n : 0n);
  if (id === undefined) return BAD_ID;
  if (!exclusive) return id;
  const next = isEnd ? id - 1n : id + 1n;
  if (next < 0n) return new ErrorReply('ERR invalid end ID for the interval');
  return next > MAX_ID ? new ErrorReply('ERR invalid start ID for the interval') : next;
}
