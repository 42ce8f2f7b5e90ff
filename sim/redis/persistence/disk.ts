/** What a server keeps on its disk, and what it finds there when it starts again. */
import type { Clocks } from '../../kernel/clock.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Pausable } from '../../kernel/heap.js';
import type { Bytes, KeyRecord } from '../keyspace.js';

/** How a server ended: in good order, by a crash of its process, or with its machine. */
export type Ending = 'shutdown' | 'crash' | 'power';

/** One key as it was written: its value, and who had set it. */
export interface Stored {
  readonly record: KeyRecord;
  readonly setter: string | null;
}

/** The place in a history of changes (replication) that saved data belongs to. */
export interface HistoryMark {
  readonly replid: string;
  readonly offset: number;
  readonly writes: number;
}

/** The server whose data a disk keeps. */
export interface DiskOwner extends Pausable {
  readonly kernel: Kernel;
  readonly clocks: Clocks;
  entries(): Iterable<readonly [Bytes, KeyRecord]>;
  record(key: Bytes): KeyRecord | undefined;
  setterOf(key: Bytes): string | null;
  /** Null: nobody has ever replicated its data. */
  historyMark(): HistoryMark | null;
}

export interface Disk {
  /** One command changed these keys; called before its reply leaves. */
  changed(keys: readonly Bytes[]): void;
  /** Everything is another's data now: a replica has loaded a full copy. */
  replaced(): void;
  ended(how: Ending): void;
  /** What a restart finds; null: nothing was ever saved. */
  restore(): ReadonlyMap<Bytes, Stored> | null;
  /** Where in its history the server was when it saved what {@link restore} finds; null: not known. */
  readonly mark: HistoryMark | null;
  /** The server is up again, with what was restored. */
  started(): void;
  /** SAVE, BGSAVE: everything as it is now. */
  save(): void;
  /** Whole seconds of the server's wall clock at the last save (LASTSAVE); its start if there was none. */
  readonly lastSaveS: number;
  /** The server's wall clock jumped. */
  clockChanged(): void;
  /** Lines of INFO persistence. */
  info(): readonly string[];
}

export function contentsOf(owner: DiskOwner): Map<Bytes, Stored> {
  const contents = new Map<Bytes, Stored>();
  for (const [key, record] of owner.entries()) contents.set(key, { record, setter: owner.setterOf(key) });
  return contents;
}

/** Whole seconds of the server's wall clock, as Redis counts its save points and syncs. */
export function wallSeconds({ clocks, kernel }: DiskOwner): number {
  return Math.floor(clocks.wallUs(kernel.nowUs) / 1e6);
}

/** Redis looks after its disk ten times a second. */
const CRON_US = 100_000;

/** True time of the first turn of the server's cron at or after a true time. */
export function cronTurn({ clocks }: DiskOwner, fromUs: number): number {
  return clocks.whenMono(Math.ceil(clocks.monoUs(fromUs) / CRON_US) * CRON_US, fromUs);
}

/** True time of the next turn of the cron after now. */
export function nextCronTurn(owner: DiskOwner): number {
  return cronTurn(owner, owner.kernel.nowUs + 1);
}
