/** Between JavaScript values and the byte strings that servers hold. ASCII, the rule, passes unchanged. */
import type { Bytes } from '../../redis/keyspace.js';

// eslint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A command's argument as ioredis sends it: strings in UTF-8, byte arrays as they are, the rest as text. */
export function encodeArgument(value: unknown): Bytes {
  if (typeof value === 'string')
    return BEYOND_ASCII.test(value) ? fromByteArray(encoder.encode(value)) : value;
  if (value instanceof Uint8Array) return fromByteArray(value);
  if (value === null || value === undefined) return '';
  return encodeArgument(String(value as string | number | boolean));
}

export function decodeBytes(bytes: Bytes): string {
  return BEYOND_ASCII.test(bytes) ? decoder.decode(toByteArray(bytes)) : bytes;
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
