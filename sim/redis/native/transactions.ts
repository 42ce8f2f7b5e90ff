import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { command, LOADING_OK, NO_SCRIPT, NOT_QUEUED, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { NativeSession } from './session.js';

const AT_ONCE = LOADING_OK | NO_SCRIPT | NOT_QUEUED;
const ABORTED = new ErrorReply('EXECABORT Transaction discarded because of previous errors.');

function multi(_engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  if (session.queue !== null) return new ErrorReply('ERR MULTI calls can not be nested');
  session.queue = [];
  return OK;
}

/** Leaves the transaction and forgets the watched keys. */
export function endTransaction(engine: Engine, session: NativeSession): void {
  session.queue = null;
  session.queueBroken = false;
  engine.store.unwatch(session);
}

function exec(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  const { queue } = session;
  if (queue === null) return new ErrorReply('ERR EXEC without MULTI');
  const broken = session.queueBroken;
  const touched = session.watchBroken || engine.store.watchedExpired(session);
  endTransaction(engine, session);
  if (broken) return ABORTED;
  if (touched) return null;
  return queue.map((queued) => queued.command.run(engine, queued.args, session));
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
  command('multi', 1, AT_ONCE, multi),
  command('exec', 1, AT_ONCE, exec),
  command('discard', 1, AT_ONCE, discard),
  command('watch', -2, AT_ONCE, watch),
  command('unwatch', 1, LOADING_OK | NO_SCRIPT, unwatch),
];
