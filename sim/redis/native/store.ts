import type { Bytes, KeyEffect, KeyObserver, ServerMode } from '../keyspace.js';
import { copyEntry, type Entry } from './entry.js';
import type { Ledger } from './ledger.js';
import { keyOf, nameOf } from './names.js';
import type { NativeSession } from './session.js';
import type { WaitingRoom } from './waiting.js';

type Database = Map<Bytes, Entry>;

/**
 * The keys of one server at one instant of its wall clock. Every change goes through here, so that observers, WATCH and
 * blocked commands see all of them in order. Keys are those of the selected database; names (names.ts) are of all.
 */
export class Store {
  /** By index: they come to be when first selected. Nearly all servers use the first one only. */
  readonly #databases: Database[] = [new Map()];
  #entries = this.#databases[0]!;
  /** Index of the selected database. */
  db = 0;
  /** A lower bound of all deadlines: lowered by each new one, made exact again when it has passed. */
  #earliestMs = Infinity;
  /** By the names of keys; null: nobody ever watched one. */
  #watchers: Map<Bytes, Set<NativeSession>> | null = null;
  /** The instant at which the current command executes; frozen for a whole script or transaction. */
  nowMs = 0;
  wallUs = 0;
  /** CLIENT PAUSE: nothing expires meanwhile. */
  paused = false;
  /** Who uses how much memory; null while there is no limit. */
  ledger: Ledger | null = null;

  constructor(
    readonly mode: ServerMode,
    readonly observer: KeyObserver,
    readonly waiting: WaitingRoom,
  ) {}

  setClock(wallUs: number): void {
    this.wallUs = wallUs;
    this.nowMs = Math.floor(wallUs / 1000);
  }

  select(db: number): void {
    this.db = db;
    this.#entries = this.#database(db);
  }

  #database(db: number): Database {
    while (this.#databases.length <= db) this.#databases.push(new Map());
    return this.#databases[db]!;
  }

  /**
   * The live entry of a key. A master removes an expired key when it is touched; a replica hides it and waits for the
   * master's DEL (Redis `expireIfNeeded`: expired when `now > when`).
   */
  find(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { deadlineMs } = entry;
    if (deadlineMs === null || this.nowMs <= deadlineMs) {
      if (this.ledger !== null) this.ledger.used(nameOf(this.db, key));
      return entry;
    }
    if (!this.mode.replica && !this.paused) this.remove(key, 'expired');
    return undefined;
  }

