import type { Bytes } from '../keyspace.js';

/** Sorted set: scores by member, and the members in (score, bytes) order, rebuilt lazily after a change. */
export interface SortedSet {
  readonly scores: Map<Bytes, number>;
  /** Null after a change, until someone asks for the order. */
  order: Bytes[] | null;
}

/** Identifiers are `milliseconds << 64 | sequence`. */
export interface StreamItem {
  readonly id: bigint;
  /** Ordinal of the block in which Redis keeps it: `MAXLEN ~` removes whole blocks. */
  readonly block: number;
  /** Fields and values in turn. */
  readonly fields: readonly Bytes[];
}

export interface Stream {
  /** In order of identifiers. */
  readonly entries: StreamItem[];
  lastId: bigint;
  /** The highest identifier ever deleted. */
  maxDeletedId: bigint;
  /** How many entries were ever added. */
  added: number;
  /** Bytes and entries of the last block. */
  blockBytes: number;
  blockItems: number;
}

/** All kinds have one shape, so that the hot paths stay monomorphic. `deadlineMs` is absolute, null: no expiry. */
interface EntryOf<Kind extends string, Value> {
  readonly kind: Kind;
  value: Value;
  deadlineMs: number | null;
}

export type StringEntry = EntryOf<'string', Bytes>;
export type HashEntry = EntryOf<'hash', Map<Bytes, Bytes>>;
export type ListEntry = EntryOf<'list', Bytes[]>;
export type SetEntry = EntryOf<'set', Set<Bytes>>;
export type SortedSetEntry = EntryOf<'zset', SortedSet>;
export type StreamEntry = EntryOf<'stream', Stream>;

/** The value of one key and its deadline. */
export type Entry = StringEntry | HashEntry | ListEntry | SetEntry | SortedSetEntry | StreamEntry;
export type EntryKind = Entry['kind'];

/** A copy that later changes of the original don't reach: what replication and persistence keep. */
export function copyEntry(entry: Entry): Entry {
  switch (entry.kind) {
    case 'string':
      return { kind: 'string', value: entry.value, deadlineMs: entry.deadlineMs };
    case 'hash':
      return { kind: 'hash', value: new Map(entry.value), deadlineMs: entry.deadlineMs };
    case 'list':
      return { kind: 'list', value: [...entry.value], deadlineMs: entry.deadlineMs };
    case 'set':
      return { kind: 'set', value: new Set(entry.value), deadlineMs: entry.deadlineMs };
    case 'zset':
      return {
        kind: 'zset',
        value: { scores: new Map(entry.value.scores), order: null },
        deadlineMs: entry.deadlineMs,
      };
    case 'stream':
      return {
        kind: 'stream',
        value: { ...entry.value, entries: [...entry.value.entries] },
        deadlineMs: entry.deadlineMs,
      };
  }
}
