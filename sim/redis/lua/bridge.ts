/** Values on their way between a fengari state and what compiled scripts and libraries work with. */
import fengari, { type State } from 'fengari';
import { LuaError } from './errors.js';
import { fromBytes, toBytes } from './lua51.js';
import { A_THREAD, LuaTable, NULL_POINTER, type LuaValue } from './table.js';

const { lua, lauxlib } = fengari;

/** Stands for functions, of which libraries see only that they are. */
const A_FUNCTION = () => undefined;

/** The value at `index`; tables are copied whole, without their metatables, cycles kept. */
export function valueAt(L: State, index: number, seen = new Map<unknown, LuaTable>()): LuaValue {
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
      return tableAt(L, lua.lua_absindex(L, index), seen);
    case lua.LUA_TLIGHTUSERDATA:
      return NULL_POINTER;
    case lua.LUA_TTHREAD:
      return A_THREAD;
    default:
      return A_FUNCTION;
  }
}

function tableAt(L: State, index: number, seen: Map<unknown, LuaTable>): LuaTable {
  const identity = lua.lua_topointer(L, index);
  const known = seen.get(identity);
  if (known !== undefined) return known;
  const table = new LuaTable();
  seen.set(identity, table);
  lauxlib.luaL_checkstack(L, 3, null);
  lua.lua_pushnil(L);
  while (lua.lua_next(L, index) !== 0) {
    table.set(valueAt(L, -2, seen), valueAt(L, -1, seen));
    lua.lua_pop(L, 1);
  }
  return table;
}

export function pushValue(L: State, value: LuaValue): void {
  switch (typeof value) {
    case 'undefined':
      return lua.lua_pushnil(L);
    case 'boolean':
      return lua.lua_pushboolean(L, value);
    case 'number':
      return lua.lua_pushnumber(L, value);
    case 'string':
      lua.lua_pushstring(L, toBytes(value));
      return;
    case 'object':
      if (value instanceof LuaTable) return pushTable(L, value);
      return lua.lua_pushlightuserdata(L, NULL_POINTER);
    default:
      throw new Error('no library returns functions');
  }
}

function pushTable(L: State, table: LuaTable): void {
  const keys = table.keys();
  lauxlib.luaL_checkstack(L, 3, null);
  lua.lua_createtable(L, 0, keys.length);
  for (const key of keys) {
    pushValue(L, key);
    pushValue(L, table.get(key));
    lua.lua_rawset(L, -3);
  }
}

export function argumentsOf(L: State): LuaValue[] {
  const args: LuaValue[] = [];
  for (let i = 1; i <= lua.lua_gettop(L); i++) args.push(valueAt(L, i));
  return args;
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

/** Runs a library function on the arguments on the stack; leaves its results there. */
export function callLibrary(L: State, run: (line: number, args: LuaValue[]) => readonly LuaValue[]): number {
  const line = scriptLine(L);
  let results: readonly LuaValue[];
  try {
    results = run(line, argumentsOf(L));
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    return raiseError(L, error);
  }
  lauxlib.luaL_checkstack(L, results.length, null);
  for (const result of results) pushValue(L, result);
  return results.length;
}

function raiseError(L: State, { value, line }: LuaError): never {
  const place = `user_script:${line}: `;
  if (typeof value === 'string' && value.startsWith(place)) {
    // The place is that of the caller, if it is a Lua function; under `pcall(cjson.decode, ...)` there is none, and no name.
    lauxlib.luaL_where(L, 1);
    const where = fromBytes(lua.lua_tostring(L, -1)!);
    const message = value.slice(place.length);
    pushValue(
      L,
      where + (where === '' ? message.replace(/^(bad argument #\d+ to )'\w+'/, "$1'?'") : message),
    );
  } else pushValue(L, value);
  return lua.lua_error(L);
}
