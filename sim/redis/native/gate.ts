/** What a command must pass before it is queued or executed, in Redis's order; rarely more than a look at the mode. */
import { ErrorReply, type Bytes } from '../keyspace.js';
import { BUSY } from './busy-script.js';
import type { Command } from './command.js';
import type { Engine } from './engine.js';
import { makeRoom } from './eviction.js';
import {
  BUSY_OK,
  DENY_OOM,
  LOADING_OK,
  MAY_REPLICATE,
  NO_AUTH,
  NO_MULTI,
  NOT_QUEUED,
  STALE_OK,
  WRITE,
} from './facts.js';
import { keysOf } from './key-places.js';
import type { NativeSession } from './session.js';
import { abortTransaction, endTransaction } from './transactions.js';

const NO_AUTHENTICATION = new ErrorReply('NOAUTH Authentication required.');
const NOT_IN_MULTI = new ErrorReply('ERR Command not allowed inside a transaction');
export const OUT_OF_MEMORY = new ErrorReply("OOM command not allowed when used memory > 'maxmemory'.");
export const READ_ONLY = new ErrorReply("READONLY You can't write against a read only replica.");
export const MASTER_DOWN = new ErrorReply(
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
);
const LOADING = new ErrorReply('LOADING Redis is loading the dataset in memory');

const FOR_SUBSCRIBERS = new Set([
  'ping',
  'subscribe',
  'psubscribe',
  'ssubscribe',
  'unsubscribe',
  'punsubscribe',
  'sunsubscribe',
  'quit',
  'reset',
]);

/** True where nothing at all stands in the way of any command; otherwise {@link refusal} must be asked. */
export function isOpen(engine: Engine, session: NativeSession, { flags }: Command): boolean {
  const { mode } = engine;
  return (
    !mode.replica &&
    !mode.masterDown &&
    !mode.loading &&
    engine.busy === null &&
    mode.writesRefused === null &&
    !mode.cluster &&
    mode.maxMemory === 0 &&
    engine.password === '' &&
    session.subscriptions === 0 &&
    (flags & NO_MULTI) === 0
  );
}

/** The error with which a command is refused, or null. A refused EXEC has ended its transaction. */
export function refusal(
  engine: Engine,
  session: NativeSession,
  command: Command,
  args: readonly Bytes[],
): ErrorReply | null {
  if (!session.authenticated && (command.flags & NO_AUTH) === 0)
    return refuse(engine, session, command, NO_AUTHENTICATION);
  if (session.queue !== null && (command.flags & NO_MULTI) !== 0)
    return refuse(engine, session, command, NOT_IN_MULTI);
  if (engine.mode.cluster) {
    const elsewhere = routed(engine, session, command, args);
    if (elsewhere !== null) {
      if (command.name === 'exec') endTransaction(engine, session);
      else breakQueue(session);
      return elsewhere;
    }
  }
  const error = shortage(engine, session, command) ?? unfit(engine, session, command);
  return error === null ? null : refuse(engine, session, command, error);
}

function shortage(engine: Engine, session: NativeSession, command: Command): ErrorReply | null {
  engine.short = engine.mode.maxMemory !== 0 && !makeRoom(engine);
  if (!engine.short) return null;
  const queues = session.queue !== null && (command.flags & NOT_QUEUED) === 0;
  return queues || (effectiveFlags(session, command) & DENY_OOM) !== 0 ? OUT_OF_MEMORY : null;
}

function unfit({ mode, busy }: Engine, session: NativeSession, command: Command): ErrorReply | null {
  const flags = effectiveFlags(session, command);
  const lacks = command.name === 'exec' ? ~command.flags | session.queuedLacks : ~command.flags;
  if (mode.writesRefused !== null) {
    const refused = (flags & WRITE) !== 0;
    if (refused || (command.name === 'ping' && mode.writesRefused.text.startsWith('MISCONF')))
      return mode.writesRefused;
  }
  if (mode.replica && (flags & WRITE) !== 0) return READ_ONLY;
  if (session.subscriptions > 0 && session.protocol === 2 && !FOR_SUBSCRIBERS.has(command.name)) {
    return new ErrorReply(
      `ERR Can't execute '${command.name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
    );
  }
  if (mode.masterDown && (lacks & STALE_OK) !== 0) return MASTER_DOWN;
  if (mode.loading && (lacks & LOADING_OK) !== 0) return LOADING;
  return busy !== null && (command.flags & BUSY_OK) === 0 ? BUSY : null;
}

/** The flags of a command, and with EXEC those of what it executes. */
function effectiveFlags(session: NativeSession, { name, flags }: Command): number {
  return name === 'exec' ? flags | session.queuedFlags : flags;
}

/** True while CLIENT PAUSE holds this command back. */
export function isPaused(engine: Engine, session: NativeSession, command: Command): boolean {
  return engine.pause.all || (effectiveFlags(session, command) & (WRITE | MAY_REPLICATE)) !== 0;
}

function routed(
  { host }: Engine,
  session: NativeSession,
  command: Command,
  args: readonly Bytes[],
): ErrorReply | null {
  if (command.name !== 'exec') {
    const keys = keysOf(command, args) ?? [];
    return keys.length === 0 ? null : host.services.route(session, keys, (command.flags & WRITE) !== 0);
  }
  const keys = (session.queue ?? []).flatMap((queued) => keysOf(queued.command, queued.args) ?? []);
  return keys.length === 0 ? null : host.services.route(session, keys, (session.queuedFlags & WRITE) !== 0);
}

/** An error while commands are queued breaks the transaction; one at EXEC ends it. */
export function refuse(
  engine: Engine,
  session: NativeSession,
  command: Command | null,
  error: ErrorReply,
): ErrorReply {
  if (command?.name === 'exec') return abortTransaction(engine, session, error);
  breakQueue(session);
  return error;
}

function breakQueue(session: NativeSession): void {
  if (session.queue !== null) session.queueBroken = true;
}
