import type { Bytes, KeyEffect, KeyObserver, ServerMode } from '../keyspace.js';
import { copyEntry, type Entry } from './entry.js';
import type { NativeSession } from './session.js';

/**
 * The keys of one server at one instant of its wall clock. Every change goes through here, so that observers and
 * WATCH see all of them in order.
 */
export class Store {
  readonly #entries = new Map<Bytes, Entry>();
  /** A lower bound of all deadlines: lowered by each new one, made exact again when it has passed. */
  #earliestMs = Infinity;
  readonly #watchers = new Map<Bytes, Set<NativeSession>>();
  /** The instant at which the current command executes; frozen for a whole script or transaction. */
  nowMs = 0;
  wallUs = 0;

  constructor(
    readonly mode: ServerMode,
    readonly observer: KeyObserver,
  ) {}

  setClock(wallUs: number): void {
    this.wallUs = wallUs;
    this.nowMs = Math.floor(wallUs / 1000);
  }

  /**
   * The live entry of a key. A master removes an expired key when it is touched; a replica hides it and waits for the
   * master's DEL (Redis `expireIfNeeded`: expired when `now > when`).
   */
  find(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { deadlineMs } = entry;
    if (deadlineMs === null || this.nowMs <= deadlineMs) return entry;
    if (!this.mode.replica) this.remove(key, 'expired');
    return undefined;
  }

  /** Creates or overwrites. */
  put(key: Bytes, entry: Entry): void {
    this.#entries.set(key, entry);
    const { deadlineMs } = entry;
    if (deadlineMs !== null && deadlineMs < this.#earliestMs) this.#earliestMs = deadlineMs;
    this.#report(key, 'set', deadlineMs);
  }

  /** The value of a live entry was modified in place. */
  changed(key: Bytes, entry: Entry): void {
    this.#report(key, 'changed', entry.deadlineMs);
  }

  setDeadline(key: Bytes, entry: Entry, deadlineMs: number | null): void {
    entry.deadlineMs = deadlineMs;
    if (deadlineMs !== null && deadlineMs < this.#earliestMs) this.#earliestMs = deadlineMs;
    this.#report(key, 'deadline', deadlineMs);
  }

  remove(key: Bytes, effect: 'deleted' | 'expired' = 'deleted'): void {
    this.#entries.delete(key);
    this.#report(key, effect, null);
  }

  /** Removes a live key; false if there is none. */
  delete(key: Bytes): boolean {
    if (this.find(key) === undefined) return false;
    this.remove(key);
    return true;
  }

  nextDeadlineMs(): number {
    return this.#earliestMs;
  }

  removeExpired(): void {
    if (this.nowMs <= this.#earliestMs) return;
    let earliest = Infinity;
    for (const [key, { deadlineMs }] of this.#entries) {
      if (deadlineMs === null) continue;
      if (this.nowMs > deadlineMs) this.remove(key, 'expired');
      else if (deadlineMs < earliest) earliest = deadlineMs;
    }
    this.#earliestMs = earliest;
  }

  /** Number of keys held, expired ones included until they are removed (as DBSIZE counts). */
  get size(): number {
    return this.#entries.size;
  }

  /** Keys held, in insertion order, expired ones included. */
  keys(): IterableIterator<Bytes> {
    return this.#entries.keys();
  }

  isExpired(entry: Entry): boolean {
    return entry.deadlineMs !== null && this.nowMs > entry.deadlineMs;
  }

  /** FLUSHALL: reports every key it removes. */
  clear(): void {
    const entries = [...this.#entries];
    this.#entries.clear();
    this.#earliestMs = Infinity;
    for (const [key, entry] of entries)
      this.#report(key, this.isExpired(entry) ? 'expired' : 'deleted', null);
  }

  /** Forgets all keys, reporting nothing. */
  reset(): void {
    this.#entries.clear();
    this.#earliestMs = Infinity;
  }

  // Records: copies, so that what is on its way to a replica or a disk does not change any more.

  record(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : copyEntry(entry);
  }

  load(key: Bytes, record: Entry | undefined): void {
    if (record !== undefined) this.put(key, copyEntry(record));
    else if (this.#entries.has(key)) this.remove(key);
  }

  *records(): Generator<readonly [Bytes, Entry]> {
    for (const [key, entry] of this.#entries) yield [key, copyEntry(entry)];
  }

  // WATCH.

  watch(session: NativeSession, key: Bytes): void {
    if (session.watched.has(key)) return;
    const entry = this.#entries.get(key);
    session.watched.set(key, entry !== undefined && this.isExpired(entry));
    const sessions = this.#watchers.get(key);
    if (sessions === undefined) this.#watchers.set(key, new Set([session]));
    else sessions.add(session);
  }

  unwatch(session: NativeSession): void {
    for (const key of session.watched.keys()) {
      const sessions = this.#watchers.get(key);
      sessions?.delete(session);
      if (sessions?.size === 0) this.#watchers.delete(key);
    }
    session.watched.clear();
    session.watchBroken = false;
  }

  /** A watched key expired since, without anything having touched it. */
  watchedExpired(session: NativeSession): boolean {
    for (const [key, expiredBefore] of session.watched) {
      if (expiredBefore) continue;
      const entry = this.#entries.get(key);
      if (entry !== undefined && this.isExpired(entry)) return true;
    }
    return false;
  }

  #report(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void {
    if (this.#watchers.size > 0) this.#touch(key);
    this.observer.keyChanged(key, effect, deadlineMs);
  }

  #touch(key: Bytes): void {
    const sessions = this.#watchers.get(key);
    if (sessions === undefined) return;
    for (const session of sessions) {
      // A key that had expired before it was watched was absent then and is absent now: its removal is no change.
      if (session.watched.get(key) === true && !this.#entries.has(key)) session.watched.set(key, false);
      else session.watchBroken = true;
    }
  }
}
