/**
 * The data of the library, watched: after each command the changes it made are told to the server, in the words of the
 * contract. The library itself keeps values and deadlines apart and reports neither.
 */
import type { Bytes, KeyObserver, KeyRecord } from '../keyspace.js';
import { sameValue } from '../same-value.js';
import type { MockContext, MockData, MockExpires } from './library.js';

/** What a command did to one key so far. */
interface Touch {
  readonly before: unknown;
  written: boolean;
  /** The value was replaced, not changed in place. */
  replaced: boolean;
  removed: boolean;
  redated: boolean;
}

interface MockRecord extends KeyRecord {
  readonly value: unknown;
}

export class MockStore {
  private readonly data: MockData;
  private readonly expires: MockExpires;
  private observer: KeyObserver | null = null;
  /** Keys that the server was told of, in the order of their creation, and when the library drops them; null: never. */
  private readonly known = new Map<Bytes, number | null>();
  private readonly touched = new Map<Bytes, Touch>();
  /** The key that was written just now, if its deadline may still be part of the same command. */
  private writing: Bytes | null = null;
  /** Whether the running command replaces what it writes; null: a script, where it shows in what is done to the deadline. */
  replaces: boolean | null = false;

  /** Puts itself between the library's clients and their data; clients made before keep what they have. */
  constructor(private readonly context: MockContext) {
    this.data = context.data;
    this.expires = context.expires;
    context.data = this.watchedData();
    context.expires = this.watchedExpires();
  }

  /** Starts empty, with another server to tell. */
  attach(observer: KeyObserver): void {
    this.observer = observer;
    this.reset();
    const { modifiedKeyEvents, channels, patternChannels } = this.context;
    for (const emitter of [modifiedKeyEvents, channels, patternChannels]) {
      emitter.removeAllListeners();
      // A listener for each client: Node warns at the eleventh.
      emitter.setMaxListeners(0);
      delete emitter.instanceListeners;
    }
  }

  /** Tells what the command that is over has done. */
  report(): void {
    this.writing = null;
    if (this.touched.size === 0) return;
    for (const [key, touch] of this.touched) this.reportKey(key, touch);
    this.touched.clear();
  }

  /** Drops the keys whose time is over, the earliest first. */
  expire(nowMs: number): void {
    if (this.nextDeadlineMs() > nowMs) return;
    const due = [...this.known].filter(
      (entry): entry is [Bytes, number] => entry[1] !== null && entry[1] <= nowMs,
    );
    due.sort(([, a], [, b]) => a - b);
    for (const [key] of due) {
      // The library drops an expired key when somebody looks.
      if (this.data.has(key)) continue;
      this.known.delete(key);
      this.observer?.keyChanged(key, 'expired', null);
    }
  }

  /** The earliest millisecond at which the library drops a key. */
  nextDeadlineMs(): number {
    let next = Infinity;
    for (const deadline of this.known.values()) if (deadline !== null && deadline < next) next = deadline;
    return next;
  }

  record(key: Bytes): MockRecord | undefined {
    const deadline = this.known.get(key);
    return deadline === undefined ? undefined : { value: this.data.get(key), deadlineMs: lastMsOf(deadline) };
  }

  load(key: Bytes, record: KeyRecord | undefined): void {
    this.replaces = true;
    if (record === undefined) this.context.data.delete(key);
    else {
      const { value, deadlineMs } = record as MockRecord;
      this.context.data.set(key, value);
      if (deadlineMs === null) this.context.expires.delete(key);
      else this.context.expires.set(key, deadlineMs + 1);
    }
    this.report();
  }

  *entries(): Generator<readonly [Bytes, MockRecord]> {
    for (const key of this.known.keys()) yield [key, this.record(key)!];
  }

  reset(): void {
    this.data.clear();
    this.expires.clear();
    this.known.clear();
    this.touched.clear();
    this.writing = null;
  }

  // ---- watching

  private touch(key: Bytes): Touch {
    let touch = this.touched.get(key);
    if (touch === undefined) {
      const before = this.known.has(key) ? this.data.get(key) : undefined;
      touch = { before, written: false, replaced: false, removed: false, redated: false };
      this.touched.set(key, touch);
    }
    return touch;
  }

  private watchedData(): MockData {
    const { data } = this;
    return Object.freeze({
      clear: () => {
        for (const key of this.known.keys()) this.touch(key).removed = true;
        data.clear();
      },
      delete: (key: Bytes) => {
        if (this.known.has(key) || this.touched.has(key)) this.touch(key).removed = true;
        data.delete(key);
      },
      get: (key: Bytes) => {
        this.writing = null;
        return data.get(key);
      },
      has: (key: Bytes) => data.has(key),
      keys: (prefix?: string) => data.keys(prefix),
      set: (key: Bytes, value: unknown) => {
        const touch = this.touch(key);
        touch.written = true;
        touch.replaced ||= this.replaces === true || touch.removed;
        this.writing = key;
        data.set(key, value);
      },
    });
  }

  private watchedExpires(): MockExpires {
    const { expires } = this;
    return Object.freeze({
      clear: () => expires.clear(),
      get: (key: Bytes) => expires.get(key),
      has: (key: Bytes) => expires.has(key),
      isExpired: (key: Bytes) => expires.isExpired(key),
      set: (key: Bytes, atMs: unknown) => {
        this.redate(key);
        expires.set(key, atMs);
      },
      delete: (key: Bytes) => {
        this.redate(key);
        expires.delete(key);
      },
    });
  }

  /**
   * SET and its kin settle the deadline right after the value, set or taken away; commands that change a value in place
   * leave it alone. (INCR and EXPIRE in a row look the same from here.)
   */
  private redate(key: Bytes): void {
    if (!this.known.has(key) && !this.touched.has(key)) return;
    const touch = this.touch(key);
    touch.redated = true;
    if (this.replaces === null && this.writing === key) touch.replaced = true;
    this.writing = null;
  }

  private reportKey(key: Bytes, touch: Touch): void {
    const observer = this.observer!;
    const existed = this.known.has(key);
    // A deadline that had passed when it was set: looking drops the key.
    if (!this.data.has(key)) {
      this.known.delete(key);
      if (!existed && touch.written) observer.keyChanged(key, 'set', null);
      if (existed || touch.written) observer.keyChanged(key, 'deleted', null);
      return;
    }
    const deadline = deadlineOf(this.expires.get(key));
    this.known.set(key, deadline);
    const lastMs = lastMsOf(deadline);
    if (!existed || (touch.written && touch.replaced)) observer.keyChanged(key, 'set', lastMs);
    else if (touch.written && !sameValue(touch.before, this.data.get(key)))
      observer.keyChanged(key, 'changed', lastMs);
    else if (touch.redated) observer.keyChanged(key, 'deadline', lastMs);
  }
}

/** The whole millisecond from which a key is gone; the library takes any number, and what is none never comes. */
function deadlineOf(atMs: number | undefined): number | null {
  return atMs === undefined || !Number.isFinite(atMs) ? null : Math.ceil(atMs);
}

/**
 * The deadline as Redis counts: a key is gone when `now > deadline`. The library drops it when `now >= deadline`, so what
 * it stores is one millisecond more than that.
 */
function lastMsOf(deadline: number | null): number | null {
  return deadline === null ? null : deadline - 1;
}
