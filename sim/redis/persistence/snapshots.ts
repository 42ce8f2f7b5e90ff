/**
 * RDB: the whole data, saved at a point in time: at a save point (so many changes in more than so many seconds), by SAVE and
 * BGSAVE, at an orderly shutdown. A file is complete and synced or not there: a crash of any kind keeps the last one.
 * Source: Redis documentation, "Persistence"; `save` in redis.conf.
 */
import type { KernelEvent } from '../../kernel/heap.js';
import type { Bytes } from '../keyspace.js';
import {
  contentsOf,
  cronTurn,
  wallSeconds,
  type Disk,
  type DiskOwner,
  type Ending,
  type HistoryMark,
  type Stored,
} from './disk.js';

export interface SavePoint {
  readonly afterS: number;
  readonly changes: number;
}

/** A server without files: nothing is saved unless SAVE or BGSAVE says so. */
export class Snapshots implements Disk {
  lastSaveS: number;
  mark: HistoryMark | null = null;
  private saved: Map<Bytes, Stored> | null = null;
  private changes = 0;
  private timer: KernelEvent | null = null;

  /** @param savePoints none: nothing is saved at a shutdown, either */
  constructor(
    private readonly owner: DiskOwner,
    private readonly savePoints: readonly SavePoint[],
  ) {
    this.lastSaveS = wallSeconds(owner);
  }

  changed(keys: readonly Bytes[]): void {
    if (this.savePoints.length === 0) return;
    this.changes += keys.length;
    this.schedule();
  }

  replaced(): void {
    if (this.savePoints.length > 0) this.save();
  }

  ended(how: Ending): void {
    if (how === 'shutdown' && this.savePoints.length > 0) this.save();
    this.stopTimer();
  }

  restore(): ReadonlyMap<Bytes, Stored> | null {
    return this.saved;
  }

  started(): void {
    this.changes = 0;
    this.lastSaveS = wallSeconds(this.owner);
  }

  save(): void {
    this.saved = contentsOf(this.owner);
    this.mark = this.owner.historyMark();
    this.changes = 0;
    this.lastSaveS = wallSeconds(this.owner);
    this.stopTimer();
  }

  clockChanged(): void {
    this.schedule();
  }

  info(): readonly string[] {
    return [
      `rdb_changes_since_last_save:${this.changes}`,
      'rdb_bgsave_in_progress:0',
      `rdb_last_save_time:${this.lastSaveS}`,
      'rdb_last_bgsave_status:ok',
      'aof_enabled:0',
    ];
  }

  private stopTimer(): void {
    if (this.timer !== null) this.owner.kernel.cancel(this.timer);
    this.timer = null;
  }

  /** Wakes at the first turn of the cron at which a save point with enough changes may be over. */
  private schedule(): void {
    this.stopTimer();
    const { owner, changes } = this;
    let dueS = Infinity;
    for (const { afterS, changes: least } of this.savePoints) {
      // Redis saves when more than `afterS` whole seconds have passed.
      if (changes >= least) dueS = Math.min(dueS, this.lastSaveS + afterS + 1);
    }
    if (dueS === Infinity) return;
    const { kernel, clocks } = owner;
    const dueUs = cronTurn(owner, clocks.whenWall(dueS * 1e6, kernel.nowUs));
    this.timer = kernel.at(dueUs, owner, Snapshots.due, this as Snapshots, null, false);
  }

  private static due(snapshots: Snapshots): void {
    snapshots.timer = null;
    snapshots.save();
  }
}
