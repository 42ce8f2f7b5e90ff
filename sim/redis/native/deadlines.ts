/**
 * Deadlines are numbers, exact up to 2^53 milliseconds. The few beyond are kept exactly here, beside their entries, since
 * PTTL and its kin show them to the last digit.
 */
import type { Entry } from './entry.js';
import { exactSpanMs } from './numbers.js';

const beyond = new WeakMap<Entry, bigint>();

/** After a deadline was read from `text` as `spanMs` does: keeps it exactly if a number could not. */
export function keepExact(
  entry: Entry,
  deadlineMs: number,
  text: string,
  unitMs: number,
  baseMs: number,
): void {
  if (!Number.isSafeInteger(deadlineMs)) beyond.set(entry, exactSpanMs(text, unitMs, baseMs));
}

/** `to` has the deadline of `from`. */
export function shareExact(from: Entry, to: Entry): void {
  if (from.deadlineMs === null || Number.isSafeInteger(from.deadlineMs)) return;
  beyond.set(to, exactDeadline(from));
}

/** The deadline of an entry that has one. */
export function exactDeadline(entry: Entry): bigint {
  const kept = beyond.get(entry);
  // What was kept for an earlier deadline of this entry counts no longer.
  return kept !== undefined && Number(kept) === entry.deadlineMs ? kept : BigInt(entry.deadlineMs!);
}
