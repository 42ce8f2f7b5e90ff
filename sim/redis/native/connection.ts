/** Commands that concern the connection itself. */
import { ErrorReply, MapReply, OK, PONG, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import {
  command,
  container,
  NOT_INTEGER,
  SYNTAX,
  wrongArity,
  type Command,
  errorShowing,
} from './command.js';
import type { Engine } from './engine.js';
import { DATABASES } from './names.js';
import { parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';
import { endTransaction } from './transactions.js';
import { versionText } from './versions.js';

const WRONG_PASSWORD = new ErrorReply('WRONGPASS invalid username-password pair or user is disabled.');
const NO_PASSWORD = new ErrorReply(
  'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
);
const BAD_NAME = new ErrorReply('ERR Client names cannot contain spaces, newlines or special characters.');
const BAD_PROTOCOL = new ErrorReply('ERR Protocol version is not an integer or out of range');
const NO_PROTOCOL = new ErrorReply('NOPROTO unsupported protocol version');
const HELLO_UNAUTHENTICATED = new ErrorReply(
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time',
);
export const DB_OUT_OF_RANGE = new ErrorReply('ERR DB index is out of range');
const NOT_INT = new ErrorReply('ERR value is out of range, value must between -2147483648 and 2147483647');
const RESET = new StatusReply('RESET');

function ping(_engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (args.length > 2) return wrongArity('ping');
  if (session.subscriptions > 0 && session.protocol === 2) return ['pong', args[1] ?? ''];
  return args.length === 2 ? args[1]! : PONG;
}

/** The index of a database, or the error it deserves. */
export function databaseOf(text: Bytes): number | ErrorReply {
  const index = parseInteger(text);
  if (index === undefined) return NOT_INTEGER;
  if (index < -0x80000000 || index > 0x7fffffff) return NOT_INT;
  return index >= 0 && index < DATABASES ? index : DB_OUT_OF_RANGE;
}

function select(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const index = databaseOf(args[1]!);
  if (index instanceof ErrorReply) return index;
  if (engine.mode.cluster && index !== 0) return new ErrorReply('ERR SELECT is not allowed in cluster mode');
  session.db = index;
  engine.store.select(index);
  return OK;
}

/** An error if the user and the password are not those of the server. */
function authenticate(
  engine: Engine,
  session: NativeSession,
  user: Bytes,
  password: Bytes,
): ErrorReply | undefined {
  // Without a password the default user has the right one whatever is given.
  if (user !== 'default' || (engine.password !== '' && password !== engine.password)) return WRONG_PASSWORD;
  session.authenticated = true;
  return undefined;
}

function auth(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (args.length > 3) return SYNTAX;
  if (args.length === 2 && engine.password === '') return NO_PASSWORD;
  const [user, password] = args.length === 2 ? ['default', args[1]!] : [args[1]!, args[2]!];
  return authenticate(engine, session, user, password) ?? OK;
}

export function isName(text: Bytes): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 33 || code > 126) return false;
  }
  return true;
}

export function setName(session: NativeSession, name: Bytes): Reply {
  if (!isName(name)) return BAD_NAME;
  session.name = name;
  return OK;
}

/** HELLO [version [AUTH user password] [SETNAME name]] */
function hello(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  let protocol = session.protocol;
  if (args.length > 1) {
    const asked = parseInteger(args[1]!);
    if (asked === undefined) return BAD_PROTOCOL;
    if (asked !== 2 && asked !== 3) return NO_PROTOCOL;
    protocol = asked;
  }
  let name: Bytes | undefined;
  for (let i = 2; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    const left = args.length - 1 - i;
    if (option === 'auth' && left >= 2) {
      const error = authenticate(engine, session, args[i + 1]!, args[i + 2]!);
      if (error !== undefined) return error;
      i += 2;
    } else if (option === 'setname' && left >= 1) {
      name = args[++i]!;
      if (!isName(name)) return BAD_NAME;
    } else {
      return errorShowing("ERR Syntax error in HELLO option '", args[i]!, "'");
    }
  }
  if (!session.authenticated) return HELLO_UNAUTHENTICATED;
  if (name !== undefined) session.name = name;
  session.protocol = protocol;
  const { mode } = engine;
  return new MapReply([
    ...['server', mode.flavour],
    ...['version', versionText(mode)],
    ...['proto', protocol],
    ...['id', session.id],
    ...['mode', mode.cluster ? 'cluster' : 'standalone'],
    ...['role', mode.replica ? 'replica' : 'master'],
    ...['modules', []],
  ]);
}

/** The connection as it was when it was opened. */
function reset(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  endTransaction(engine, session);
  engine.subscriptions.leave(session);
  session.db = 0;
  engine.store.select(0);
  session.name = '';
  session.protocol = 2;
  // After CLIENT REPLY SKIP its own reply is still left out.
  if (session.replyMode !== 'skipping') session.replyMode = 'on';
  session.noEvict = false;
  session.authenticated = engine.password === '';
  return RESET;
}

function quit(engine: Engine, _args: readonly Bytes[], session: NativeSession): Reply {
  engine.host.hangUp(session);
  return OK;
}

function time(engine: Engine): Reply {
  const { wallUs } = engine.store;
  return [String(Math.floor(wallUs / 1e6)), String(wallUs % 1e6)];
}

export const CONNECTION: readonly Command[] = [
  command('ping', ping),
  command('echo', (_engine, args) => args[1]!),
  command('select', select),
  command('auth', auth),
  command('hello', hello),
  command('reset', reset),
  command('quit', quit),
  command('time', time),
  container('acl', [command('acl|whoami', () => 'default')]),
];
