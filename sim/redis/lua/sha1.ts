import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const MAX_CACHED = 10_000;
const cache = new Map<string, string>();

/** SHA-1 of a byte string, in lower-case hexadecimal. Remembered, since scripts are sent again and again. */
export function sha1Hex(text: string): string {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const hex = bytesToHex(sha1(bytes));
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, hex);
  return hex;
}
