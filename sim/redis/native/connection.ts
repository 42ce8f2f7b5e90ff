import { ErrorReply, OK, PONG, type Bytes, type Reply } from '../keyspace.js';
import {
  command,
  container,
  LOADING_OK,
  NO_SCRIPT,
  NOT_INTEGER,
  NOT_QUEUED,
  since,
  wrongArity,
  type Command,
} from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';

function ping(_engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 2) return wrongArity('ping');
  return args.length === 2 ? args[1]! : PONG;
}

/** A server has one database, as with `databases 1` in its configuration. */
function select(_engine: Engine, args: readonly Bytes[]): Reply {
  const index = parseInteger(args[1]!);
  if (index === undefined || Math.abs(index) > 0x7fffffff) return NOT_INTEGER;
  return index === 0 ? OK : new ErrorReply('ERR DB index is out of range');
}

function time(engine: Engine): Reply {
  const { wallUs } = engine.store;
  return [String(Math.floor(wallUs / 1e6)), String(wallUs % 1e6)];
}

function versionText(engine: Engine): string {
  const [major, minor] = engine.store.mode.version;
  return `${major}.${minor}.0`;
}

function info(engine: Engine): Reply {
  const { mode, size } = engine.store;
  const lines = [
    '# Server',
    `redis_version:${versionText(engine)}`,
    'redis_mode:standalone',
    '',
    '# Persistence',
    `loading:${mode.loading ? 1 : 0}`,
    'async_loading:0',
    '',
    '# Replication',
    `role:${mode.replica ? 'slave' : 'master'}`,
    ...(mode.replica ? ['master_link_status:up'] : []),
    'connected_slaves:0',
    '',
    '# Keyspace',
    ...(size > 0 ? [`db0:keys=${size},expires=0,avg_ttl=0`] : []),
    '',
  ];
  return lines.join('\r\n');
}

function role(engine: Engine): Reply {
  return engine.store.mode.replica ? ['slave', '', 0, 'connected', 0] : ['master', 0, []];
}

function setName(_engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const name = args[2]!;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code < 33 || code > 126) {
      return new ErrorReply('ERR Client names cannot contain spaces, newlines or special characters.');
    }
  }
  session.name = name;
  return OK;
}

const ANYWHERE = LOADING_OK | NO_SCRIPT;

export const CONNECTION: readonly Command[] = [
  command('ping', -1, 0, ping),
  command('echo', 2, LOADING_OK, (_engine, args) => args[1]!),
  command('select', 2, LOADING_OK, select),
  command('time', 1, LOADING_OK, time),
  command('info', -1, LOADING_OK, info),
  command('role', 1, ANYWHERE, role),
  command('quit', -1, ANYWHERE | NOT_QUEUED, () => OK),
  command('publish', 3, LOADING_OK, () => 0),
  container('client', [
    command('client|setname', 3, ANYWHERE, setName),
    command('client|getname', 2, ANYWHERE, (_engine, _args, session) =>
      session.name === '' ? null : session.name,
    ),
    command('client|id', 2, ANYWHERE, (_engine, _args, session) => session.id),
    since(
      [7, 2],
      command('client|setinfo', 4, ANYWHERE, () => OK),
    ),
  ]),
  container('command', [command('command|count', 2, LOADING_OK, (engine) => engine.commands.all.length)]),
  command('wait', 3, NO_SCRIPT, (_engine, args) =>
    parseInteger(args[1]!) === undefined || parseInteger(args[2]!) === undefined ? NOT_INTEGER : 0,
  ),
];
