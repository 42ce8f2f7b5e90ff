/**
 * The extended doubles (64 bits of mantissa) with which INCRBYFLOAT and HINCRBYFLOAT reckon on x86: read from text, added,
 * and written as C's `%.17Lf` without the zeros at its end.
 */
import type { Bytes } from '../keyspace.js';

/** `mantissa * 2^exponent`; infinities apart. */
interface Finite {
  readonly mantissa: bigint;
  readonly exponent: number;
}

export type LongDouble = Finite | 'inf' | '-inf';

const BITS = 64;
const MAX_EXPONENT = 16_384;
const MAX_LENGTH = 5 * 1024;

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** Rounds `numerator / denominator` (not negative) to the nearest integer, ties to even. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

function shifted(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by);
}

/** The nearest value to a fraction. */
function nearest(negative: boolean, numerator: bigint, denominator: bigint): LongDouble {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  let exponent = bitLength(numerator) - bitLength(denominator) - BITS;
  // One more bit than wanted, or just enough: then the scale is moved by one.
  if (
    shifted(numerator, Math.max(0, -exponent)) >=
    shifted(denominator, Math.max(0, exponent)) << BigInt(BITS)
  )
    exponent++;
  const mantissa = divideRounded(
    shifted(numerator, Math.max(0, -exponent)),
    shifted(denominator, Math.max(0, exponent)),
  );
  if (bitLength(mantissa) + exponent > MAX_EXPONENT) return negative ? '-inf' : 'inf';
  return { mantissa: negative ? -mantissa : mantissa, exponent };
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const HEXADECIMAL = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?$/i;

/** As Redis reads one; undefined: it is none. */
export function parseLongDouble(text: Bytes): LongDouble | undefined {
  if (text.length === 0 || text.length >= MAX_LENGTH) return undefined;
  const named = /^([+-]?)inf(inity)?$/i.exec(text);
  if (named !== null) return named[1] === '-' ? '-inf' : 'inf';
  const hex = HEXADECIMAL.exec(text);
  const parts = hex ?? DECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt((hex === null ? '' : '0x') + whole + fraction);
  const exponent = Number(power) - (hex === null ? fraction.length : 4 * fraction.length);
  if (Math.abs(exponent) > 40_000) return digits === 0n ? { mantissa: 0n, exponent: 0 } : undefined;
  const scale = (hex === null ? 10n : 2n) ** BigInt(Math.abs(exponent));
  const value =
    exponent >= 0 ? nearest(sign === '-', digits * scale, 1n) : nearest(sign === '-', digits, scale);
  // What overflows is no number here.
  return typeof value === 'string' ? undefined : value;
}

/** Undefined: not a number (infinities of both signs). */
export function addLongDoubles(a: LongDouble, b: LongDouble): LongDouble | undefined {
  if (typeof a === 'string' || typeof b === 'string') {
    if (typeof a === 'string' && typeof b === 'string') return a === b ? a : undefined;
    return typeof a === 'string' ? a : b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = (a.mantissa << BigInt(a.exponent - exponent)) + (b.mantissa << BigInt(b.exponent - exponent));
  const size = sum < 0n ? -sum : sum;
  return exponent >= 0
    ? nearest(sum < 0n, size << BigInt(exponent), 1n)
    : nearest(sum < 0n, size, 1n << BigInt(-exponent));
}

const PLACES = 17;

export function formatLongDouble({ mantissa, exponent }: Finite): Bytes {
  const negative = mantissa < 0n;
  const size = negative ? -mantissa : mantissa;
  const scaled = size * 10n ** BigInt(PLACES);
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : divideRounded(scaled, 1n << BigInt(-exponent));
  const digits = rounded.toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  const text = digits.slice(0, -PLACES) + (fraction === '' ? '' : `.${fraction}`);
  return negative && text !== '0' ? `-${text}` : text;
}
