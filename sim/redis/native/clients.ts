/** CLIENT: what a connection may say of itself, and do to others. */
import { ErrorReply, NO_REPLY, OK, type Bytes, type Reply } from '../keyspace.js';
import { clientKill } from './client-kill.js';
import {
  command,
  container,
  NOT_INTEGER,
  since,
  SYNTAX,
  wrongUseOf,
  type Command,
  errorShowing,
} from './command.js';
import { isName, setName } from './connection.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import { addressOf, CLIENT_TYPES, clientType, type NativeSession } from './session.js';

function flagsOf(session: NativeSession): string {
  const flags =
    (session.subscriptions > 0 ? 'P' : '') +
    (session.queue !== null ? 'x' : '') +
    (session.wait !== null ? 'b' : '') +
    (session.watchBroken ? 'd' : '') +
    (session.noEvict ? 'e' : '');
  return flags === '' ? 'N' : flags;
}

/** One connection as CLIENT LIST shows it; what a simulation has not (buffers, descriptors) is 0. */
function describe(engine: Engine, session: NativeSession): string {
  const { wallUs } = engine.store;
  const seconds = (sinceUs: number) => Math.max(0, Math.floor((wallUs - sinceUs) / 1e6));
  const shards = session.shards?.size ?? 0;
  const patterns = session.patterns?.size ?? 0;
  return [
    `id=${session.id}`,
    `addr=${addressOf(session)}`,
    'laddr=127.0.0.1:6379',
    'fd=0',
    `name=${session.name}`,
    `age=${seconds(session.openedUs)}`,
    `idle=${seconds(session.lastUs)}`,
    `flags=${flagsOf(session)}`,
    `db=${session.db}`,
    `sub=${session.channels?.size ?? 0}`,
    `psub=${patterns}`,
    `ssub=${shards}`,
    `multi=${session.queue === null ? -1 : session.queue.length}`,
    'qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=0 tot-mem=0',
    'events=r',
    `cmd=${session.lastCommand?.name ?? 'NULL'}`,
    'user=default',
    'redir=-1',
    `resp=${session.protocol}`,
  ].join(' ');
}

/** CLIENT LIST [TYPE type] [ID id ...] */
function list(engine: Engine, args: readonly Bytes[]): Reply {
  let sessions: NativeSession[] = [...engine.sessions.values()];
  if (args.length === 4 && args[2]!.toLowerCase() === 'type') {
    const type = args[3]!.toLowerCase();
    if (!CLIENT_TYPES.has(type)) return errorShowing("ERR Unknown client type '", args[3]!, "'");
    sessions = sessions.filter((session) => clientType(session) === type);
  } else if (args.length > 3 && args[2]!.toLowerCase() === 'id') {
    const ids = args.slice(3).map(parseInteger);
    if (ids.some((id) => id === undefined)) return new ErrorReply('ERR Invalid client ID');
    sessions = ids.flatMap((id) => engine.sessions.get(id!) ?? []);
  } else if (args.length !== 2) return SYNTAX;
  return sessions.map((session) => `${describe(engine, session)}\n`).join('');
}

/** CLIENT PAUSE milliseconds [WRITE | ALL] */
function pause(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 4) return wrongUseOf('CLIENT', args[1]!);
  const mode = args[3]?.toLowerCase() ?? 'all';
  if (mode !== 'all' && mode !== 'write') return new ErrorReply('ERR CLIENT PAUSE mode must be WRITE or ALL');
  const forMs = parseInteger(args[2]!);
  if (forMs === undefined) return new ErrorReply('ERR timeout is not an integer or out of range');
  if (forMs < 0) return new ErrorReply('ERR timeout is negative');
  // One that ends at the beginning of time is over.
  if (forMs === 0 && !engine.pause.active) return OK;
  engine.beginPause(engine.store.nowMs + forMs, mode === 'all');
  return OK;
}

function unpause(engine: Engine): Reply {
  engine.endPause();
  return OK;
}

function reply(_engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  switch (args[2]!.toLowerCase()) {
    case 'on':
      session.replyMode = 'on';
      return OK;
    case 'off':
      session.replyMode = 'off';
      return NO_REPLY;
    case 'skip':
      if (session.replyMode !== 'off') session.replyMode = 'skip';
      return NO_REPLY;
    default:
      return SYNTAX;
  }
}

function noEvict(_engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const word = args[2]!.toLowerCase();
  if (word !== 'on' && word !== 'off') return SYNTAX;
  session.noEvict = word === 'on';
  return OK;
}

function unblock(engine: Engine, args: readonly Bytes[]): Reply {
  const reason = args[3]?.toLowerCase() ?? 'timeout';
  if (args.length > 4) return wrongUseOf('CLIENT', args[1]!);
  if (reason !== 'timeout' && reason !== 'error') {
    return new ErrorReply('ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR');
  }
  const id = parseInteger(args[2]!);
  if (id === undefined) return NOT_INTEGER;
  const session = engine.sessions.get(id);
  return session !== undefined && engine.waiting.unblock(session, reason === 'error') ? 1 : 0;
}

/** There are no caches to track: OFF is as it was, ON is refused. */
function tracking(_engine: Engine, args: readonly Bytes[]): Reply {
  const word = args[2]!.toLowerCase();
  if (word === 'on') return new ErrorReply('ERR lockpick: client-side caching is not simulated');
  return word === 'off' ? OK : SYNTAX;
}

/** CLIENT SETINFO LIB-NAME | LIB-VER value */
function setInfo(_engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const attribute = args[2]!.toLowerCase();
  if (attribute !== 'lib-name' && attribute !== 'lib-ver')
    return errorShowing("ERR Unrecognized option '", args[2]!, "'");
  if (!isName(args[3]!)) {
    return new ErrorReply(`ERR ${attribute} cannot contain spaces, newlines or special characters.`);
  }
  if (attribute === 'lib-name') session.libraryName = args[3]!;
  else session.libraryVersion = args[3]!;
  return OK;
}

export const CLIENTS: readonly Command[] = [
  container('client', [
    command('client|setname', (_engine, args, session) => setName(session, args[2]!)),
    command('client|getname', (_engine, _args, session) => (session.name === '' ? null : session.name)),
    command('client|id', (_engine, _args, session) => session.id),
    command('client|info', (engine, _args, session) => `${describe(engine, session)}\n`),
    command('client|list', list),
    command('client|kill', clientKill),
    command('client|pause', pause),
    command('client|unpause', unpause),
    command('client|reply', reply),
    command('client|no-evict', noEvict),
    command('client|unblock', unblock),
    command('client|tracking', tracking),
    since([7, 2], [7, 2], command('client|setinfo', setInfo)),
  ]),
];
