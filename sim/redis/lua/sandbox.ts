/** The libraries that Redis offers to scripts, put into a fengari state, read-only. */
import fengari, { type CFunction, type State } from 'fengari';
import { ErrorReply, NilArrayReply, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { formatDouble } from '../native/numbers.js';
import { LuaError } from './errors.js';
import { LIBRARY, type LibraryFunction } from './library.js';
import { fromBytes, toBytes } from './lua51.js';
import { PRELUDE } from './prelude.js';
import { errorText, type ScriptHost } from './runtime.js';
import { sha1Hex } from './sha1.js';
import { LuaTable, type LuaValue } from './table.js';

const { lua, lauxlib, lualib } = fengari;

export const RAISED_BY_C = { err: toBytes('err'), ok: toBytes('ok'), line: toBytes('line') };

/** Registry field of the environment that scripts get. */
export const ENVIRONMENT = toBytes('lockpick.environment');

export function installLibraries(L: State, host: () => ScriptHost): void {
  const libraries: readonly (readonly [string, CFunction])[] = [
    ['_G', lualib.luaopen_base],
    ['table', lualib.luaopen_table],
    ['string', lualib.luaopen_string],
    ['math', lualib.luaopen_math],
    ['coroutine', lualib.luaopen_coroutine],
  ];
  for (const [name, open] of libraries) {
    lauxlib.luaL_requiref(L, toBytes(name), open, true);
    lua.lua_pop(L, 1);
  }
  lua.lua_createtable(L, 0, 16);
  setFunction(L, 'call', (state) => callRedis(state, host(), true));
  setFunction(L, 'pcall', (state) => callRedis(state, host(), false));
  setFunction(L, 'error_reply', (state) => pushSingle(state, RAISED_BY_C.err, errorText));
  setFunction(L, 'status_reply', (state) => pushSingle(state, RAISED_BY_C.ok, (text) => text));
  setFunction(L, 'sha1hex', sha1hex);
  setFunction(L, 'log', () => 0);
  setFunction(L, 'replicate_commands', (state) => {
    lua.lua_pushboolean(state, true);
    return 1;
  });
  ['LOG_DEBUG', 'LOG_VERBOSE', 'LOG_NOTICE', 'LOG_WARNING'].forEach((name, level) => {
    lua.lua_pushnumber(L, level);
    lua.lua_setfield(L, -2, toBytes(name));
  });
  lua.lua_setglobal(L, toBytes('redis'));
  lua.lua_getglobal(L, toBytes('tostring'));
  lua.lua_setglobal(L, toBytes('lockpick_tostring'));
  lua.lua_pushcfunction(L, tostring);
  lua.lua_setglobal(L, toBytes('tostring'));
  for (const name of ['string.format', 'math.floor', 'math.ceil']) {
    const [table = '', field = ''] = name.split('.');
    lua.lua_getglobal(L, toBytes(table));
    setFunction(L, field, (state) => callLibrary(state, LIBRARY[name]!));
    lua.lua_pop(L, 1);
  }

  lua.lua_getglobal(L, toBytes('math'));
  setFunction(L, 'random', (state) => random(state, host().random.next()));
  setFunction(L, 'randomseed', (state) => {
    host().random.seed(lua.lua_tonumber(state, 1));
    return 0;
  });
  lua.lua_pop(L, 1);
  lua.lua_getglobal(L, toBytes('table'));
  lua.lua_getfield(L, -1, toBytes('unpack'));
  lua.lua_setglobal(L, toBytes('unpack'));
  lua.lua_pop(L, 1);
  for (const name of ['ipairs', 'pairs', 'unpack']) checkFirstArgument(L, name);

  if (lauxlib.luaL_loadbuffer(L, toBytes(PRELUDE), null, toBytes('=prelude')) !== lua.LUA_OK) {
    throw new Error(fromBytes(lua.lua_tostring(L, -1)!));
  }
  lua.lua_call(L, 0, 1);
  lua.lua_setfield(L, lua.LUA_REGISTRYINDEX, ENVIRONMENT);
}

function setFunction(L: State, name: string, run: CFunction): void {
  lua.lua_pushcfunction(L, run);
  lua.lua_setfield(L, -2, toBytes(name));
}

/** `math.random([from,] to)`. */
function random(L: State, r: number): number {
  const count = lua.lua_gettop(L);
  const from = count > 1 ? Math.trunc(lua.lua_tonumber(L, 1)) : 1;
  const to = count > 0 ? Math.trunc(lua.lua_tonumber(L, count)) : 1;
  if (count > 0 && from > to) {
    const message = `bad argument #${count} to 'random' (interval is empty)`;
    lua.lua_pushstring(L, toBytes(`user_script:${scriptLine(L)}: ${message}`));
    return lua.lua_error(L);
  }
  lua.lua_pushnumber(L, count === 0 ? r : Math.floor(r * (to - from + 1)) + from);
  return 1;
}

/** Has a global function refuse all but tables, in the words of Lua 5.1. */
function checkFirstArgument(L: State, name: string): void {
  const original = toBytes(`lockpick.${name}`);
  lua.lua_getglobal(L, toBytes(name));
  lua.lua_setfield(L, lua.LUA_REGISTRYINDEX, original);
  lua.lua_pushcfunction(L, (state) => {
    const type = lua.lua_type(state, 1);
    if (type !== lua.LUA_TTABLE) {
      const got = lua.lua_gettop(state) === 0 ? 'no value' : fromBytes(lua.lua_typename(state, type));
      const message = `bad argument #1 to '${name}' (table expected, got ${got})`;
      lua.lua_pushstring(state, toBytes(`user_script:${scriptLine(state)}: ${message}`));
      return lua.lua_error(state);
    }
    lua.lua_getfield(state, lua.LUA_REGISTRYINDEX, original);
    lua.lua_insert(state, 1);
    lua.lua_call(state, lua.lua_gettop(state) - 1, lua.LUA_MULTRET);
    return lua.lua_gettop(state);
  });
  lua.lua_setglobal(L, toBytes(name));
}

function tostring(L: State): number {
  const type = lua.lua_type(L, 1);
  if (lua.lua_gettop(L) === 0 || type === lua.LUA_TNUMBER) return callLibrary(L, LIBRARY['tostring']!);
  lua.lua_getglobal(L, toBytes('lockpick_tostring'));
  lua.lua_insert(L, 1);
  lua.lua_call(L, lua.lua_gettop(L) - 1, 1);
  return 1;
}

/** A library function of compiled scripts, for what it does otherwise in Lua 5.3. Of tables it sees only that they are. */
function callLibrary(L: State, run: LibraryFunction): number {
  const args: LuaValue[] = [];
  for (let i = 1; i <= lua.lua_gettop(L); i++) args.push(scalar(L, i));
  let result: LuaValue;
  try {
    result = run(scriptLine(L), ...args);
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    lua.lua_pushstring(L, toBytes(String(error.value)));
    return lua.lua_error(L);
  }
  if (typeof result === 'number') lua.lua_pushnumber(L, result);
  else lua.lua_pushstring(L, toBytes(String(result)));
  return 1;
}

function scalar(L: State, index: number): LuaValue {
  switch (lua.lua_type(L, index)) {
    case lua.LUA_TNIL:
      return undefined;
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(L, index);
    case lua.LUA_TNUMBER:
      return lua.lua_tonumber(L, index);
    case lua.LUA_TSTRING:
      return fromBytes(lua.lua_tostring(L, index)!);
    case lua.LUA_TTABLE:
      return new LuaTable();
    default:
      return () => undefined;
  }
}

const SOURCE_AND_LINE = toBytes('Sl');

/** The script's line that runs, under the library functions that were called or raised. */
export function scriptLine(L: State): number {
  const record = new lua.lua_Debug();
  for (let level = 1; lua.lua_getstack(L, level, record); level++) {
    lua.lua_getinfo(L, SOURCE_AND_LINE, record);
    if (record.currentline > 0 && fromBytes(record.source) === '@user_script') return record.currentline;
  }
  return 1;
}

/** Raises `{err=}`; the error handler adds the line. */
function raiseTable(L: State, text: string): never {
  lua.lua_createtable(L, 0, 1);
  lua.lua_pushstring(L, toBytes(text));
  lua.lua_setfield(L, -2, RAISED_BY_C.err);
  return lua.lua_error(L);
}

function callRedis(L: State, host: ScriptHost, raises: boolean): number {
  const count = lua.lua_gettop(L);
  const args: Bytes[] = [];
  let problem = count === 0 ? 'ERR Please specify at least one argument for this redis lib call' : undefined;
  for (let i = 1; i <= count && problem === undefined; i++) {
    const type = lua.lua_type(L, i);
    if (type === lua.LUA_TSTRING) args.push(fromBytes(lua.lua_tostring(L, i)!));
    else if (type === lua.LUA_TNUMBER) args.push(formatDouble(lua.lua_tonumber(L, i)));
    else problem = 'ERR Lua redis lib command arguments must be strings or integers';
  }
  const reply = problem === undefined ? host.callFromScript(args) : new ErrorReply(problem);
  if (raises && reply instanceof ErrorReply) raiseTable(L, reply.text);
  pushReply(L, reply);
  return 1;
}

/** Puts a reply on the stack as a script sees it. */
export function pushReply(L: State, reply: Reply): void {
  if (typeof reply === 'string') lua.lua_pushstring(L, toBytes(reply));
  else if (typeof reply === 'number') lua.lua_pushnumber(L, reply);
  else if (reply === null) lua.lua_pushboolean(L, false);
  else if (reply instanceof StatusReply || reply instanceof ErrorReply) {
    lua.lua_createtable(L, 0, 1);
    lua.lua_pushstring(L, toBytes(reply.text));
    lua.lua_setfield(L, -2, reply instanceof ErrorReply ? RAISED_BY_C.err : RAISED_BY_C.ok);
  } else if (typeof reply === 'bigint') lua.lua_pushnumber(L, Number(reply));
  else if (reply instanceof NilArrayReply) lua.lua_pushboolean(L, false);
  else pushAggregate(L, inResp2(reply));
}

function pushAggregate(L: State, reply: Reply): void {
  if (!Array.isArray(reply)) return pushReply(L, reply);
  const items = reply as readonly Reply[];
  lua.lua_createtable(L, items.length, 0);
  items.forEach((item, i) => {
    pushReply(L, item);
    lua.lua_rawseti(L, -2, i + 1);
  });
}

function pushSingle(L: State, field: Uint8Array, worded: (text: string) => string): number {
  const fits = lua.lua_gettop(L) === 1 && lua.lua_type(L, 1) === lua.LUA_TSTRING;
  const text = fits ? worded(fromBytes(lua.lua_tostring(L, 1)!)) : 'ERR wrong number or type of arguments';
  lua.lua_createtable(L, 0, 1);
  lua.lua_pushstring(L, toBytes(text));
  lua.lua_setfield(L, -2, fits ? field : RAISED_BY_C.err);
  return 1;
}

function sha1hex(L: State): number {
  if (lua.lua_gettop(L) !== 1) raiseTable(L, 'ERR wrong number of arguments');
  const text = lua.lua_tostring(L, 1);
  lua.lua_pushstring(L, toBytes(sha1Hex(text === null ? '' : fromBytes(text))));
  return 1;
}