  /** The entry of a key as it is: OBJECT and its kin don't count as use. */
  peek(key: Bytes): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || this.isExpired(entry) ? undefined : entry;
  }

  /** Creates or overwrites. */
  put(key: Bytes, entry: Entry): void {
    this.#entries.set(key, entry);
    const { deadlineMs } = entry;
    if (deadlineMs !== null && deadlineMs < this.#earliestMs) this.#earliestMs = deadlineMs;
    this.#report(key, 'set', entry);
  }

  /** The value of a live entry was modified in place. */
  changed(key: Bytes, entry: Entry): void {
    this.#report(key, 'changed', entry);
  }

  setDeadline(key: Bytes, entry: Entry, deadlineMs: number | null): void {
    entry.deadlineMs = deadlineMs;
    if (deadlineMs !== null && deadlineMs < this.#earliestMs) this.#earliestMs = deadlineMs;
    this.#report(key, 'deadline', entry);
  }

  remove(key: Bytes, effect: 'deleted' | 'expired' | 'evicted' = 'deleted'): void {
    this.#entries.delete(key);
    this.#report(key, effect, null);
  }

  /** Removes a live key; false if there is none. */
  delete(key: Bytes): boolean {
    if (this.find(key) === undefined) return false;
    this.remove(key);
    return true;
  }

  /** A replica waits for its master's DEL. */
  nextDeadlineMs(): number {
    return this.mode.replica ? Infinity : this.#earliestMs;
  }

  removeExpired(): void {
    if (this.nowMs <= this.#earliestMs || this.paused || this.mode.replica) return;
    let earliest = Infinity;
    for (let db = 0; db < this.#databases.length; db++) {
      this.select(db);
      for (const [key, { deadlineMs }] of this.#entries) {
        if (deadlineMs === null) continue;
        if (this.nowMs > deadlineMs) this.remove(key, 'expired');
        else if (deadlineMs < earliest) earliest = deadlineMs;
      }
    }
    this.#earliestMs = earliest;
  }

  /** Number of keys held, expired ones included until they are removed (as DBSIZE counts). */
  get size(): number {
    return this.#entries.size;
  }

  sizeOf(db: number): number {
    return this.#database(db).size;
  }

  /** How many keys of a database have a deadline, and their average time left in milliseconds. */
  expiringOf(db: number): { count: number; averageMs: number } {
    let count = 0;
    let total = 0;
    for (const { deadlineMs } of this.#database(db).values()) {
      if (deadlineMs === null) continue;
      count++;
      total += Math.max(0, deadlineMs - this.nowMs);
    }
    return { count, averageMs: count === 0 ? 0 : Math.floor(total / count) };
  }

  /** Keys held, in insertion order, expired ones included. */
  keys(): IterableIterator<Bytes> {
    return this.#entries.keys();
  }

  isExpired(entry: Entry): boolean {
    return entry.deadlineMs !== null && this.nowMs > entry.deadlineMs;
  }

  /** Forgets the selected database's keys: reports every one. */
  clear(): void {
    const entries = [...this.#entries];
    this.#entries.clear();
    for (const [key, entry] of entries)
      this.#report(key, this.isExpired(entry) ? 'expired' : 'deleted', null);
  }

  /** FLUSHALL. */
  clearAll(): void {
    const { db } = this;
    for (let each = 0; each < this.#databases.length; each++) {
      this.select(each);
      this.clear();
    }
    this.select(db);
    this.#earliestMs = Infinity;
  }

  /** SWAPDB: each key of either database is gone under one name and set under the other. */
  swap(a: number, b: number): void {
    const { db } = this;
    const [left, right] = [this.#database(a), this.#database(b)];
    this.#databases[a] = right;
    this.#databases[b] = left;
    for (const [to, now, before] of [[a, right, left] as const, [b, left, right] as const]) {
      this.select(to);
      for (const key of before.keys()) if (!now.has(key)) this.#report(key, 'deleted', null);
      for (const [key, entry] of now) this.#report(key, 'set', entry);
    }
    this.select(db);
  }

  /** Forgets all keys, reporting nothing but to WATCH. */
  reset(): void {
    for (const name of this.#watchers?.keys() ?? []) {
      const [db, key] = keyOf(name);
      if (this.#database(db).has(key)) this.#touch(name, false);
    }
    for (const entries of this.#databases) entries.clear();
    this.#earliestMs = Infinity;
    this.ledger = null;
  }

  // Records, by names: copies, so that what is on its way to a replica or a disk does not change any more.

  record(name: Bytes): Entry | undefined {
    const [db, key] = keyOf(name);
    const entry = this.#database(db).get(key);
    return entry === undefined ? undefined : copyEntry(entry);
  }

  load(name: Bytes, record: Entry | undefined): void {
    const [db, key] = keyOf(name);
    this.select(db);
    if (record !== undefined) this.put(key, copyEntry(record));
    else if (this.#entries.has(key)) this.remove(key);
  }

  *records(): Generator<readonly [Bytes, Entry]> {
    for (const [name, entry] of this.live()) yield [name, copyEntry(entry)];
  }

  /** The entries themselves, by name, expired ones included. */
  *live(): Generator<readonly [Bytes, Entry]> {
    for (const [db, entries] of this.#databases.entries()) {
      for (const [key, entry] of entries) yield [nameOf(db, key), entry];
    }
  }

  // WATCH.

  watch(session: NativeSession, key: Bytes): void {
    const name = nameOf(this.db, key);
    const watched = (session.watched ??= new Map());
    if (watched.has(name)) return;
    const entry = this.#entries.get(key);
    watched.set(name, entry !== undefined && this.isExpired(entry));
    const watchers = (this.#watchers ??= new Map());
    const sessions = watchers.get(name);
    if (sessions === undefined) watchers.set(name, new Set([session]));
    else sessions.add(session);
  }

  unwatch(session: NativeSession): void {
    if (session.watched !== null) {
      for (const name of session.watched.keys()) {
        const sessions = this.#watchers?.get(name);
        sessions?.delete(session);
        if (sessions?.size === 0) this.#watchers?.delete(name);
      }
      session.watched = null;
    }
    session.watchBroken = false;
  }

  /** A watched key expired since, without anything having touched it. */
  watchedExpired(session: NativeSession): boolean {
    for (const [name, expiredBefore] of session.watched ?? []) {
      if (expiredBefore) continue;
      const [db, key] = keyOf(name);
      const entry = this.#database(db).get(key);
      if (entry !== undefined && this.isExpired(entry)) return true;
    }
    return false;
  }

  /** `entry`: what the key holds now; null: nothing. */
  #report(key: Bytes, effect: KeyEffect, entry: Entry | null): void {
    const name = this.db === 0 ? key : nameOf(this.db, key);
    if (this.#watchers !== null) this.#touch(name, entry !== null);
    if (this.waiting.size > 0 && entry !== null) this.waiting.changed(name);
    if (this.ledger !== null) this.ledger.changed(name, entry);
    this.observer.keyChanged(name, effect, entry === null ? null : entry.deadlineMs);
  }

  #touch(name: Bytes, exists: boolean): void {
    const sessions = this.#watchers?.get(name);
    if (sessions === undefined) return;
    for (const session of sessions) {
      // A key that had expired before it was watched was absent then and is absent now: its removal is no change.
      if (session.watched?.get(name) === true && !exists) session.watched.set(name, false);
      else session.watchBroken = true;
    }
  }
}
