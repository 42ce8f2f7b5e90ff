import type { Bytes, ErrorReply } from '../keyspace.js';
import { WRONG_TYPE } from './command.js';
import type { Engine } from './engine.js';
import type { Entry, EntryKind } from './entry.js';

export type EntryFor<Kind extends EntryKind> = Extract<Entry, { kind: Kind }>;

/** The live entry of a key if it is of this kind; undefined: no such key. */
export function entryOf<Kind extends EntryKind>(
  engine: Engine,
  key: Bytes,
  kind: Kind,
): EntryFor<Kind> | ErrorReply | undefined {
  const entry = engine.store.find(key);
  if (entry === undefined || entry.kind === kind) return entry as EntryFor<Kind> | undefined;
  return WRONG_TYPE;
}

/** Reports what became of a collection: created, changed, or, now that it is empty, gone. */
export function settle(engine: Engine, key: Bytes, entry: Entry, size: number, isNew: boolean): void {
  if (size === 0) {
    if (!isNew) engine.store.remove(key);
  } else if (isNew) {
    engine.store.put(key, entry);
  } else {
    engine.store.changed(key, entry);
  }
}

/** Start and end of a range whose ends may count from the back; null: the range is empty. */
export function clampRange(start: number, end: number, size: number): readonly [number, number] | null {
  const from = Math.max(0, start < 0 ? size + start : start);
  const to = Math.min(size - 1, end < 0 ? size + end : end);
  return from > to || from >= size ? null : [from, to];
}
