/**
 * AOF: every change is appended to a file before the reply leaves. What was appended survives a crash of the process; what the
 * disk has synced survives the loss of power. `always` syncs before the reply; `everysec` when the server's wall clock shows a later second
 * than at the last sync, looked at with each change and in the cron; `no` leaves it to the kernel.
 * Source: Redis documentation, "Persistence"; `appendfsync` in redis.conf.
 */
import type { KernelEvent } from '../../kernel/heap.js';
import type { Bytes } from '../keyspace.js';
import {
  contentsOf,
  nextCronTurn,
  wallSeconds,
  type Disk,
  type DiskOwner,
  type Ending,
  type Stored,
} from './disk.js';

export type SyncPolicy = 'always' | 'everysec' | 'no';

/** Linux writes dirty pages back when they are this old, by default (`vm.dirty_expire_centisecs`). */
const WRITE_BACK_US = 30_000_000;

interface Appended {
  readonly key: Bytes;
  /** Undefined: the key is gone. */
  readonly stored: Stored | undefined;
  readonly atUs: number;
}

export class AppendOnlyFile implements Disk {
  readonly lastSaveS: number;
  /** The file has none: replicas of a restarted server need a full copy (only RDB files carry it). */
  readonly mark = null;
  private readonly synced = new Map<Bytes, Stored>();
  /** Appended and not synced, in order. */
  private suffix: Appended[] = [];
  private lastSyncS: number;
  private timer: KernelEvent | null = null;

  constructor(
    private readonly owner: DiskOwner,
    private readonly policy: SyncPolicy,
  ) {
    this.lastSaveS = wallSeconds(owner);
    this.lastSyncS = this.lastSaveS;
  }

  changed(keys: readonly Bytes[]): void {
    const { owner, suffix } = this;
    const atUs = owner.kernel.nowUs;
    for (const key of keys) {
      const record = owner.record(key);
      suffix.push({ key, stored: record && { record, setter: owner.setterOf(key) }, atUs });
    }
    if (this.policy === 'always') this.sync(suffix.length);
    else this.look();
  }

  replaced(): void {
    this.suffix = [];
    this.synced.clear();
    for (const [key, stored] of contentsOf(this.owner)) this.synced.set(key, stored);
  }

  ended(how: Ending): void {
    if (how === 'power') this.suffix = [];
    else this.sync(this.suffix.length);
    if (this.timer !== null) this.owner.kernel.cancel(this.timer);
    this.timer = null;
  }

  restore(): ReadonlyMap<Bytes, Stored> {
    return this.synced;
  }

  started(): void {
    this.lastSyncS = wallSeconds(this.owner);
  }

  /** A snapshot beside the file: at a restart the file counts. */
  save(): void {}

  clockChanged(): void {}

  info(): readonly string[] {
    return [
      'rdb_bgsave_in_progress:0',
      `rdb_last_save_time:${this.lastSaveS}`,
      'aof_enabled:1',
      'aof_rewrite_in_progress:0',
      'aof_last_write_status:ok',
      `aof_pending_bio_fsync:0`,
    ];
  }

  private sync(count: number): void {
    for (let index = 0; index < count; index++) {
      const { key, stored } = this.suffix[index]!;
      if (stored === undefined) this.synced.delete(key);
      else this.synced.set(key, stored);
    }
    this.suffix = count === this.suffix.length ? [] : this.suffix.slice(count);
  }

  /** Syncs what is due; as long as something is not synced, looks again in the next turn of the cron. */
  private look(): void {
    const { owner, suffix } = this;
    if (this.policy === 'everysec') {
      const nowS = wallSeconds(owner);
      if (nowS > this.lastSyncS) {
        this.lastSyncS = nowS;
        this.sync(suffix.length);
      }
    } else {
      const oldUs = owner.kernel.nowUs - WRITE_BACK_US;
      let count = 0;
      while (count < suffix.length && suffix[count]!.atUs <= oldUs) count++;
      if (count > 0) this.sync(count);
    }
    if (this.suffix.length > 0 && this.timer === null) {
      this.timer = owner.kernel.at(
        nextCronTurn(owner),
        owner,
        AppendOnlyFile.turn,
        this as AppendOnlyFile,
        null,
        false,
      );
    }
  }

  private static turn(file: AppendOnlyFile): void {
    file.timer = null;
    file.look();
  }
}
