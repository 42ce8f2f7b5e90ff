/** The `struct` library: values to and from packed binary, by a format string. */
import { badArgument, numberArgument, stringArgument } from './arguments.js';
import { raise } from './errors.js';
import { toNumber } from './runtime.js';
import type { LuaValue } from './table.js';

const MAX_INTEGER_SIZE = 32;
const INT_MAX = 0x7fffffff;
const DEFAULT_ALIGNMENT = 8;

const FIXED_SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, l: 8, t: 8, f: 4, d: 8, x: 1 };

/** A format being read. Byte order and alignment hold from where they are set. */
class Format {
  bigEndian = false;
  #alignment = 1;
  #at = 0;
  /** The option that {@link next} read, and how many bytes it takes where that is fixed. */
  option = '';
  size = 0;
  readonly #text: string;

  constructor(
    text: string,
    readonly line: number,
    readonly caller: string,
  ) {
    // A C string: a zero byte ends it.
    const end = text.indexOf('\0');
    this.#text = end < 0 ? text : text.slice(0, end);
  }

  next(): boolean {
    if (this.#at >= this.#text.length) return false;
    this.option = this.#text[this.#at++]!;
    this.size = this.#sizeOf(this.option);
    return true;
  }

  #sizeOf(option: string): number {
    if (option === 'c') return this.#number(1);
    if (option === 'i' || option === 'I') {
      const size = this.#number(4);
      if (size > MAX_INTEGER_SIZE)
        raise(this.line, `integral size ${size} is larger than limit of ${MAX_INTEGER_SIZE}`);
      return size;
    }
    const key = option === 'T' ? 't' : /[BHL]/.test(option) ? option.toLowerCase() : option;
    return option === 't' || !Object.hasOwn(FIXED_SIZES, key) ? 0 : FIXED_SIZES[key]!;
  }

