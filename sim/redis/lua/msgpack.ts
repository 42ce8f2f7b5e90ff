/** The `cmsgpack` library: Lua values to and from MessagePack. */
import { badArgument, integerArgument, stringArgument } from './arguments.js';
import { LuaError, raise } from './errors.js';
import { bytesOfFloat, floatOfBytes } from './struct.js';
import { LuaTable, type LuaValue } from './table.js';

/** Tables nested deeper are packed as nil. */
const MAX_NESTING = 16;

/** An unsigned integer of `size` bytes, big-endian; negative ones as two's complement. */
function bigEndian(value: number, size: number): string {
  let bytes = '';
  let rest = BigInt.asUintN(64, BigInt(value));
  for (let i = 0; i < size; i++) {
    bytes = String.fromCharCode(Number(rest & 255n)) + bytes;
    rest >>= 8n;
  }
  return bytes;
}

const tagged = (tag: number, value: number, size: number): string =>
  String.fromCharCode(tag) + bigEndian(value, size);

function packInteger(value: number): string {
  if (value >= 0) {
    if (value <= 0x7f) return String.fromCharCode(value);
    if (value <= 0xff) return tagged(0xcc, value, 1);
    if (value <= 0xffff) return tagged(0xcd, value, 2);
    return value <= 0xffffffff ? tagged(0xce, value, 4) : tagged(0xcf, value, 8);
  }
  if (value >= -32) return String.fromCharCode(256 + value);
  if (value >= -0x80) return tagged(0xd0, value, 1);
  if (value >= -0x8000) return tagged(0xd1, value, 2);
  return value >= -0x80000000 ? tagged(0xd2, value, 4) : tagged(0xd3, value, 8);
}

function packNumber(value: number): string {
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) return packInteger(value);
  return Math.fround(value) === value
    ? `\xca${bytesOfFloat(value, 4, true)}`
    : `\xcb${bytesOfFloat(value, 8, true)}`;
}

function packString(text: string): string {
  const { length } = text;
  if (length < 32) return String.fromCharCode(0xa0 | length) + text;
  if (length <= 0xff) return tagged(0xd9, length, 1) + text;
  return (length <= 0xffff ? tagged(0xda, length, 2) : tagged(0xdb, length, 4)) + text;
}

/** The head of an array or map of `count` entries. */
function head(count: number, small: number, medium: number): string {
  if (count <= 15) return String.fromCharCode(small | count);
  return count <= 0xffff ? tagged(medium, count, 2) : tagged(medium + 1, count, 4);
}

/** The length of a table whose keys are 1..n; -1: it is a map. */
function arrayLength(keys: readonly LuaValue[]): number {
  let most = 0;
  for (const key of keys) {
    if (typeof key !== 'number' || key <= 0 || !Number.isInteger(key)) return -1;
    if (key > most) most = key;
  }
  return most === keys.length ? most : -1;
}

function packTable(table: LuaTable, level: number): string {
  const keys = table.keys();
  const length = arrayLength(keys);
  if (length >= 0) {
    let out = head(length, 0x90, 0xdc);
    for (let i = 1; i <= length; i++) out += packValue(table.get(i), level + 1);
    return out;
  }
  let out = head(keys.length, 0x80, 0xde);
  for (const key of keys) out += packValue(key, level + 1) + packValue(table.get(key), level + 1);
  return out;
}

function packValue(value: LuaValue, level: number): string {
  if (typeof value === 'string') return packString(value);
  if (typeof value === 'boolean') return value ? '\xc3' : '\xc2';
  if (typeof value === 'number') return packNumber(value);
  if (value instanceof LuaTable && level < MAX_NESTING) return packTable(value, level);
  return '\xc0';
}

/** `cmsgpack.pack(...)`: the values one after the other. */
export function msgpackPack(line: number, ...args: LuaValue[]): string {
  if (args.length === 0) badArgument(line, 0, 'pack', 'MessagePack pack needs input.');
  return args.map((value) => packValue(value, 0)).join('');
}

