/**
 * A script that never ends: its server answers BUSY to nearly everything until SCRIPT KILL, which ends only scripts that have
 * not written. What it did before, it did; its time stands still.
 */
import { BLOCKED, ErrorReply, OK, type Reply } from '../keyspace.js';
import { scriptErrorReply } from '../lua/errors.js';
import { EndlessScript } from '../lua/runtime.js';
import type { Engine } from './engine.js';
import type { NativeSession } from './session.js';

export const BUSY = new ErrorReply(
  'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
);
const NOT_BUSY = new ErrorReply('NOTBUSY No scripts in execution right now.');
const UNKILLABLE = new ErrorReply(
  'UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.',
);
const KILLED = 'Script killed by user with SCRIPT KILL...';

export interface BusyScript {
  readonly session: NativeSession;
  readonly wrote: boolean;
  /** What its connection is answered once the script is killed. */
  readonly finish: (killed: ErrorReply) => Reply;
  readonly killed: ErrorReply;
}

/**
 * What was thrown out of a command: the server is busy with a script from now on. Until `busy-reply-threshold` it answers
 * nobody.
 */
export function becomeBusy(
  engine: Engine,
  session: NativeSession,
  error: unknown,
  finish: (killed: ErrorReply) => Reply,
): Reply {
  if (!(error instanceof EndlessScript)) throw error;
  const { sha, wrote } = engine.lastScript;
  const killed = scriptErrorReply(KILLED, sha, error.line);
  engine.atomic = false;
  engine.busy = { session, wrote, finish, killed };
  engine.host.services.busy(Number(engine.settings.get('busy-reply-threshold')) * 1000);
  return BLOCKED;
}

/** SCRIPT KILL */
export function killScript(engine: Engine): Reply {
  const { busy, host } = engine;
  if (busy === null) return NOT_BUSY;
  if (busy.wrote) return UNKILLABLE;
  engine.busy = null;
  if (!engine.sessions.has(busy.session.id)) return OK;
  const { db } = engine.store;
  engine.store.select(busy.session.db);
  host.unblocking(busy.session);
  const reply = busy.finish(busy.killed);
  if (reply !== BLOCKED) host.unblocked(busy.session, reply);
  engine.store.select(db);
  return OK;
}
