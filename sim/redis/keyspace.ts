/**
 * The contract between a simulated server (its host, its network, its crashes) and the engine that holds the
 * keys. `native` implements it; a second engine must be able to.
 *
 * Redis strings are bytes. They are carried as **byte strings**: JavaScript strings whose code units are all
 * 0–255. Clients encode to UTF-8 on the way in and decode on the way out; ASCII needs neither.
 */
export type Bytes = string;

/** A status reply such as `+OK`. Compared by identity where the common ones are concerned. */
export class StatusReply {
  constructor(readonly text: string) {}
}

/** An error reply; `text` begins with Redis's own prefix (`ERR`, `NOSCRIPT`, `WRONGTYPE`, ...). */
export class ErrorReply {
  constructor(readonly text: string) {}
}

/** RESP2: integer, bulk string, nil, array, status or error. */
export type Reply = number | Bytes | null | readonly Reply[] | StatusReply | ErrorReply;

export const OK = new StatusReply('OK');
export const QUEUED = new StatusReply('QUEUED');
export const PONG = new StatusReply('PONG');

/** What happened to a key. `set`: created or overwritten; `deadline`: only its expiry moved. */
export type KeyEffect = 'set' | 'changed' | 'deadline' | 'deleted' | 'expired';

/** Told of every change of a key, in order, synchronously. */
export interface KeyObserver {
  /** @param deadlineMs absolute expiry on the server's wall clock, or `null`: the key has none (or is gone) */
  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void;
}

/** State of one connection that the engine keeps: MULTI queue, watched keys, selected database, name. */
export interface Session {
  readonly id: number;
}

/** What the server's host decides and the engine must obey. Mutable: roles change at a promotion. */
export interface ServerMode {
  /** Writes are refused with READONLY, expired keys are hidden but kept until the master's DEL. */
  replica: boolean;
  /** All but a few commands are refused with LOADING. */
  loading: boolean;
  /** Redis version as [major, minor]. */
  version: readonly [number, number];
}

/** The value of one key as replication and persistence move it; opaque outside the engine. */
export interface KeyRecord {
  readonly deadlineMs: number | null;
}

export interface Keyspace {
  openSession(): Session;
  closeSession(session: Session): void;
  /**
   * Executes one command, atomically, at one instant of the server's wall clock (integer microseconds).
   * `args[0]` is the command's name in any case. Never throws for what a client sends.
   */
  execute(session: Session, args: readonly Bytes[], wallUs: number): Reply;
  /** Earliest absolute deadline of a live key in milliseconds, `Infinity` if none. May be early, never late. */
  nextDeadlineMs(): number;
  /** Removes all keys whose deadline has passed (`now > when` in whole milliseconds) and reports each. */
  expireDue(wallUs: number): void;
  /** The live record of a key, or undefined. */
  record(key: Bytes): KeyRecord | undefined;
  /** Puts (or, given undefined, removes) a record without conditions: replication, restart, promotion. Reports the change. */
  load(key: Bytes, record: KeyRecord | undefined): void;
  /** All keys with their records, in insertion order. */
  entries(): Iterable<readonly [Bytes, KeyRecord]>;
  /** Forgets everything: keys and scripts. Reports nothing. */
  reset(): void;
}

/** Builds an engine for one server. */
export type KeyspaceFactory = (mode: ServerMode, observer: KeyObserver) => Keyspace;
