/** The libraries that Redis offers to scripts, put into a fengari state, read-only. */
import fengari, { type CFunction, type State } from 'fengari';
import { ErrorReply } from '../keyspace.js';
import { callLibrary, pushValue } from './bridge.js';
import { replyToLua } from './convert.js';
import { LuaError } from './errors.js';
import { jsonDecode } from './json-decode.js';
import { jsonEncode } from './json-encode.js';
import { JSON_SETTINGS, JsonSettings } from './json-settings.js';
import { HOSTED, LIBRARY, SEVERAL } from './library.js';
import type { Table } from 'fengari/src/ltable.js';
import {
  fromBytes,
  isReadOnly,
  makeReadOnly,
  READ_ONLY_TABLE,
  toBytes,
  unlocked,
  wordedAsLua51,
} from './lua51.js';
import { PRELUDE } from './prelude.js';
import { commandArguments, type ScriptHost } from './runtime.js';
import { CONSTANTS } from './syntax.js';
import { NULL_POINTER, type LuaValue } from './table.js';

const { lua, lauxlib, lualib } = fengari;

/** Registry field of the environment that scripts get. */
export const ENVIRONMENT = toBytes('lockpick.environment');
/** Registry field of the table behind `redis`. */
const REDIS = toBytes('lockpick.redis');

/** Functions that Lua 5.3 has too, and that differ. */
const REPLACED = [
  'string.format',
  'string.rep',
  'string.char',
  'math.floor',
  'math.ceil',
  'tonumber',
  'table.concat',
];

/** `isStopped`: the script that runs has run too long, and only unwinds. */
export function installLibraries(L: State, host: () => ScriptHost, isStopped: () => boolean): void {
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
  installRedis(L, host);
  pushJson(L, () => host().json);
  lua.lua_setglobal(L, toBytes('cjson'));
  for (const table of ['cmsgpack', 'struct', 'bit']) {
    lua.lua_createtable(L, 0, 16);
    setShared(L, table, host);
    if (table === 'cmsgpack') setFields(L, MSGPACK_FIELDS);
    lua.lua_setglobal(L, toBytes(table));
  }
  installBase(L, host);
  lua.lua_pushcfunction(L, (state) => worded(state, isStopped()));
  lua.lua_setglobal(L, toBytes('lockpick_worded'));
  if (lauxlib.luaL_loadbuffer(L, toBytes(PRELUDE), null, toBytes('=prelude')) !== lua.LUA_OK) {
    throw new Error(fromBytes(lua.lua_tostring(L, -1)!));
  }
  lua.lua_call(L, 0, 1);
  lockEnvironment(L);
  lua.lua_setfield(L, lua.LUA_REGISTRYINDEX, ENVIRONMENT);
}

/** Makes the globals on the stack, their metatable and all libraries read-only; and the fields that all strings have. */
function lockEnvironment(L: State): void {
  const lock = () => makeReadOnly(lua.lua_topointer(L, -1) as Table);
  const lockMetatable = () => {
    if (!lua.lua_getmetatable(L, -1)) return;
    lock();
    lua.lua_pop(L, 1);
  };
  lock();
  lockMetatable();
  lua.lua_pushnil(L);
  while (lua.lua_next(L, -2) !== 0) {
    if (lua.lua_type(L, -1) === lua.LUA_TTABLE) lock();
    lua.lua_pop(L, 1);
  }
  pushValue(L, '');
  lockMetatable();
  lua.lua_pop(L, 1);
}

const MSGPACK_FIELDS = {
  _NAME: 'cmsgpack',
  _VERSION: 'lua-cmsgpack 0.4.0',
  _COPYRIGHT: 'Copyright (C) 2012, Salvatore Sanfilippo',
  _DESCRIPTION: 'MessagePack C implementation for Lua',
};

function setFunction(L: State, name: string, run: CFunction): void {
  lua.lua_pushcfunction(L, run);
  lua.lua_setfield(L, -2, toBytes(name));
}

function setFields(L: State, fields: Readonly<Record<string, LuaValue>>): void {
  for (const [name, value] of Object.entries(fields)) {
    pushValue(L, value);
    lua.lua_setfield(L, -2, toBytes(name));
  }
}

