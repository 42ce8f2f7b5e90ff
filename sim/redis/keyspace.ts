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

/** A nil array: `*-1` where RESP2 tells it from a nil bulk string (EXEC after a touched WATCH, a blocking pop in vain). */
export class NilArrayReply {
  readonly nil = true;
}

/** Name and value in turn. RESP2 shows a flat array, RESP3 a map. */
export class MapReply {
  constructor(readonly pairs: readonly Reply[]) {}
}

/** RESP2 shows an array, RESP3 a set. */
export class SetReply {
  constructor(readonly members: readonly Reply[]) {}
}

/** RESP2 shows a bulk string, RESP3 a double. */
export class DoubleReply {
  constructor(readonly value: number) {}
}

/**
 * Integer (a bigint beyond 2^53), bulk string, nil, array, status or error; and what RESP2 and RESP3 show differently, which
 * `inResp2` (resp.ts) turns into the former.
 */
export type Reply =
  | number
  | bigint
  | Bytes
  | null
  | readonly Reply[]
  | StatusReply
  | ErrorReply
  | NilArrayReply
  | MapReply
  | SetReply
  | DoubleReply;

export const OK = new StatusReply('OK');
export const QUEUED = new StatusReply('QUEUED');
export const PONG = new StatusReply('PONG');
export const NIL_ARRAY = new NilArrayReply();
/** Not a reply: the command waits; {@link KeyspaceHost.unblocked} brings its reply. */
export const BLOCKED = new StatusReply('(blocked)');
/** Not a reply: the command has none (its answers were pushed, or the client wants none). */
export const NO_REPLY = new StatusReply('(no reply)');

/**
 * What happened to a key. `set`: created or overwritten; `deadline`: only its expiry moved; `evicted`: memory was short.
 */
export type KeyEffect = 'set' | 'changed' | 'deadline' | 'deleted' | 'expired' | 'evicted';

/**
 * Told of every change of a key, in order, synchronously. Here and wherever records go by `key`, a key of database 0 is named
 * by itself and one of database n by `dbn\u2192key`, which no byte string equals.
 */
export interface KeyObserver {
  /** @param deadlineMs absolute expiry on the server's wall clock, or `null`: the key has none (or is gone) */
  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void;
}

/** What the engine asks of the server around it, and tells it. */
export interface KeyspaceHost extends KeyObserver {
  /** What changes from here to {@link unblocked} is the doing of this session's blocked command. */
  unblocking(session: Session): void;
  /** The reply of the command of this session that had returned {@link BLOCKED}. */
  unblocked(session: Session, reply: Reply): void;
  /** A message that is not the reply of a command: pub/sub, and each confirmation of a (un)subscription. */
  push(session: Session, message: readonly Reply[]): void;
  /** The engine ends a connection: CLIENT KILL. What it had answered still leaves. */
  hangUp(session: Session): void;
  /** PUBLISH was executed here: its message may have subscribers elsewhere. */
  published?(channel: Bytes, message: Bytes): void;
  readonly services: ServerServices;
}

/** Commands and facts that are not the keys': replication, persistence, clustering. {@link STANDALONE} has none of them. */
export interface ServerServices {
  /** ROLE. */
  role(): Reply;
  /** Lines `name:value` of one section of INFO (`replication`, `persistence`, `cluster`). */
  info(section: string): readonly string[];
  /** WAIT: how many replicas have everything that this session wrote, or BLOCKED. */
  wait(session: Session, replicas: number, timeoutMs: number): Reply;
  /**
   * A command that the engine leaves to the server: REPLICAOF, REPLCONF, PSYNC, SAVE, BGSAVE, LASTSAVE, BGREWRITEAOF, SHUTDOWN,
   * CLUSTER, ASKING, READONLY, READWRITE. Undefined: this server does not have it.
   */
  command(session: Session, args: readonly Bytes[]): Reply | undefined;
  /** Only asked where `mode.cluster`: MOVED, ASK, CROSSSLOT or CLUSTERDOWN for these keys; null: they are served here. */
  route(session: Session, keys: readonly Bytes[], writes: boolean): ErrorReply | null;
  /** What was just executed took this long (DEBUG SLEEP, a slow script): the server does nothing else meanwhile. */
  busy(forUs: number): void;
  /**
   * CONFIG GET (`value` null) and CONFIG SET of a parameter that is the server's own (persistence, replication), by its
   * lower-case name: the value it has now, or an error. Undefined: the engine keeps the parameter and nobody acts on it.
   */
  setting(name: string, value: Bytes | null): Bytes | ErrorReply | undefined;
}

