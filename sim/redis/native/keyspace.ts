import type {
  Bytes,
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

/**
 * lockpick's own engine: Redis's semantics on plain maps, held against redis-server 7.0 by the conformance tests.
 *
 * Known differences: a server has one database (as with `databases 1`); keys, members and fields come in insertion order
 * where Redis promises none, and so do a Lua table's named fields; SCAN answers in one page; integer replies beyond 2^53
 * are the nearest number (what is stored is exact); a script that runs for ever is stopped instead of leaving the server
 * busy; scripts have no cjson, cmsgpack, struct and bit yet.
 */
class NativeKeyspace implements Keyspace {
  readonly #engine: Engine;
  #sessions = 0;

  constructor(mode: ServerMode, host: KeyspaceHost) {
    this.#engine = new Engine(COMMANDS, mode, host);
  }

  openSession(): NativeSession {
    return new NativeSession(++this.#sessions);
  }

  closeSession(session: NativeSession): void {
    session.queue = null;
    this.#engine.store.unwatch(session);
  }

  execute(session: NativeSession, args: readonly Bytes[], wallUs: number): Reply {
    return this.#engine.execute(session, args, wallUs);
  }

  nextWakeMs(): number {
    return this.#engine.store.nextDeadlineMs();
  }

  wake(wallUs: number): void {
    this.#engine.store.setClock(wallUs);
    this.#engine.store.removeExpired();
  }

  record(key: Bytes): KeyRecord | undefined {
    return this.#engine.store.record(key);
  }

  load(key: Bytes, record: KeyRecord | undefined): void {
    this.#engine.store.load(key, record as Entry | undefined);
  }

  entries(): Iterable<readonly [Bytes, KeyRecord]> {
    return this.#engine.store.records();
  }

  reset(): void {
    this.#engine.store.reset();
    this.#engine.scripts.clear();
    this.#engine.random.reset();
  }
}

export const createNativeKeyspace: KeyspaceFactory = (mode, host) => new NativeKeyspace(mode, host);
