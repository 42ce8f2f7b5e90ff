import { NO_REPLY, type Bytes, type Reply, type Session } from '../keyspace.js';
import type { Command } from './command.js';
import type { Wait } from './waiting.js';

export interface QueuedCommand {
  readonly command: Command;
  readonly args: readonly Bytes[];
}

/** What CLIENT REPLY asked for: `skip` is for the next command, `skipping` for the one that runs. */
export type ReplyMode = 'on' | 'off' | 'skip' | 'skipping';

/** What the engine keeps for one connection. */
export class NativeSession implements Session {
  /** Index of the selected database. */
  db = 0;
  /** Commands queued since MULTI; null outside a transaction. */
  queue: QueuedCommand[] | null = null;
  /** Flags that any queued command has, and those that any of them lacks. */
  queuedFlags = 0;
  queuedLacks = 0;
  /** A command was refused while queueing: EXEC aborts. */
  queueBroken = false;
  /** A watched key was touched: EXEC answers nil. */
  watchBroken = false;
  /** Names of watched keys, null for none; true: the key had already expired, unremoved, when it was watched. */
  watched: Map<Bytes, boolean> | null = null;
  /** What its blocked command waits for. */
  wait: Wait | null = null;
  /** Subscriptions of each kind; null: never had one. */
  channels: Set<Bytes> | null = null;
  patterns: Set<Bytes> | null = null;
  shards: Set<Bytes> | null = null;
  /** With RESP2 a connection that has subscribed may do little else. */
  subscriptions = 0;
  name: Bytes = '';
  libraryName: Bytes = '';
  libraryVersion: Bytes = '';
  protocol: 2 | 3 = 2;
  replyMode: ReplyMode = 'on';
  noEvict = false;
  /** Knows the password, or none was needed when it came. */
  authenticated = true;
  lastCommand: Command | null = null;
  lastUs: number;

  constructor(
    readonly id: number,
    readonly openedUs: number,
  ) {
    this.lastUs = openedUs;
  }
}

/** A reply, unless the client wants none. */
export function wantedReply(session: NativeSession, reply: Reply): Reply {
  return session.replyMode === 'on' ? reply : NO_REPLY;
}

export const CLIENT_TYPES: ReadonlySet<string> = new Set(['normal', 'master', 'replica', 'slave', 'pubsub']);

export function clientType(session: NativeSession): string {
  return session.subscriptions > 0 ? 'pubsub' : 'normal';
}

/** Engines know nothing of networks: a connection's address is its number's. */
export function addressOf(session: NativeSession): string {
  return `127.0.0.1:${20_000 + session.id}`;
}
