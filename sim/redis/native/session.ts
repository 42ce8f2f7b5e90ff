import type { Bytes, Session } from '../keyspace.js';
import type { Command } from './command.js';

export interface QueuedCommand {
  readonly command: Command;
  readonly args: readonly Bytes[];
}

/** What the engine keeps for one connection. */
export class NativeSession implements Session {
  /** Commands queued since MULTI; null outside a transaction. */
  queue: QueuedCommand[] | null = null;
  /** A command was refused while queueing: EXEC aborts. */
  queueBroken = false;
  /** A watched key was touched: EXEC answers nil. */
  watchBroken = false;
  /** Watched keys; true: the key had already expired, unremoved, when it was watched. */
  readonly watched = new Map<Bytes, boolean>();
  name: Bytes = '';
  protocol: 2 | 3 = 2;

  constructor(readonly id: number) {}
}
