/** `cjson.decode`, as lua-cjson 2.1 does it. */
import { badArgument, stringArgument } from './arguments.js';
import { raise } from './errors.js';
import type { JsonSettings } from './json-settings.js';
import { LuaTable, NULL_POINTER, type LuaValue } from './table.js';

/** What C's `strtod` reads, from where it stands. */
const NUMBER =
  /([+-]?)(?:0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(inf(?:inity)?)|(nan(?:\([0-9a-z_]*\))?))/iy;

const PUNCTUATION: Readonly<Record<string, string>> = {
  '{': 'T_OBJ_BEGIN',
  '}': 'T_OBJ_END',
  '[': 'T_ARR_BEGIN',
  ']': 'T_ARR_END',
  ':': 'T_COLON',
  ',': 'T_COMMA',
  '\0': 'T_END',
};

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function utf8(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint);
  const tail = (shift: number) => 0x80 | ((codePoint >> shift) & 0x3f);
  if (codePoint < 0x800) return String.fromCharCode(0xc0 | (codePoint >> 6), tail(0));
  if (codePoint < 0x10000) return String.fromCharCode(0xe0 | (codePoint >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0));
}

class Decoder {
  #at = 0;
  /** The token that was read last: its name (or what is wrong with it), where it stands, and its value. */
  #kind = '';
  #start = 0;
  #value: LuaValue;

  constructor(
    readonly text: string,
    readonly settings: JsonSettings,
    readonly line: number,
  ) {}

  document(): LuaValue {
    this.#next();
    const value = this.#any(0);
    this.#next();
    this.#demand('T_END', 'the end');
    return value;
  }