  #number(fallback: number): number {
    if (!/[0-9]/.test(this.#text[this.#at] ?? '')) return fallback;
    let value = 0;
    for (; /[0-9]/.test(this.#text[this.#at] ?? ''); this.#at++) {
      value = value * 10 + Number(this.#text[this.#at]);
      if (value > INT_MAX) raise(this.line, 'integral size overflow');
    }
    return value;
  }

  /** Bytes to skip at `position` so that the option is aligned. */
  padding(position: number): number {
    if (this.size === 0 || this.option === 'c') return 0;
    const unit = Math.min(this.size, this.#alignment);
    return unit > 1 ? (unit - (position & (unit - 1))) & (unit - 1) : 0;
  }

  /** Takes an option that stands for no value. */
  control(): void {
    switch (this.option) {
      case ' ':
        return;
      case '>':
        this.bigEndian = true;
        return;
      case '<':
        this.bigEndian = false;
        return;
      case '!': {
        const alignment = this.#number(DEFAULT_ALIGNMENT);
        if (alignment === 0 || (alignment & (alignment - 1)) !== 0)
          raise(this.line, `alignment ${alignment} is not a power of 2`);
        this.#alignment = alignment;
        return;
      }
      default:
        badArgument(this.line, 1, this.caller, `invalid format option '${this.option}'`);
    }
  }
}

/** C's conversion of a double to 64 bits on x86-64; what does not fit is lost. */
function toBits64(value: number): bigint {
  if (Number.isNaN(value)) return 1n << 63n;
  if (value < 0) return value >= -(2 ** 63) ? BigInt.asUintN(64, BigInt(Math.trunc(value))) : 1n << 63n;
  return value < 2 ** 64 ? BigInt(Math.trunc(value)) : 0n;
}

function bytesOfInteger(value: number, size: number, bigEndian: boolean): string {
  let rest = toBits64(value);
  const bytes: string[] = [];
  for (let i = 0; i < size; i++) {
    bytes.push(String.fromCharCode(Number(rest & 255n)));
    rest >>= 8n;
  }
  return (bigEndian ? bytes.reverse() : bytes).join('');
}

function integerOfBytes(bytes: string, bigEndian: boolean, signed: boolean): number {
  let value = 0n;
  for (let i = 0; i < bytes.length; i++) {
    value = BigInt.asUintN(
      64,
      (value << 8n) | BigInt(bytes.charCodeAt(bigEndian ? i : bytes.length - 1 - i)),
    );
  }
  if (!signed) return Number(value);
  // The sign is looked for in the bit that a 64-bit shift reaches, and everything above is filled with it.
  const mask = BigInt.asUintN(64, -1n << BigInt((bytes.length * 8 - 1) & 63));
  return Number(BigInt.asIntN(64, (value & mask) === 0n ? value : value | mask));
}

const SCRATCH = new DataView(new ArrayBuffer(8));

/** A float (4 bytes) or double (8 bytes) as a byte string. */
export function bytesOfFloat(value: number, size: number, bigEndian: boolean): string {
  if (size === 4) SCRATCH.setFloat32(0, value, !bigEndian);
  else SCRATCH.setFloat64(0, value, !bigEndian);
  // 0/0 has its sign bit set on x86-64, where JavaScript's NaN has it clear.
  if (Number.isNaN(value)) SCRATCH.setUint8(bigEndian ? 0 : size - 1, 0xff);
  let bytes = '';
  for (let i = 0; i < size; i++) bytes += String.fromCharCode(SCRATCH.getUint8(i));
  return bytes;
}

export function floatOfBytes(bytes: string, bigEndian: boolean): number {
  for (let i = 0; i < bytes.length; i++) SCRATCH.setUint8(i, bytes.charCodeAt(i));
  return bytes.length === 4 ? SCRATCH.getFloat32(0, !bigEndian) : SCRATCH.getFloat64(0, !bigEndian);
}

/** `struct.pack(format, ...)`. */
export function structPack(line: number, ...args: LuaValue[]): string {
  const format = new Format(stringArgument(line, args, 1, 'pack'), line, 'pack');
  // C pushes a nil behind the arguments: a missing one counts as nil.
  const given = args.length < 2 ? [args[0], undefined] : [...args, undefined];
  let out = '';
  let next = 2;
  while (format.next()) {
    const { option, size } = format;
    out += '\0'.repeat(format.padding(out.length));
    if (/[bBhHlLTiI]/.test(option)) {
      out += bytesOfInteger(numberArgument(line, given, next++, 'pack'), size, format.bigEndian);
    } else if (option === 'x') {
      out += '\0';
    } else if (option === 'f' || option === 'd') {
      out += bytesOfFloat(numberArgument(line, given, next++, 'pack'), size, format.bigEndian);
    } else if (option === 'c' || option === 's') {
      const text = stringArgument(line, given, next++, 'pack');
      if (text.length < size) badArgument(line, next, 'pack', 'string too short');
      out += (size === 0 ? text : text.slice(0, size)) + (option === 's' ? '\0' : '');
    } else {
      format.control();
    }
  }
  return out;
}

/** `struct.unpack(format, data [, position])`: the values, and the position behind them. */
export function structUnpack(line: number, ...args: LuaValue[]): LuaValue[] {
  const format = new Format(stringArgument(line, args, 1, 'unpack'), line, 'unpack');
  const data = stringArgument(line, args, 2, 'unpack');
  const first = args[2] === undefined ? 1 : Math.trunc(numberArgument(line, args, 3, 'unpack'));
  if (first === 0) badArgument(line, 3, 'unpack', 'offset must be 1 or greater');
  const tooShort = () => badArgument(line, 2, 'unpack', 'data string too short');
  const values: LuaValue[] = [];
  // A negative position is a huge one in C.
  let at = first < 0 ? Infinity : first - 1;
  while (format.next()) {
    let { size } = format;
    const { option } = format;
    if (at !== Infinity) at += format.padding(at);
    if (at + size > data.length) tooShort();
    if (/[bBhHlLTiI]/.test(option)) {
      values.push(integerOfBytes(data.slice(at, at + size), format.bigEndian, /[a-z]/.test(option)));
    } else if (option === 'f' || option === 'd') {
      values.push(floatOfBytes(data.slice(at, at + size), format.bigEndian));
    } else if (option === 'c') {
      if (size === 0) {
        const before = values.length === 0 ? undefined : toNumber(values.pop());
        if (before === undefined) return raise(line, "format 'c0' needs a previous size");
        size = before < 0 ? Infinity : Math.trunc(before);
        if (at + size > data.length) tooShort();
      }
      values.push(data.slice(at, at + size));
    } else if (option === 's') {
      const end = data.indexOf('\0', at);
      if (end < 0) raise(line, 'unfinished string in data');
      values.push(data.slice(at, end));
      size = end - at + 1;
    } else if (option !== 'x') {
      format.control();
    }
    at += size;
  }
  values.push(at + 1);
  return values;
}

/** `struct.size(format)`. */
export function structSize(line: number, ...args: LuaValue[]): number {
  const format = new Format(stringArgument(line, args, 1, 'size'), line, 'size');
  let size = 0;
  while (format.next()) {
    size += format.padding(size);
    if (format.option === 's') badArgument(line, 1, 'size', "option 's' has no fixed size");
    if (format.option === 'c' && format.size === 0)
      badArgument(line, 1, 'size', "option 'c0' has no fixed size");
    if (!/[a-z0-9]/i.test(format.option)) format.control();
    size += format.size;
  }
  return size;
}
