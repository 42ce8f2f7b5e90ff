import type { Bytes } from '../keyspace.js';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** With at most this many characters an integer is exact as a JavaScript number. */
const SAFE_LENGTH = 15;

/**
 * Strict integer syntax of Redis (`string2ll`): an optional minus sign, no plus sign, no leading zero, no blanks.
 * Returns undefined where the syntax is wrong; the value may exceed 64 bits.
 */
function hasIntegerSyntax(text: Bytes): boolean {
  const { length } = text;
  if (length === 0) return false;
  let at = 0;
  let code = text.charCodeAt(0);
  if (code === 45) {
    if (length === 1) return false;
    at = 1;
    code = text.charCodeAt(1);
    if (code === 48) return false;
  }
  if (code === 48) return length === 1;
  for (; at < length; at++) {
    code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** A signed 64-bit integer as a number (the nearest one beyond 2^53), or undefined: not one. */
export function parseInteger(text: Bytes): number | undefined {
  if (!hasIntegerSyntax(text)) return undefined;
  if (text.length <= SAFE_LENGTH) return +text;
  if (text.length > 20) return undefined;
  const value = BigInt(text);
  return value > INT64_MAX || value < INT64_MIN ? undefined : Number(value);
}

/** A signed 64-bit integer, exactly, or undefined: not one. */
export function parseInt64(text: Bytes): bigint | undefined {
  if (!hasIntegerSyntax(text) || text.length > 20) return undefined;
  const value = BigInt(text);
  return value > INT64_MAX || value < INT64_MIN ? undefined : value;
}

/**
 * Milliseconds for an amount that {@link parseInteger} accepted, in units of `unitMs`, from `baseMs` on; undefined where
 * they exceed 64 bits. Exact in its verdict, and as exact as a number can be in its value.
 */
export function spanMs(text: Bytes, unitMs: number, baseMs: number): number | undefined {
  if (text.length <= 12) return +text * unitMs + baseMs;
  const amount = BigInt(text) * BigInt(unitMs);
  const total = amount + BigInt(baseMs);
  return amount > INT64_MAX || amount < INT64_MIN || total > INT64_MAX ? undefined : Number(total);
}

/** {@link spanMs} to the last digit. */
export function exactSpanMs(text: Bytes, unitMs: number, baseMs: number): bigint {
  return BigInt(text) * BigInt(unitMs) + BigInt(baseMs);
}

/** An integer reply: a number where that is exact. */
export function integerReply(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function fitsInt64(value: bigint): boolean {
  return value <= INT64_MAX && value >= INT64_MIN;
}

/** As C's `strtod` where it reads the whole text: decimal or hexadecimal, infinite where it overflows; never NaN. */
export function readDouble(text: Bytes): number | undefined {
  const last = text.charCodeAt(text.length - 1);
  if (isBlank(text.charCodeAt(0)) || isBlank(last)) return undefined;
  switch (text.toLowerCase()) {
    case '':
      return undefined;
    case 'inf':
    case '+inf':
    case 'infinity':
    case '+infinity':
      return Infinity;
    case '-inf':
    case '-infinity':
      return -Infinity;
  }
  const value = Number(text);
  if (Number.isNaN(value)) return readHexadecimal(text);
  return /^[+-]?0[bo]/i.test(text) ? undefined : value;
}

/** What JavaScript, too, takes for a blank at the end of a number. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

function readHexadecimal(text: Bytes): number | undefined {
  const found = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/i.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  if (whole + fraction === '') return undefined;
  const value = Number.parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

const NOT_ZERO = /^[+-]?(?:0x[.0]*[1-9a-f]|[.0]*[1-9])/i;

/** A double as Redis reads scores: as C's `strtod` the whole text; not NaN, and not what over- or underflows. */
export function parseDouble(text: Bytes): number | undefined {
  if (text.length > 255) return undefined;
  const value = readDouble(text);
  if (value === Infinity || value === -Infinity) return /inf/i.test(text) ? value : undefined;
  return value === 0 && text !== '0' && NOT_ZERO.test(text) ? undefined : value;
}

/** A bound of a score range: as a score, but of any size, blanks before it count for nothing, and no text is zero. */
export function parseScoreBound(text: Bytes): number | undefined {
  if (text === '' || text.startsWith('\0')) return 0;
  const end = text.indexOf('\0');
  return readDouble((end < 0 ? text : text.slice(0, end)).replace(/^[ \t-\r]+/, ''));
}

/** As C's `%.17g`: what Redis writes for a score or a script's number. */
export function formatDouble(value: number, precision = 17): Bytes {
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  if (Number.isNaN(value)) return 'nan';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e14) return String(value);
  const [mantissa = '', exponentText = '0'] = value.toExponential(precision - 1).split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= precision) {
    const digits = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    const size = Math.abs(exponent);
    return `${digits}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
  }
  const fixed = value.toFixed(Math.max(0, precision - 1 - exponent));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}
