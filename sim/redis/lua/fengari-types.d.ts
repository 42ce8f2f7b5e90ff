/** What lockpick uses of fengari, which brings no types: the C API of Lua 5.3 on a state, with strings as bytes. */
declare module 'fengari' {
  export type State = {
    readonly luaState: unique symbol;
    /** Instructions that are left before the counting hook runs. */
    readonly hookcount: number;
  };
  export type CFunction = (L: State) => number;
  /** Activation record filled in by lua_getstack and lua_getinfo. */
  export interface DebugRecord {
    currentline: number;
    source: Uint8Array;
  }
  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_TNIL: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    readonly LUA_TLIGHTUSERDATA: number;
    readonly LUA_TTHREAD: number;
    readonly LUA_REGISTRYINDEX: number;
    readonly LUA_MASKCOUNT: number;
    readonly LUA_MULTRET: number;
    lua_Debug: new () => DebugRecord;
    lua_absindex(L: State, index: number): number;
    lua_atnativeerror(L: State, handler: CFunction): void;
    lua_call(L: State, args: number, results: number): void;
    lua_createtable(L: State, items: number, fields: number): void;
    lua_error(L: State): never;
    lua_getfield(L: State, index: number, key: Uint8Array): number;
    lua_getmetatable(L: State, index: number): boolean;
    lua_getglobal(L: State, name: Uint8Array): number;
    lua_getinfo(L: State, what: Uint8Array, record: DebugRecord): number;
    lua_getstack(L: State, level: number, record: DebugRecord): boolean | number;
    lua_gettop(L: State): number;
    lua_insert(L: State, index: number): void;
    lua_next(L: State, index: number): number;
    lua_pcall(L: State, args: number, results: number, handler: number): number;
    lua_pop(L: State, count: number): void;
    lua_pushboolean(L: State, value: boolean): void;
    lua_pushlightuserdata(L: State, value: unknown): void;
    lua_pushcfunction(L: State, f: CFunction): void;
    lua_pushnil(L: State): void;
    lua_pushnumber(L: State, value: number): void;
    lua_pushstring(L: State, bytes: Uint8Array): void;
    lua_pushvalue(L: State, index: number): void;
    lua_rawequal(L: State, a: number, b: number): boolean;
    lua_rawget(L: State, index: number): number;
    lua_rawgeti(L: State, index: number, i: number): number;
    lua_rawlen(L: State, index: number): number;
    lua_rawset(L: State, index: number): void;
    lua_rawseti(L: State, index: number, i: number): void;
    lua_remove(L: State, index: number): void;
    lua_setfield(L: State, index: number, key: Uint8Array): void;
    lua_setglobal(L: State, name: Uint8Array): void;
    lua_sethook(L: State, hook: ((L: State) => void) | null, mask: number, count: number): void;
    lua_setmetatable(L: State, index: number): void;
    lua_settop(L: State, index: number): void;
    lua_setupvalue(L: State, index: number, n: number): Uint8Array | null;
    lua_toboolean(L: State, index: number): boolean;
    lua_tonumber(L: State, index: number): number;
    lua_tostring(L: State, index: number): Uint8Array | null;
    lua_topointer(L: State, index: number): unknown;
    lua_touserdata(L: State, index: number): unknown;
    lua_type(L: State, index: number): number;
    lua_typename(L: State, type: number): Uint8Array;
  };
  export const lauxlib: {
    luaL_newstate(): State;
    luaL_checkstack(L: State, space: number, message: Uint8Array | null): void;
    luaL_error(L: State, format: Uint8Array, ...args: unknown[]): never;
    luaL_loadbuffer(L: State, bytes: Uint8Array, size: number | null, name: Uint8Array): number;
    luaL_ref(L: State, table: number): number;
    luaL_requiref(L: State, name: Uint8Array, open: CFunction, global: boolean): void;
    luaL_where(L: State, level: number): void;
  };
  export const lualib: {
    luaopen_base: CFunction;
    luaopen_coroutine: CFunction;
    luaopen_math: CFunction;
    luaopen_string: CFunction;
    luaopen_table: CFunction;
  };
}

/** The value side of fengari, of which a few functions are replaced: they differ between Lua 5.1 and 5.3. */
declare module 'fengari/src/lobject.js' {
  export interface TValue {
    readonly value: number;
    setfltvalue(value: number): void;
    setsvalue(value: unknown): void;
  }
  const lobject: {
    luaO_str2num(bytes: Uint8Array, into: TValue): number;
    luaO_tostring(L: unknown, value: TValue): void;
  };
  export default lobject;
}

declare module 'fengari/src/lstring.js' {
  const lstring: { luaS_bless(L: unknown, bytes: Uint8Array): unknown };
  export default lstring;
}

declare module 'fengari/src/ldebug.js' {
  const ldebug: { luaG_runerror(L: unknown, message: Uint8Array): never };
  export default ldebug;
}

declare module 'fengari/src/ltable.js' {
  /** An entry in the order in which `next` finds them. */
  export interface Entry {
    p: Entry | undefined;
    n: Entry | undefined;
  }
  export interface Table {
    readonly strong: ReadonlyMap<unknown, Entry>;
    /** First and last entry. */
    f: Entry | undefined;
    l: Entry | undefined;
  }
  const ltable: {
    luaH_setfrom(L: unknown, table: Table, key: unknown, value: unknown): void;
    luaH_setint(table: Table, key: number, value: unknown): void;
  };
  export default ltable;
}

declare module 'fengari/src/ltm.js' {
  const ltm: {
    readonly TMS: { readonly TM_LEN: number };
    fasttm(L: unknown, metatable: unknown, event: number): unknown;
  };
  export default ltm;
}
