/** What a server keeps on its disk, and what it finds there when it starts again. */
import type { Bytes, KeyRecord } from '../keyspace.js';

/** How a server ended: in good order, by a crash of its process, or with its machine. */
export type Ending = 'shutdown' | 'crash' | 'power';

/** One key as it was written: its value, and who had set it. */
export interface Stored {
  readonly record: KeyRecord;
  readonly setter: string | null;
}

/** The data that a disk can save at any time: the server's own. */
export interface Snapshot {
  entries(): Iterable<readonly [Bytes, KeyRecord]>;
  record(key: Bytes): KeyRecord | undefined;
  setterOf(key: Bytes): string | null;
}

export interface Disk {
  /** One command changed these keys; called before its reply leaves. */
  changed(keys: readonly Bytes[]): void;
  ended(how: Ending): void;
  /** What a restart finds; null: nothing was ever saved. */
  restore(): ReadonlyMap<Bytes, Stored> | null;
}

/** Nothing is saved. */
export const NO_DISK: Disk = {
  changed: () => {},
  ended: () => {},
  restore: () => null,
};

/** Every acknowledged write is on the disk (`appendfsync always`). */
export class AlwaysDisk implements Disk {
  private readonly saved = new Map<Bytes, Stored>();

  constructor(private readonly data: Snapshot) {}

  changed(keys: readonly Bytes[]): void {
    for (const key of keys) {
      const record = this.data.record(key);
      if (record === undefined) this.saved.delete(key);
      else this.saved.set(key, { record, setter: this.data.setterOf(key) });
    }
  }

  ended(): void {}

  restore(): ReadonlyMap<Bytes, Stored> {
    return this.saved;
  }
}

/** Saved at an orderly shutdown. */
export class ShutdownDisk implements Disk {
  private saved: Map<Bytes, Stored> | null = null;

  constructor(private readonly data: Snapshot) {}

  changed(): void {}

  ended(how: Ending): void {
    if (how !== 'shutdown') return;
    this.saved = new Map();
    for (const [key, record] of this.data.entries()) {
      this.saved.set(key, { record, setter: this.data.setterOf(key) });
    }
  }

  restore(): ReadonlyMap<Bytes, Stored> | null {
    return this.saved;
  }
}
