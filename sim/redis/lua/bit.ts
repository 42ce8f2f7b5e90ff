/** The `bit` library: Mike Pall's BitOp on 32-bit integers. */
import { numberArgument } from './arguments.js';
import type { LuaValue } from './table.js';

/** 2^52 + 2^51: a double plus this one has the double's low 32 bits, rounded to even, in its own low word. */
const MAGIC = 6755399441055744;
const DOUBLE = new Float64Array(1);
const WORDS = new Int32Array(DOUBLE.buffer);

/** A Lua number as BitOp sees it: modulo 2^32, as a signed integer. */
function toBits(line: number, args: readonly LuaValue[], position: number, name: string): number {
  DOUBLE[0] = numberArgument(line, args, position, name) + MAGIC;
  return WORDS[0]!;
}

type BitFunction = (line: number, ...args: LuaValue[]) => LuaValue;

function fold(name: string, combine: (a: number, b: number) => number): BitFunction {
  return (line, ...args) => {
    let result = toBits(line, args, 1, name);
    for (let i = 2; i <= args.length; i++) result = combine(result, toBits(line, args, i, name));
    return result;
  };
}

function shift(name: string, move: (value: number, by: number) => number): BitFunction {
  return (line, ...args) => {
    const value = toBits(line, args, 1, name);
    return move(value, toBits(line, args, 2, name) & 31) | 0;
  };
}

function swapBytes(value: number): number {
  return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
}

/** `bit.tohex(x [, digits])`: the low digits; a negative count asks for capitals. */
function toHex(line: number, ...args: LuaValue[]): string {
  const value = toBits(line, args, 1, 'tohex');
  const wanted = args.length < 2 ? 8 : toBits(line, args, 2, 'tohex');
  const digits = Math.min(8, Math.abs(wanted));
  if (digits === 0) return '';
  const text = (value >>> 0).toString(16).padStart(8, '0').slice(-digits);
  return wanted < 0 ? text.toUpperCase() : text;
}

export const BIT: Readonly<Record<string, BitFunction>> = {
  'bit.tobit': (line, ...args) => toBits(line, args, 1, 'tobit'),
  'bit.bnot': (line, ...args) => ~toBits(line, args, 1, 'bnot'),
  'bit.band': fold('band', (a, b) => a & b),
  'bit.bor': fold('bor', (a, b) => a | b),
  'bit.bxor': fold('bxor', (a, b) => a ^ b),
  'bit.lshift': shift('lshift', (value, by) => value << by),
  'bit.rshift': shift('rshift', (value, by) => value >>> by),
  'bit.arshift': shift('arshift', (value, by) => value >> by),
  'bit.rol': shift('rol', (value, by) => (value << by) | (value >>> ((32 - by) & 31))),
  'bit.ror': shift('ror', (value, by) => (value >>> by) | (value << ((32 - by) & 31))),
  'bit.bswap': (line, ...args) => swapBytes(toBits(line, args, 1, 'bswap')),
  'bit.tohex': toHex,
};
