import type {
  Bytes,
  ErrorReply,
  Keyspace,
  KeyRecord,
  KeyspaceHost,
  KeyspaceFactory,
  Reply,
  ServerMode,
} from '../keyspace.js';
import { COMMANDS } from './commands.js';
import { Engine } from './engine.js';
import type { Entry } from './entry.js';
import { NativeSession } from './session.js';
import { endTransaction } from './transactions.js';

/**
 * lockpick's own engine: Redis's semantics on plain maps, held against redis-server 7.0 by the conformance tests.
 *
 * Known differences: keys, members and fields come in insertion order where Redis promises none, and so do a Lua table's
 * named fields; SCAN and its kin answer in one page; random choices (SPOP, RANDOMKEY, ...) come from a stream that starts
 * alike on every server; observers get deadlines beyond 2^53 milliseconds as the
 * nearest number; memory is reckoned as ledger.ts says and
 * the key that eviction takes is the worst of all, not of a sample; OBJECT IDLETIME is 0 while there is no memory limit; a
 * script that takes too many turns counts as one that never ends, and its effects up to there are all it has.
 */
class NativeKeyspace implements Keyspace {
  readonly #engine: Engine;
  #sessions = 0;

  constructor(mode: ServerMode, host: KeyspaceHost) {
    this.#engine = new Engine(COMMANDS, mode, host);
  }

  openSession(): NativeSession {
    const session = new NativeSession(++this.#sessions, this.#engine.store.wallUs);
    session.authenticated = this.#engine.password === '';
    this.#engine.sessions.set(session.id, session);
    return session;
  }

  closeSession(session: NativeSession): void {
    endTransaction(this.#engine, session);
    this.#engine.waiting.leave(session);
    this.#engine.pause.forget(session);
    if (session.subscriptions > 0) this.#engine.subscriptions.leave(session);
    this.#engine.sessions.delete(session.id);
  }

  execute(session: NativeSession, args: readonly Bytes[], wallUs: number): Reply {
    return this.#engine.execute(session, args, wallUs);
  }

  nextWakeMs(): number {
    const { busy, pause, store, waiting } = this.#engine;
    if (busy !== null) return Infinity;
    return Math.min(waiting.earliestMs, pause.active ? pause.untilMs : store.nextDeadlineMs());
  }

  wake(wallUs: number): void {
    const engine = this.#engine;
    const { busy, store, waiting } = engine;
    store.setClock(wallUs);
    if (busy !== null) return;
    engine.endPauseInTime();
    store.removeExpired();
    waiting.giveUp(store.nowMs);
  }

  interruptBlocked(error: ErrorReply): void {
    this.#engine.waiting.interrupt(error);
  }

  record(name: Bytes): KeyRecord | undefined {
    return this.#engine.store.record(name);
  }

  load(name: Bytes, record: KeyRecord | undefined): void {
    const { store, waiting } = this.#engine;
    store.load(name, record as Entry | undefined);
    if (waiting.hasReady) waiting.serve(store);
  }

  entries(): Iterable<readonly [Bytes, KeyRecord]> {
    return this.#engine.store.records();
  }

  reset(): void {
    const engine = this.#engine;
    engine.store.reset();
    engine.scripts.clear();
    engine.random.reset();
    engine.draws.reset();
    engine.busy = null;
    engine.pause.end();
    engine.store.paused = false;
  }
}

export const createNativeKeyspace: KeyspaceFactory = (mode, host) => new NativeKeyspace(mode, host);
