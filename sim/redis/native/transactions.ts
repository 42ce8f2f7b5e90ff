import { ErrorReply, NIL_ARRAY, OK, type Bytes, type Reply } from '../keyspace.js';
import { becomeBusy } from './busy-script.js';
import { command, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { NativeSession, QueuedCommand } from './session.js';

const ABORTED = new ErrorReply('EXECABORT Transaction discarded because of previous errors.');

function multi(_engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  if (session.queue !== null) return new ErrorReply('ERR MULTI calls can not be nested');
  session.queue = [];
  return OK;
}

export function enqueue(session: NativeSession, queue: QueuedCommand[], queued: QueuedCommand): void {
  queue.push(queued);
  session.queuedFlags |= queued.command.flags;
  session.queuedLacks |= ~queued.command.flags;
}

/** Leaves the transaction and forgets the watched keys. */
export function endTransaction(engine: Engine, session: NativeSession): void {
  session.queue = null;
  session.queueBroken = false;
  session.queuedFlags = 0;
  session.queuedLacks = 0;
  engine.store.unwatch(session);
}

/** EXEC is refused before anything was executed. */
export function abortTransaction(engine: Engine, session: NativeSession, error: ErrorReply): ErrorReply {
  endTransaction(engine, session);
  const reason = error.text.startsWith('ERR ') ? error.text.slice(4) : error.text;
  return new ErrorReply(`EXECABORT Transaction discarded because of: ${reason}`);
}

function exec(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  const { queue } = session;
  if (queue === null) return new ErrorReply('ERR EXEC without MULTI');
  const broken = session.queueBroken;
  const touched = session.watchBroken || engine.store.watchedExpired(session);
  endTransaction(engine, session);
  if (broken) return ABORTED;
  if (touched) return NIL_ARRAY;
  return executeQueue(engine, session, queue, []);
}

/** Executes what is left of a transaction; a script that never ends interrupts it until it is killed. */
function executeQueue(
  engine: Engine,
  session: NativeSession,
  queue: readonly QueuedCommand[],
  replies: Reply[],
): Reply {
  engine.atomic = true;
  try {
    while (replies.length < queue.length) {
      const { command: queued, args } = queue[replies.length]!;
      replies.push(queued.run(engine, args, session));
    }
  } catch (error) {
    return becomeBusy(engine, session, error, (killed) => {
      replies.push(killed);
      return executeQueue(engine, session, queue, replies);
    });
  }
  engine.atomic = false;
  return replies;
}

function discard(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  if (session.queue === null) return new ErrorReply('ERR DISCARD without MULTI');
  endTransaction(engine, session);
  return OK;
}

function watch(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (session.queue !== null) return new ErrorReply('ERR WATCH inside MULTI is not allowed');
  if (session.watchBroken) return OK;
  for (let i = 1; i < args.length; i++) engine.store.watch(session, args[i]!);
  return OK;
}

function unwatch(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  engine.store.unwatch(session);
  return OK;
}

export const TRANSACTIONS: readonly Command[] = [
  command('multi', multi),
  command('exec', exec),
  command('discard', discard),
  command('watch', watch),
  command('unwatch', unwatch),
];
