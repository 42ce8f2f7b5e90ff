/** Between JavaScript values and the byte strings that servers hold. ASCII, the rule, passes unchanged. */
import type { Bytes } from '../../redis/keyspace.js';

// eslint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Up to here a loop is faster than starting the regular expression engine. */
const SHORT = 64;

/** The last long argument that was ASCII. */
let lastScript = '';

function isAscii(text: string): boolean {
  if (text.length > SHORT) return !BEYOND_ASCII.test(text);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** A command's argument as ioredis sends it: strings in UTF-8, byte arrays as they are, the rest as text. */
export function encodeArgument(value: unknown): Bytes {
  if (typeof value === 'string') {
    // A script is the same string object each time.
    if (value === lastScript) return value;
    if (!isAscii(value)) return fromByteArray(encoder.encode(value));
    if (value.length > SHORT) lastScript = value;
    return value;
  }
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return fromByteArray(value);
  if (value === null || value === undefined) return '';
  return encodeArgument(String(value as bigint | boolean));
}

export function decodeBytes(bytes: Bytes): string {
  return isAscii(bytes) ? bytes : decoder.decode(toByteArray(bytes));
}

function fromByteArray(bytes: Uint8Array): Bytes {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function toByteArray(bytes: Bytes): Uint8Array {
  const array = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) array[i] = bytes.charCodeAt(i);
  return array;
}
