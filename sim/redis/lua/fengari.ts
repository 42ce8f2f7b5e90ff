/**
 * The interpreter for scripts that the compiler leaves alone: fengari, one VM for the whole program, chunks cached by
 * script. Importing this module makes it available. Scripts can't leave anything behind in the VM: its globals and
 * libraries are read-only, as Redis's are.
 */
import fengari, { type State } from 'fengari';
import { ErrorReply, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { truncate } from './convert.js';
import { useInterpreter, type Interpreter } from './interpreter.js';
import { countAsLua51, fromBytes, toBytes, wordedAsLua51 } from './lua51.js';
import type { ScriptHost } from './runtime.js';
import { ENVIRONMENT, installLibraries, RAISED_BY_C, scriptLine } from './sandbox.js';

const { lua, lauxlib } = fengari;
const MAX_CHUNKS = 1000;
/** VM instructions after which a script counts as one that never ends. */
const INSTRUCTION_LIMIT = 20_000_000;

class Fengari implements Interpreter {
  readonly #state: State;
  readonly #chunks = new Map<string, number>();
  #host: ScriptHost | undefined;
  /** What JavaScript threw under a script, other than for want of stack. */
  #fault: { readonly error: unknown } | undefined;

  /** Built when the module loads: while a run executes, fengari would find tripwires for globals. */
  constructor() {
    countAsLua51();
    this.#state = lauxlib.luaL_newstate();
    installLibraries(this.#state, () => this.#host!);
    lua.lua_atnativeerror(this.#state, (L) => {
      const error = lua.lua_touserdata(L, 1);
      // JavaScript's stack is shorter than Lua's; anything else is a fault of ours, which no script may catch.
      if (!(error instanceof RangeError)) this.#fault ??= { error };
      lua.lua_pushstring(L, toBytes(`user_script:${scriptLine(L)}: stack overflow`));
      return 1;
    });
  }

  run(text: Bytes, sha: string, host: ScriptHost, args: readonly Bytes[], keyCount: number): Reply {
    const L = this.#state;
    const outerHost = this.#host;
    const top = lua.lua_gettop(L);
    this.#host = host;
    try {
      this.#setVector(L, 'KEYS', args, 3, 3 + keyCount);
      this.#setVector(L, 'ARGV', args, 3 + keyCount, args.length);
      lua.lua_pushcfunction(L, errorHandler);
      lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, this.#chunk(L, text, sha));
      lua.lua_sethook(L, killEndless, lua.LUA_MASKCOUNT, INSTRUCTION_LIMIT);
      const status = lua.lua_pcall(L, 0, 1, top + 1);
      lua.lua_sethook(L, null, 0, 0);
      if (this.#fault !== undefined) throw this.#fault.error;
      return status === lua.LUA_OK ? readReply(L, -1, 0) : readError(L, sha);
    } finally {
      lua.lua_settop(L, top);
      this.#host = outerHost;
      this.#fault = undefined;
    }
  }

  syntaxError(text: Bytes): string | undefined {
    const L = this.#state;
    const status = load(L, text);
    const message = status === lua.LUA_OK ? undefined : wordedAsLua51(fromBytes(lua.lua_tostring(L, -1)!));
    lua.lua_pop(L, 1);
    return message;
  }

  /** Registry reference of the script's function; its environment is the read-only view of the globals. */
  #chunk(L: State, text: Bytes, sha: string): number {
    const known = this.#chunks.get(sha);
    if (known !== undefined) return known;
    if (load(L, text) !== lua.LUA_OK) throw new Error(`script ${sha} was accepted and does not compile`);
    lua.lua_getfield(L, lua.LUA_REGISTRYINDEX, ENVIRONMENT);
    lua.lua_setupvalue(L, -2, 1);
    const reference = lauxlib.luaL_ref(L, lua.LUA_REGISTRYINDEX);
    // Forgotten references stay in the VM: it is only a bound on the map, and no campaign sends that many texts.
    if (this.#chunks.size >= MAX_CHUNKS) this.#chunks.clear();
    this.#chunks.set(sha, reference);
    return reference;
  }

  #setVector(L: State, name: string, args: readonly Bytes[], from: number, to: number): void {
    lua.lua_createtable(L, to - from, 0);
    for (let i = from; i < to; i++) {
      lua.lua_pushstring(L, toBytes(args[i]!));
      lua.lua_rawseti(L, -2, i - from + 1);
    }
    lua.lua_setglobal(L, toBytes(name));
  }
}

const CHUNK_NAME = toBytes('@user_script');

/** Puts the script's function, or the message why there is none, on the stack. */
function load(L: State, text: Bytes): number {
  return lauxlib.luaL_loadbuffer(L, toBytes(text), null, CHUNK_NAME);
}

function killEndless(L: State): void {
  lua.lua_sethook(L, null, 0, 0);
  lauxlib.luaL_error(L, toBytes('Script killed by user with SCRIPT KILL'));
}

/** Turns what was raised into a table `{err=, line=}`, as Redis's own handler does. */
function errorHandler(L: State): number {
  const line = scriptLine(L);
  if (lua.lua_type(L, 1) !== lua.LUA_TTABLE) {
    const raised = lua.lua_tostring(L, 1);
    const text = raised === null ? describe(L, 1) : wordedAsLua51(fromBytes(raised));
    lua.lua_createtable(L, 0, 2);
    lua.lua_pushstring(L, toBytes(`ERR ${text}`));
    lua.lua_setfield(L, -2, RAISED_BY_C.err);
  } else {
    lua.lua_pushvalue(L, 1);
  }
  lua.lua_pushnumber(L, line);
  lua.lua_setfield(L, -2, RAISED_BY_C.line);
  return 1;
}

function describe(L: State, index: number): string {
  const type = lua.lua_type(L, index);
  if (type === lua.LUA_TBOOLEAN) return lua.lua_toboolean(L, index) ? 'true' : 'false';
  return fromBytes(lua.lua_typename(L, type));
}

function readError(L: State, sha: string): ErrorReply {
  lua.lua_getfield(L, -1, RAISED_BY_C.err);
  const text = lua.lua_tostring(L, -1);
  lua.lua_getfield(L, -2, RAISED_BY_C.line);
  const line = lua.lua_tonumber(L, -1);
  const words = text === null ? 'ERR unknown error' : fromBytes(text);
  return new ErrorReply(`${words} script: ${sha}, on @user_script:${line}.`.replace(/[\r\n]/g, ' '));
}

const MAX_DEPTH = 190;

/** What a client gets for the Lua value at `index`. */
function readReply(L: State, index: number, depth: number): Reply {
  switch (lua.lua_type(L, index)) {
    case lua.LUA_TSTRING:
      return fromBytes(lua.lua_tostring(L, index)!);
    case lua.LUA_TNUMBER:
      return truncate(lua.lua_tonumber(L, index));
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(L, index) ? 1 : null;
    case lua.LUA_TTABLE:
      return readTable(L, lua.lua_absindex(L, index), depth);
    default:
      return null;
  }
}

function readTable(L: State, index: number, depth: number): Reply {
  if (depth > MAX_DEPTH) return new ErrorReply('ERR reached lua stack limit');
  const error = stringField(L, index, RAISED_BY_C.err);
  if (error !== undefined) return new ErrorReply(error.replace(/[\r\n]/g, ' '));
  const status = stringField(L, index, RAISED_BY_C.ok);
  if (status !== undefined) return new StatusReply(status.replace(/[\r\n]/g, ' '));
  const items: Reply[] = [];
  for (let i = 1; ; i++) {
    const type = lua.lua_rawgeti(L, index, i);
    if (type !== lua.LUA_TNIL) items.push(readReply(L, -1, depth + 1));
    lua.lua_pop(L, 1);
    if (type === lua.LUA_TNIL) return items;
  }
}

function stringField(L: State, index: number, field: Uint8Array): string | undefined {
  lua.lua_pushstring(L, field);
  const type = lua.lua_rawget(L, index);
  const text = type === lua.LUA_TSTRING ? fromBytes(lua.lua_tostring(L, -1)!) : undefined;
  lua.lua_pop(L, 1);
  return text;
}

useInterpreter(new Fengari());