/** State of one connection that the engine keeps: MULTI queue, watched keys, selected database, name, protocol. */
export interface Session {
  readonly id: number;
  /** 3 after HELLO 3. */
  readonly protocol: 2 | 3;
}

/** What the server's host decides and the engine must obey. Mutable: roles change at a promotion. */
export interface ServerMode {
  /** Writes are refused with READONLY, expired keys are hidden but kept until the master's DEL. */
  replica: boolean;
  /** A replica whose link to the master is down and that does not serve stale data: MASTERDOWN. */
  masterDown: boolean;
  /** All but a few commands are refused with LOADING. */
  loading: boolean;
  /** Refuses writes with its text (NOREPLICAS, MISCONF); null: they are taken. */
  writesRefused: ErrorReply | null;
  /** The server is a node of a Redis Cluster. */
  cluster: boolean;
  /** Whose answers: Redis's, or Valkey's where the two differ. */
  readonly flavour: 'redis' | 'valkey';
  /** Version of the flavour as [major, minor]. */
  readonly version: readonly [number, number];
  /** Bytes by the engine's own reckoning; 0: no limit. */
  maxMemory: number;
  maxMemoryPolicy: EvictionPolicy;
}

export const EVICTION_POLICIES = [
  'noeviction',
  'allkeys-lru',
  'allkeys-lfu',
  'allkeys-random',
  'volatile-lru',
  'volatile-lfu',
  'volatile-random',
  'volatile-ttl',
] as const;
export type EvictionPolicy = (typeof EVICTION_POLICIES)[number];

/** A master of its own that takes everything, as [major, minor] answers. */
export function modeOf(
  version: readonly [number, number] = [7, 0],
  flavour: ServerMode['flavour'] = 'redis',
): ServerMode {
  return {
    replica: false,
    masterDown: false,
    loading: false,
    writesRefused: null,
    cluster: false,
    flavour,
    version,
    maxMemory: 0,
    maxMemoryPolicy: 'noeviction',
  };
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
  /**
   * The wall time in milliseconds from which {@link wake} has something to do (a key to expire, a blocked command to give up,
   * a CLIENT PAUSE to end), `Infinity` if nothing is ahead. May be early, never late.
   */
  nextWakeMs(): number;
  /** Expires all keys whose deadline has passed (`now > when` in whole milliseconds), gives up blocked commands in time. */
  wake(wallUs: number): void;
  /** Commands that wait for keys answer this error and their connections end: the server's role changed. */
  interruptBlocked(error: ErrorReply): void;
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
export type KeyspaceFactory = (mode: ServerMode, host: KeyspaceHost) => Keyspace;

/** A server without replicas, disk and cluster. */
export const STANDALONE: ServerServices = {
  role: () => ['master', 0, []],
  info: (section) => (section === 'replication' ? ['role:master', 'connected_slaves:0'] : []),
  wait: () => 0,
  command: () => undefined,
  route: () => null,
  busy: () => {},
  setting: () => undefined,
};

/** A host for an engine on its own, in tests: nobody hears of anything but what `given` takes. */
export function keyspaceHost(given: Partial<KeyspaceHost> = {}): KeyspaceHost {
  return {
    keyChanged: () => {},
    unblocking: () => {},
    unblocked: () => {},
    push: () => {},
    hangUp: () => {},
    services: STANDALONE,
    ...given,
  };
}
