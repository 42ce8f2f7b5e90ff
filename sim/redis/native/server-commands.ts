/** Commands that concern the server, or that the engine leaves to it. */
import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_INTEGER, unknownCommand, wrongUseOf, type Command } from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';

const NO_CLUSTER = new ErrorReply('ERR This instance has cluster support disabled');
const OF_CLUSTER = new Set(['cluster', 'asking', 'readonly', 'readwrite']);

/** The server's own; a server without it does not know the command. */
function served(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (!engine.mode.cluster && OF_CLUSTER.has(args[0]!.toLowerCase())) return NO_CLUSTER;
  return engine.host.services.command(session, args) ?? unknownCommand(args);
}

function wait(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (engine.mode.replica) {
    return new ErrorReply(
      'ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.',
    );
  }
  const replicas = parseInteger(args[1]!);
  if (replicas === undefined) return NOT_INTEGER;
  const timeoutMs = parseInteger(args[2]!);
  if (timeoutMs === undefined) return new ErrorReply('ERR timeout is not an integer or out of range');
  if (timeoutMs < 0) return new ErrorReply('ERR timeout is negative');
  // None are enough where nothing may block: the count comes at once.
  return engine.host.services.wait(session, engine.atomic ? 0 : replicas, timeoutMs);
}

/** DEBUG SLEEP seconds; nothing else of DEBUG is here. */
function debug(engine: Engine, args: readonly Bytes[]): Reply {
  if (args[1]!.toLowerCase() !== 'sleep' || args.length !== 3) return wrongUseOf('DEBUG', args[1]!);
  const seconds = Number.parseFloat(args[2]!);
  if (seconds > 0) engine.host.services.busy(Math.round(seconds * 1e6));
  return OK;
}

const SERVED = [
  ...['replicaof', 'slaveof', 'replconf', 'psync', 'sync', 'save', 'bgsave', 'lastsave', 'bgrewriteaof'],
  ...['shutdown', 'cluster', 'asking', 'readonly', 'readwrite'],
];

export const SERVER: readonly Command[] = [
  command('role', (engine) => engine.host.services.role()),
  command('wait', wait),
  command('debug', debug),
  ...SERVED.map((name) => command(name, served)),
];
