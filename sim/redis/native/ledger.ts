/**
 * Who uses how much memory, kept while `maxmemory` is set. The reckoning is lockpick's own: {@link PER_KEY} bytes for a key
 * and its bookkeeping, {@link PER_ITEM} for each further string that a collection holds, and the bytes of all of them. Redis
 * samples a few keys to evict the worst of them; here the worst of all is found.
 */
import type { Bytes, EvictionPolicy } from '../keyspace.js';
import type { ScriptRandom } from '../lua/random.js';
import type { Entry } from './entry.js';

export const PER_KEY = 64;
const PER_ITEM = 24;
/** A key that is new counts as used a little (Redis `LFU_INIT_VAL`); each quiet minute takes one from the count. */
const NEW_COUNT = 5;
const DECAY_MS = 60_000;
/** How much harder each further use counts (Redis `lfu-log-factor`). */
const LOG_FACTOR = 10;

interface Row {
  entry: Entry;
  bytes: number;
  count: number;
  usedMs: number;
}

export class Ledger {
  /** By name, the one unused for longest first. */
  readonly #rows = new Map<Bytes, Row>();
  #total = 0;

  constructor(
    private readonly clock: { readonly nowMs: number },
    private readonly random: ScriptRandom,
  ) {}

  get bytes(): number {
    return this.#total;
  }

  /** A key was read or is about to be changed. */
  used(name: Bytes): void {
    const row = this.#rows.get(name);
    if (row === undefined) return;
    this.#rows.delete(name);
    this.#rows.set(name, row);
    row.count = this.#decayed(row);
    if (this.random.next() < 1 / (Math.max(0, row.count - NEW_COUNT) * LOG_FACTOR + 1) && row.count < 255)
      row.count++;
    row.usedMs = this.clock.nowMs;
  }

  /** @param entry what the key holds now; null: it is gone */
  changed(name: Bytes, entry: Entry | null): void {
    const row = this.#rows.get(name);
    if (row !== undefined) {
      this.#total -= row.bytes;
      this.#rows.delete(name);
    }
    if (entry === null) return;
    const bytes = PER_KEY + name.length + bytesOf(entry);
    this.#total += bytes;
    const { count } = row ?? { count: NEW_COUNT };
    this.#rows.set(name, { entry, bytes, count, usedMs: this.clock.nowMs });
  }

  idleMs(name: Bytes): number {
    return this.clock.nowMs - (this.#rows.get(name)?.usedMs ?? this.clock.nowMs);
  }

  frequency(name: Bytes): number {
    const row = this.#rows.get(name);
    return row === undefined ? 0 : this.#decayed(row);
  }

  /** The name of the key to evict next; undefined: the policy has none. */
  victim(policy: EvictionPolicy): Bytes | undefined {
    const volatile = policy.startsWith('volatile-');
    switch (policy) {
      case 'noeviction':
        return undefined;
      case 'allkeys-lru':
      case 'volatile-lru':
        return this.#first(volatile);
      case 'allkeys-random':
      case 'volatile-random':
        return this.#any(volatile);
      case 'allkeys-lfu':
      case 'volatile-lfu':
        return this.#least(volatile, (row) => this.#decayed(row));
      case 'volatile-ttl':
        return this.#least(true, ({ entry }) => entry.deadlineMs!);
    }
  }

  #decayed({ count, usedMs }: Row): number {
    return Math.max(0, count - Math.floor((this.clock.nowMs - usedMs) / DECAY_MS));
  }

  #first(volatile: boolean): Bytes | undefined {
    for (const [name, { entry }] of this.#rows) if (!volatile || entry.deadlineMs !== null) return name;
    return undefined;
  }

  #any(volatile: boolean): Bytes | undefined {
    const names: Bytes[] = [];
    for (const [name, { entry }] of this.#rows) if (!volatile || entry.deadlineMs !== null) names.push(name);
    return names[Math.floor(this.random.next() * names.length)];
  }

  /** Of equals the one unused for longest. */
  #least(volatile: boolean, rank: (row: Row) => number): Bytes | undefined {
    let best: Bytes | undefined;
    let least = Infinity;
    for (const [name, row] of this.#rows) {
      if (volatile && row.entry.deadlineMs === null) continue;
      const value = rank(row);
      if (best !== undefined && value >= least) continue;
      best = name;
      least = value;
    }
    return best;
  }
}

/** Bytes of a value by the reckoning above. */
export function bytesOf(entry: Entry): number {
  let bytes = 0;
  const item = (text: Bytes) => {
    bytes += PER_ITEM + text.length;
  };
  switch (entry.kind) {
    case 'string':
      return entry.value.length;
    case 'hash':
      for (const [field, value] of entry.value) {
        item(field);
        item(value);
      }
      return bytes;
    case 'list':
    case 'set':
      for (const each of entry.value) item(each);
      return bytes;
    case 'zset':
      for (const member of entry.value.scores.keys()) {
        item(member);
        bytes += 8;
      }
      return bytes;
    case 'stream':
      for (const { fields } of entry.value.entries) {
        bytes += PER_ITEM;
        for (const each of fields) item(each);
      }
      return bytes;
  }
}
