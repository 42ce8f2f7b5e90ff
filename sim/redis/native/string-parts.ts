/** Commands on parts of strings and on their bits. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { clampRange } from './collections.js';
import { command, NOT_INTEGER, SYNTAX, WRONG_TYPE, type Command } from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import { write } from './strings.js';

const BAD_OFFSET = new ErrorReply('ERR offset is out of range');
const TOO_LONG = new ErrorReply('ERR string exceeds maximum allowed size (proto-max-bulk-len)');
const BAD_BIT_OFFSET = new ErrorReply('ERR bit offset is not an integer or out of range');
const BAD_BIT = new ErrorReply('ERR bit is not an integer or out of range');
const LONGEST = 512 * 1024 * 1024;

/** The text of a key, undefined for none. */
function textOf(engine: Engine, key: Bytes): Bytes | undefined | ErrorReply {
  const entry = engine.store.find(key);
  if (entry === undefined) return undefined;
  return entry.kind === 'string' ? entry.value : WRONG_TYPE;
}

function setRange(engine: Engine, args: readonly Bytes[]): Reply {
  const offset = parseInteger(args[2]!);
  if (offset === undefined) return NOT_INTEGER;
  if (offset < 0) return BAD_OFFSET;
  const text = textOf(engine, args[1]!);
  if (text instanceof ErrorReply) return text;
  const old = text ?? '';
  const part = args[3]!;
  if (part === '') return old.length;
  if (offset + part.length > LONGEST) return TOO_LONG;
  const value = old.slice(0, offset).padEnd(offset, '\0') + part + old.slice(offset + part.length);
  write(engine, args[1]!, engine.store.find(args[1]!), value);
  return value.length;
}

function getRange(engine: Engine, args: readonly Bytes[]): Reply {
  const start = parseInteger(args[2]!);
  const end = parseInteger(args[3]!);
  if (start === undefined || end === undefined) return NOT_INTEGER;
  const text = textOf(engine, args[1]!);
  if (text instanceof ErrorReply) return text;
  if (text === undefined || (start < 0 && end < 0 && start > end)) return '';
  const from = Math.max(0, start < 0 ? text.length + start : start);
  const to = Math.min(text.length - 1, Math.max(0, end < 0 ? text.length + end : end));
  return from > to ? '' : text.slice(from, to + 1);
}

function bitOffset(text: Bytes): number | undefined {
  const offset = parseInteger(text);
  return offset === undefined || offset < 0 || offset >= LONGEST * 8 ? undefined : offset;
}

function bitAt(text: Bytes, offset: number): number {
  const byte = text.charCodeAt(offset >> 3);
  return Number.isNaN(byte) ? 0 : (byte >> (7 - (offset & 7))) & 1;
}

function getBit(engine: Engine, args: readonly Bytes[]): Reply {
  const offset = bitOffset(args[2]!);
  if (offset === undefined) return BAD_BIT_OFFSET;
  const text = textOf(engine, args[1]!);
  return text instanceof ErrorReply ? text : bitAt(text ?? '', offset);
}

function setBit(engine: Engine, args: readonly Bytes[]): Reply {
  const offset = bitOffset(args[2]!);
  if (offset === undefined) return BAD_BIT_OFFSET;
  if (args[3] !== '0' && args[3] !== '1') return BAD_BIT;
  const text = textOf(engine, args[1]!);
  if (text instanceof ErrorReply) return text;
  const at = Math.floor(offset / 8);
  const old = (text ?? '').padEnd(at + 1, '\0');
  const before = bitAt(old, offset);
  const mask = 1 << (7 - (offset & 7));
  const byte = args[3] === '1' ? old.charCodeAt(at) | mask : old.charCodeAt(at) & ~mask;
  const value = old.slice(0, at) + String.fromCharCode(byte) + old.slice(at + 1);
  write(engine, args[1]!, engine.store.find(args[1]!), value);
  return before;
}

/** BITCOUNT key [start end [BYTE | BIT]] */
function bitCount(engine: Engine, args: readonly Bytes[]): Reply {
  const text = textOf(engine, args[1]!);
  if (text === undefined) return 0;
  if (text instanceof ErrorReply) return text;
  if (args.length === 3 || args.length > 5) return SYNTAX;
  let bits: readonly [number, number] | null = [0, text.length * 8 - 1];
  if (args.length > 3) {
    const start = parseInteger(args[2]!);
    const end = parseInteger(args[3]!);
    if (start === undefined || end === undefined) return NOT_INTEGER;
    const unit = args[4]?.toLowerCase() ?? 'byte';
    if (unit !== 'byte' && unit !== 'bit') return SYNTAX;
    if (start < 0 && end < 0 && start > end) return 0;
    const size = unit === 'bit' ? text.length * 8 : text.length;
    bits = clampRange(start, Math.max(end, -size), size);
    if (bits !== null && unit === 'byte') bits = [bits[0] * 8, bits[1] * 8 + 7];
  }
  if (bits === null) return 0;
  let count = 0;
  for (let i = bits[0]; i <= bits[1]; i++) count += bitAt(text, i);
  return count;
}

export const STRING_PARTS: readonly Command[] = [
  command('setrange', setRange),
  command('getrange', getRange),
  command('substr', getRange),
  command('getbit', getBit),
  command('setbit', setBit),
  command('bitcount', bitCount),
];
