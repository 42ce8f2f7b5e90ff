/** Functions of the tables `redis` and `cjson` that need the server: by name, for both ways to run a script. */
import { commandArguments, toNumber, type ScriptHost } from './runtime.js';
import { raiseReply } from './errors.js';
import { jsonDecode } from './json-decode.js';
import { jsonEncode } from './json-encode.js';
import type { LuaValue } from './table.js';

export type HostedFunction = (host: ScriptHost, line: number, ...args: LuaValue[]) => LuaValue;

/** C's `lua_tonumber`, cut to an integer: 0 for what is no number. */
function integerOf(value: LuaValue): number {
  const number = Math.trunc(toNumber(value) ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** Chooses which replies `redis.call` sees until the script ends: those of RESP2 or of RESP3. */
function setresp(host: ScriptHost, line: number, ...args: LuaValue[]): undefined {
  if (args.length !== 1) raiseReply(line, 'ERR redis.setresp() requires one argument.');
  const protocol = integerOf(args[0]);
  if (protocol !== 2 && protocol !== 3) raiseReply(line, 'ERR RESP version must be 2 or 3.');
  host.protocol = protocol === 3 ? 3 : 2;
}

const REPL_ALL = 3;

/** Checked and without effect: replicas of simulated servers get every change. */
function setRepl(_host: ScriptHost, line: number, ...args: LuaValue[]): undefined {
  if (args.length !== 1) raiseReply(line, 'ERR redis.set_repl() requires two arguments.');
  if ((integerOf(args[0]) & ~REPL_ALL) !== 0) {
    raiseReply(line, 'ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.');
  }
}

/** There is one user, who may do everything that there is. */
function aclCheckCommand(host: ScriptHost, line: number, ...args: LuaValue[]): boolean {
  if (!host.knowsCommand(commandArguments(args, line))) {
    raiseReply(line, 'ERR Invalid command passed to redis.acl_check_cmd()');
  }
  return true;
}

const LOG_WARNING = 3;

/** Checked; what would be logged is dropped. */
function log(_host: ScriptHost, line: number, ...args: LuaValue[]): undefined {
  if (args.length < 2) raiseReply(line, 'ERR redis.log() requires two arguments or more.');
  if (toNumber(args[0]) === undefined) raiseReply(line, 'ERR First argument must be a number (log level).');
  const level = integerOf(args[0]);
  if (level < 0 || level > LOG_WARNING) raiseReply(line, 'ERR Invalid debug level.');
}

export const HOSTED: Readonly<Record<string, HostedFunction>> = {
  'cjson.encode': (host, line, ...args) => jsonEncode(host.json, line, ...args),
  'cjson.decode': (host, line, ...args) => jsonDecode(host.json, line, ...args),
  'redis.setresp': setresp,
  'redis.set_repl': setRepl,
  'redis.acl_check_cmd': aclCheckCommand,
  'redis.log': log,
  'redis.replicate_commands': () => true,
  'redis.breakpoint': () => false,
  'redis.debug': () => undefined,
};
