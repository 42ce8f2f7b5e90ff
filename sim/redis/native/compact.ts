import type { Bytes } from '../keyspace.js';

const ITEMS = 128;
const BYTES = 64;

/** True of collections that Redis keeps as one string (`listpack`) with its own limits: few items, all short. */
export function isCompact(items: Iterable<Bytes>, count: number): boolean {
  if (count > ITEMS) return false;
  for (const item of items) if (item.length > BYTES) return false;
  return true;
}

/** A score as such a sorted set keeps it: integers lose the sign of zero. */
export function keptScore(score: number, scores: ReadonlyMap<Bytes, number>): number {
  return Object.is(score, -0) && isCompact(scores.keys(), scores.size) ? 0 : score;
}