/** Takes values out of packed bytes. */
class Unpacker {
  constructor(
    readonly bytes: string,
    public at: number,
    readonly line: number,
  ) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  #take(count: number): string {
    if (this.left < count) raise(this.line, 'Missing bytes in input.');
    this.at += count;
    return this.bytes.slice(this.at - count, this.at);
  }

  #unsigned(size: number): number {
    let value = 0;
    for (const byte of this.#take(size)) value = value * 256 + byte.charCodeAt(0);
    return value;
  }

  #signed(size: number): number {
    let value = 0n;
    for (const byte of this.#take(size)) value = (value << 8n) | BigInt(byte.charCodeAt(0));
    return Number(BigInt.asIntN(size * 8, value));
  }

  value(): LuaValue {
    const tag = this.#unsigned(1);
    if (tag <= 0x7f) return tag;
    if (tag >= 0xe0) return tag - 256;
    if (tag <= 0x8f) return this.#map(tag & 15);
    if (tag <= 0x9f) return this.#array(tag & 15);
    if (tag <= 0xbf) return this.#take(tag & 31);
    return this.#long(tag);
  }

  #long(tag: number): LuaValue {
    switch (tag) {
      case 0xc0:
        return undefined;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return floatOfBytes(this.#take(4), true);
      case 0xcb:
        return floatOfBytes(this.#take(8), true);
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (tag - 0xcc));
      case 0xcf:
        // Unsigned in the format; the library counts with the sign all the same.
        return this.#signed(8);
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return this.#signed(1 << (tag - 0xd0));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#take(this.#unsigned(1 << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (tag - 0xdc)));
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (tag - 0xde)));
      default:
        return raise(this.line, 'Bad data format in input.');
    }
  }

  #array(length: number): LuaTable {
    const table = new LuaTable();
    for (let i = 1; i <= length; i++) table.set(i, this.value());
    return table;
  }

  #map(length: number): LuaTable {
    const table = new LuaTable();
    for (let i = 0; i < length; i++) {
      const key = this.value();
      const value = this.value();
      // Raised by the interpreter under the library's own C function: the message has no place.
      if (key === undefined) throw new LuaError('table index is nil', this.line);
      if (key !== key) throw new LuaError('table index is NaN', this.line);
      table.set(key, value);
    }
    return table;
  }
}

/** Up to `limit` values (0: all there are) from `offset`; with a limit, the next offset (-1: the end) comes first. */
function unpackFrom(line: number, bytes: string, limit: number, offset: number): LuaValue[] {
  if (limit < 0 || offset < 0) {
    raise(line, `Invalid request to unpack with offset of ${offset} and limit of ${bytes.length}.`);
  }
  if (offset > bytes.length) {
    raise(line, `Start offset ${offset} greater than input length ${bytes.length}.`);
  }
  const all = limit === 0 && offset === 0;
  const most = all ? Infinity : limit;
  const input = new Unpacker(bytes, offset, line);
  const values: LuaValue[] = [];
  while (input.left > 0 && values.length < most) values.push(input.value());
  if (!all) values.unshift(input.left === 0 ? -1 : input.at);
  return values;
}

export function msgpackUnpack(line: number, ...args: LuaValue[]): LuaValue[] {
  return unpackFrom(line, stringArgument(line, args, 1, 'unpack'), 0, 0);
}

/** `cmsgpack.unpack_one(bytes [, offset])`. */
export function msgpackUnpackOne(line: number, ...args: LuaValue[]): LuaValue[] {
  const offset = integerArgument(line, args, 2, 'unpack_one', 0);
  return unpackFrom(line, stringArgument(line, args, 1, 'unpack_one'), 1, offset);
}

/** `cmsgpack.unpack_limit(bytes, limit [, offset])`. */
export function msgpackUnpackLimit(line: number, ...args: LuaValue[]): LuaValue[] {
  const limit = integerArgument(line, args, 2, 'unpack_limit');
  const offset = integerArgument(line, args, 3, 'unpack_limit', 0);
  return unpackFrom(line, stringArgument(line, args, 1, 'unpack_limit'), limit, offset);
}
