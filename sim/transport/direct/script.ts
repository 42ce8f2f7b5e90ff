import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();
const known = new Map<string, string>();

/** SHA-1 of a script in hexadecimal, as EVALSHA wants it. */
export function scriptSha(text: string): string {
  let sha = known.get(text);
  if (sha === undefined) known.set(text, (sha = bytesToHex(sha1(encoder.encode(text)))));
  return sha;
}