/** Puts the functions that compiled scripts have under `table.` into the table on the stack. */
function setShared(L: State, table: string, host: () => ScriptHost): void {
  const within = (path: string) => path.startsWith(`${table}.`);
  const field = (path: string) => path.slice(table.length + 1);
  for (const [path, run] of Object.entries(LIBRARY)) {
    if (!within(path)) continue;
    setFunction(L, field(path), (state) => callLibrary(state, (line, args) => [run(line, ...args)]));
  }
  for (const [path, run] of Object.entries(SEVERAL)) {
    if (!within(path)) continue;
    setFunction(L, field(path), (state) => callLibrary(state, (line, args) => run(line, ...args)));
  }
  for (const [path, run] of Object.entries(HOSTED)) {
    if (!within(path)) continue;
    setFunction(L, field(path), (state) => callLibrary(state, (line, args) => [run(host(), line, ...args)]));
  }
}

function installRedis(L: State, host: () => ScriptHost): void {
  lua.lua_createtable(L, 0, 32);
  setShared(L, 'redis', host);
  setFunction(L, 'call', (state) => callRedis(state, host(), true));
  setFunction(L, 'pcall', (state) => callRedis(state, host(), false));
  const constants = Object.entries(CONSTANTS).filter(([path]) => path.startsWith('redis.'));
  setFields(L, Object.fromEntries(constants.map(([path, value]) => [path.slice('redis.'.length), value])));
  lua.lua_pushvalue(L, -1);
  lua.lua_setfield(L, lua.LUA_REGISTRYINDEX, REDIS);
  lua.lua_setglobal(L, toBytes('redis'));
}

/** Has `redis.REDIS_VERSION` and its number say the version of the server that runs the next script. */
export function setVersion(L: State, [major, minor, patch]: readonly [number, number, number]): void {
  lua.lua_getfield(L, lua.LUA_REGISTRYINDEX, REDIS);
  const number = (major << 16) | (minor << 8) | patch;
  unlocked(() => setFields(L, { REDIS_VERSION: `${major}.${minor}.${patch}`, REDIS_VERSION_NUM: number }));
  lua.lua_pop(L, 1);
}

/** Pushes a table `cjson` whose functions share these settings. */
function pushJson(L: State, settings: () => JsonSettings): void {
  lua.lua_createtable(L, 0, 16);
  setFields(L, { _NAME: 'cjson', _VERSION: '2.1.0', null: NULL_POINTER });
  setFunction(L, 'encode', (state) =>
    callLibrary(state, (line, args) => [jsonEncode(settings(), line, ...args)]),
  );
  setFunction(L, 'decode', (state) =>
    callLibrary(state, (line, args) => [jsonDecode(settings(), line, ...args)]),
  );
  for (const [name, run] of Object.entries(JSON_SETTINGS)) {
    setFunction(L, name, (state) => callLibrary(state, (line, args) => run(settings(), line, ...args)));
  }
  setFunction(L, 'new', (state) => {
    const own = new JsonSettings();
    pushJson(state, () => own);
    return 1;
  });
}