  /** The value of the token, which must be of this kind. */
  #demand(kind: string, what: string): LuaValue {
    return this.#kind === kind ? this.#value : this.#expected(what);
  }

  #expected(what: string): never {
    return raise(this.line, `Expected ${what} but found ${this.#kind} at character ${this.#start + 1}`);
  }

  #any(depth: number): LuaValue {
    switch (this.#kind) {
      case 'T_STRING':
      case 'T_NUMBER':
      case 'T_BOOLEAN':
      case 'T_NULL':
        return this.#value;
      case 'T_OBJ_BEGIN':
        return this.#object(this.#deeper(depth));
      case 'T_ARR_BEGIN':
        return this.#array(this.#deeper(depth));
      default:
        return this.#expected('value');
    }
  }

  #deeper(depth: number): number {
    if (depth + 1 > this.settings.decodeMaxDepth) {
      raise(this.line, `Found too many nested data structures (${depth + 1}) at character ${this.#at}`);
    }
    return depth + 1;
  }

  #object(depth: number): LuaTable {
    const table = new LuaTable();
    this.#next();
    if (this.#kind === 'T_OBJ_END') return table;
    for (;;) {
      const key = this.#demand('T_STRING', 'object key string');
      this.#next();
      this.#demand('T_COLON', 'colon');
      this.#next();
      table.set(key, this.#any(depth));
      this.#next();
      if (this.#kind === 'T_OBJ_END') return table;
      this.#demand('T_COMMA', 'comma or object end');
      this.#next();
    }
  }

  #array(depth: number): LuaTable {
    const table = new LuaTable();
    this.#next();
    if (this.#kind === 'T_ARR_END') return table;
    for (let i = 1; ; i++) {
      table.set(i, this.#any(depth));
      this.#next();
      if (this.#kind === 'T_ARR_END') return table;
      this.#demand('T_COMMA', 'comma or array end');
      this.#next();
    }
  }

  #token(kind: string, end: number, value?: LuaValue): void {
    this.#kind = kind;
    this.#at = end;
    this.#value = value;
  }

  #next(): void {
    const { text } = this;
    while (/[ \t\n\r]/.test(text[this.#at] ?? '')) this.#at++;
    const at = (this.#start = this.#at);
    const character = text[at] ?? '\0';
    const punctuation = PUNCTUATION[character];
    if (punctuation !== undefined) return this.#token(punctuation, at + 1);
    if (character === '"') return this.#string(at + 1);
    if (/[-0-9]/.test(character)) {
      if (!this.settings.decodeInvalid && this.#isInvalidNumber(at)) return this.#token('invalid number', at);
      return this.#number(at);
    }
    if (text.startsWith('true', at)) return this.#token('T_BOOLEAN', at + 4, true);
    if (text.startsWith('false', at)) return this.#token('T_BOOLEAN', at + 5, false);
    if (text.startsWith('null', at)) return this.#token('T_NULL', at + 4, NULL_POINTER);
    if (this.settings.decodeInvalid && this.#isInvalidNumber(at)) return this.#number(at);
    this.#token('invalid token', at);
  }

  /** Numbers that C reads and JSON does not have: hexadecimal, leading zeros and plus signs, infinities, NaN. */
  #isInvalidNumber(at: number): boolean {
    const text = this.text.slice(at, at + 4);
    return /^(\+|-?(0[x0-9]|inf|nan))/i.test(text);
  }

  #number(at: number): void {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(this.text);
    if (match === null) return this.#token('invalid number', at);
    const [whole, sign, hexWhole = '', hexFraction = '', hexPower, decimal, infinity, nan] = match;
    let size: number;
    if (decimal !== undefined) size = Number(decimal);
    else if (infinity !== undefined) size = Infinity;
    else if (nan !== undefined) size = NaN;
    else if (hexWhole + hexFraction === '') {
      // Only the 0 of `0x` is a number.
      return this.#token('T_NUMBER', at + sign!.length + 1, sign === '-' ? -0 : 0);
    } else {
      const digits = Number(`0x${hexWhole}${hexFraction}`);
      size = digits * 2 ** (Number(hexPower ?? 0) - 4 * hexFraction.length);
    }
    this.#token('T_NUMBER', at + whole.length, sign === '-' ? -size : size);
  }

  #string(from: number): void {
    const { text } = this;
    let value = '';
    let at = from;
    for (;;) {
      const character = text[at] ?? '\0';
      if (character === '"') return this.#token('T_STRING', at + 1, value);
      if (character === '\0') return this.#badString('unexpected end of string', at);
      if (character !== '\\') {
        value += character;
        at++;
        continue;
      }
      const escape = text[at + 1] ?? '\0';
      if (escape === 'u') {
        const [codePoint, length] = this.#unicode(at);
        if (length === 0) return this.#badString('invalid unicode escape code', at);
        value += utf8(codePoint);
        at += length;
      } else {
        const plain = ESCAPES[escape];
        if (plain === undefined) return this.#badString('invalid escape code', at);
        value += plain;
        at += 2;
      }
    }
  }

  #badString(problem: string, at: number): void {
    this.#start = at;
    this.#token(problem, at);
  }

  /** The code point of one escape, or of two that are a surrogate pair, and their length; 0: there is none. */
  #unicode(at: number): [codePoint: number, length: number] {
    const first = this.#hex4(at);
    if (first < 0 || (first & 0xfc00) === 0xdc00) return [0, 0];
    if ((first & 0xfc00) !== 0xd800) return [first, 6];
    const second = this.#hex4(at + 6);
    if (second < 0 || (second & 0xfc00) !== 0xdc00) return [0, 0];
    return [0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff), 12];
  }

  #hex4(at: number): number {
    const match = /^\\u([0-9a-f]{4})/i.exec(this.text.slice(at, at + 6));
    return match === null ? -1 : parseInt(match[1]!, 16);
  }
}

export function jsonDecode(settings: JsonSettings, line: number, ...args: LuaValue[]): LuaValue {
  if (args.length !== 1) badArgument(line, 1, 'decode', 'expected 1 argument');
  const text = stringArgument(line, args, 1, 'decode');
  if (text.length >= 2 && (text[0] === '\0' || text[1] === '\0')) {
    raise(line, 'JSON parser does not support UTF-16 or UTF-32');
  }
  return new Decoder(text, settings, line).document();
}
