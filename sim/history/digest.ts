import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { History } from './events.js';
import { historyLines } from './jsonl.js';

/** Characters encoded at a time: enough that the calls don't count, little enough to keep memory flat. */
const CHUNK = 64 * 1024;

/** SHA-256 of the canonical text (see jsonl.ts), as 64 hexadecimal digits. Runs in Node and in a browser. */
export function digest(history: History): string {
  const hash = sha256.create();
  const encoder = new TextEncoder();
  let pending = '';
  for (const line of historyLines(history)) {
    pending += `${line}\n`;
    if (pending.length >= CHUNK) {
      hash.update(encoder.encode(pending));
      pending = '';
    }
  }
  hash.update(encoder.encode(pending));
  return bytesToHex(hash.digest());
}