function installBase(L: State, host: () => ScriptHost): void {
  lua.lua_getglobal(L, toBytes('tostring'));
  lua.lua_setglobal(L, toBytes('lockpick_tostring'));
  lua.lua_pushcfunction(L, tostring);
  lua.lua_setglobal(L, toBytes('tostring'));
  for (const path of REPLACED) {
    const [table = '', field = table] = path.includes('.') ? path.split('.') : ['_G', path];
    lua.lua_getglobal(L, toBytes(table));
    setFunction(L, field, (state) => callLibrary(state, (line, args) => [LIBRARY[path]!(line, ...args)]));
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
  for (const name of ['ipairs', 'unpack']) checkFirstArgument(L, name);
  lua.lua_pushcfunction(L, pairs);
  lua.lua_setglobal(L, toBytes('pairs'));
  lua.lua_pushcfunction(L, setMetatable);
  lua.lua_setglobal(L, toBytes('lockpick_setmetatable'));
}

function raiseText(L: State, message: string): never {
  lauxlib.luaL_where(L, 1);
  const where = fromBytes(lua.lua_tostring(L, -1)!);
  pushValue(L, where + message);
  return lua.lua_error(L);
}

/** `math.random([from,] to)`. */
function random(L: State, r: number): number {
  const count = lua.lua_gettop(L);
  if (count > 2) raiseText(L, 'wrong number of arguments');
  const from = count > 1 ? Math.trunc(lua.lua_tonumber(L, 1)) : 1;
  const to = count > 0 ? Math.trunc(lua.lua_tonumber(L, count)) : 1;
  if (count > 0 && from > to) raiseText(L, `bad argument #${count} to 'random' (interval is empty)`);
  lua.lua_pushnumber(L, count === 0 ? r : Math.floor(r * (to - from + 1)) + from);
  return 1;
}

function demandTable(L: State, name: string): void {
  const type = lua.lua_type(L, 1);
  if (type === lua.LUA_TTABLE) return;
  const got = lua.lua_gettop(L) === 0 ? 'no value' : fromBytes(lua.lua_typename(L, type));
  raiseText(L, `bad argument #1 to '${name}' (table expected, got ${got})`);
}

/** What fits on the stack of a C function in Lua 5.1. */
const MAX_C_STACK = 8000;

/** Has a global function refuse all but tables, in the words of Lua 5.1, and more values than its stack holds. */
function checkFirstArgument(L: State, name: string): void {
  const original = toBytes(`lockpick.${name}`);
  lua.lua_getglobal(L, toBytes(name));
  lua.lua_setfield(L, lua.LUA_REGISTRYINDEX, original);
  lua.lua_pushcfunction(L, (state) => {
    demandTable(state, name);
    if (name === 'unpack') {
      const count = lua.lua_gettop(state);
      const first = count < 2 ? 1 : lua.lua_tonumber(state, 2);
      const last = count < 3 ? lua.lua_rawlen(state, 1) : lua.lua_tonumber(state, 3);
      if (count + last - first + 1 > MAX_C_STACK) raiseText(state, 'too many results to unpack');
    }
    lua.lua_getfield(state, lua.LUA_REGISTRYINDEX, original);
    lua.lua_insert(state, 1);
    lua.lua_call(state, lua.lua_gettop(state) - 1, lua.LUA_MULTRET);
    return lua.lua_gettop(state);
  });
  lua.lua_setglobal(L, toBytes(name));
}

/** Lua 5.1 has no `__pairs`. */
function pairs(L: State): number {
  demandTable(L, 'pairs');
  lua.lua_settop(L, 1);
  lua.lua_getglobal(L, toBytes('next'));
  lua.lua_insert(L, 1);
  lua.lua_pushnil(L);
  return 3;
}

function setMetatable(L: State): number {
  demandTable(L, 'setmetatable');
  const type = lua.lua_type(L, 2);
  if (lua.lua_gettop(L) < 2 || (type !== lua.LUA_TNIL && type !== lua.LUA_TTABLE))
    raiseText(L, "bad argument #2 to 'setmetatable' (nil or table expected)");
  if (lua.lua_getmetatable(L, 1)) {
    lua.lua_pushstring(L, toBytes('__metatable'));
    if (lua.lua_rawget(L, -2) !== lua.LUA_TNIL) raiseText(L, 'cannot change a protected metatable');
  }
  if (isReadOnly(lua.lua_topointer(L, 1))) {
    pushValue(L, READ_ONLY_TABLE);
    lua.lua_error(L);
  }
  lua.lua_settop(L, 2);
  lua.lua_setmetatable(L, 1);
  return 1;
}

/** An error's message as Lua 5.1 has it, and whether the script is being stopped. */
function worded(L: State, stopped: boolean): number {
  if (lua.lua_type(L, 1) === lua.LUA_TSTRING) pushValue(L, wordedAsLua51(fromBytes(lua.lua_tostring(L, 1)!)));
  else lua.lua_pushvalue(L, 1);
  pushValue(L, stopped);
  return 2;
}

function tostring(L: State): number {
  const type = lua.lua_type(L, 1);
  if (lua.lua_gettop(L) === 0 || type === lua.LUA_TNUMBER || type === lua.LUA_TLIGHTUSERDATA)
    return callLibrary(L, (line, args) => [LIBRARY['tostring']!(line, ...args)]);
  lua.lua_getglobal(L, toBytes('lockpick_tostring'));
  lua.lua_insert(L, 1);
  lua.lua_call(L, lua.lua_gettop(L) - 1, 1);
  return 1;
}

function callRedis(L: State, host: ScriptHost, raises: boolean): number {
  const args: LuaValue[] = [];
  for (let i = 1; i <= lua.lua_gettop(L); i++) {
    const type = lua.lua_type(L, i);
    if (type === lua.LUA_TSTRING) args.push(fromBytes(lua.lua_tostring(L, i)!));
    else args.push(type === lua.LUA_TNUMBER ? lua.lua_tonumber(L, i) : undefined);
  }
  let result: LuaValue;
  let failed = false;
  try {
    const reply = host.callFromScript(commandArguments(args, 1));
    failed = reply instanceof ErrorReply;
    result = replyToLua(reply, host.protocol);
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    failed = true;
    result = error.value;
  }
  pushValue(L, result);
  return failed && raises ? lua.lua_error(L) : 1;
}
