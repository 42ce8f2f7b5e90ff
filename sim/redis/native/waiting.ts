/**
 * Commands that wait: for a key that another command fills, for a time to pass, or for CLIENT PAUSE to end. Whoever waits
 * longest for a key is served first, after the command that filled it.
 */
import { ErrorReply, type Bytes, type KeyspaceHost, type Reply } from '../keyspace.js';
import type { EntryKind } from './entry.js';
import { keyOf } from './names.js';
import { wantedReply, type NativeSession } from './session.js';
import type { Store } from './store.js';

/** A blocked command. */
export interface Wait {
  readonly session: NativeSession;
  /** Of the keys it waits for, in the order in which it asks for them. */
  readonly names: readonly Bytes[];
  readonly kind: EntryKind;
  /** It gives up in the first millisecond after this one; `Infinity`: never. */
  readonly deadlineMs: number;
  /** Whether a key of its kind has something for it; absent: any has. */
  readonly available?: (key: Bytes) => boolean;
  /** Its reply, now that this key has something for it. */
  readonly serve: (key: Bytes) => Reply;
  /** What it answers when it gives up. */
  readonly inVain: Reply;
}

const UNBLOCKED = new ErrorReply('UNBLOCKED client unblocked via CLIENT UNBLOCK');

export class WaitingRoom {
  /** In the order in which they began to wait: rarely more than a few. */
  readonly #waits: Wait[] = [];
  readonly #ready: Bytes[] = [];
  #earliestMs = Infinity;
  #serving = false;
  /** A key that some wait for was set or changed. */
  hasReady = false;

  constructor(private readonly host: KeyspaceHost) {}

  /** How many commands wait. */
  get size(): number {
    return this.#waits.length;
  }

  /** The first time at which one gives up. */
  get earliestMs(): number {
    return this.#earliestMs;
  }

  enter(wait: Wait): void {
    wait.session.wait = wait;
    this.#waits.push(wait);
    if (wait.deadlineMs < this.#earliestMs) this.#earliestMs = wait.deadlineMs;
  }

  /** Its command waits no longer: it was served, gave up or its connection is gone. */
  leave(session: NativeSession): void {
    const { wait } = session;
    if (wait === null) return;
    session.wait = null;
    this.#waits.splice(this.#waits.indexOf(wait), 1);
    if (wait.deadlineMs === this.#earliestMs) {
      this.#earliestMs = Infinity;
      for (const { deadlineMs } of this.#waits)
        if (deadlineMs < this.#earliestMs) this.#earliestMs = deadlineMs;
    }
  }

  /** A key was set or changed. */
  changed(name: Bytes): void {
    if (this.#ready.includes(name) || !this.#waits.some(({ names }) => names.includes(name))) return;
    this.#ready.push(name);
    this.hasReady = true;
  }

  /** After a command: serves those who wait for what it changed; what that changes in turn is served next. */
  serve(store: Store): void {
    if (this.#serving) return;
    this.#serving = true;
    while (this.hasReady) {
      const names = this.#ready.splice(0);
      this.hasReady = false;
      for (const name of names) this.#serveName(store, name);
    }
    this.#serving = false;
  }

  #serveName(store: Store, name: Bytes): void {
    const [db, key] = keyOf(name);
    for (const wait of this.#waits.filter(({ names }) => names.includes(name))) {
      store.select(db);
      const entry = store.find(key);
      if (entry === undefined) return;
      if (wait.kind !== entry.kind || wait.available?.(key) === false) continue;
      this.host.unblocking(wait.session);
      this.#release(wait.session, wait.serve(key));
    }
  }

  #release(session: NativeSession, reply: Reply): void {
    this.leave(session);
    this.host.unblocked(session, wantedReply(session, reply));
  }

  /** Gives up those whose time is over, the earliest first. */
  giveUp(nowMs: number): void {
    if (nowMs <= this.#earliestMs) return;
    const late = this.#waits.filter(({ deadlineMs }) => nowMs > deadlineMs);
    late.sort((a, b) => a.deadlineMs - b.deadlineMs);
    for (const { session, inVain } of late) this.#release(session, inVain);
  }

  /** CLIENT UNBLOCK: false if it does not wait. */
  unblock(session: NativeSession, withError: boolean): boolean {
    const { wait } = session;
    if (wait === null) return false;
    this.#release(session, withError ? UNBLOCKED : wait.inVain);
    return true;
  }

  /** All commands that wait answer this error, and their connections end. */
  interrupt(error: ErrorReply): void {
    for (const { session } of [...this.#waits]) {
      this.#release(session, error);
      this.host.hangUp(session);
    }
  }
}
