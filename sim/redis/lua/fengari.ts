/**
 * The interpreter for scripts that the compiler leaves alone: fengari, one VM for the whole program, chunks cached by
 * script. Importing this module makes it available. Scripts can't leave anything behind in the VM: its globals and
 * libraries are read-only, as Redis's are.
 */
import fengari, { type State } from 'fengari';
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { pushValue, scriptLine, valueAt } from './bridge.js';
import { luaToReply } from './convert.js';
import { textOf } from './library.js';
import { useInterpreter, type Interpreter } from './interpreter.js';
import { countAsLua51, fromBytes, protectTables, toBytes, unlocked, wordedAsLua51 } from './lua51.js';
import { EndlessScript, type ScriptHost } from './runtime.js';
import { ENVIRONMENT, installLibraries, setVersion } from './sandbox.js';

const { lua, lauxlib } = fengari;
const MAX_CHUNKS = 1000;
/** VM instructions after which a script counts as one that never ends. */
const INSTRUCTION_LIMIT = 5_000_000;
/** So many take as long as one turn of a loop. */
const INSTRUCTIONS_PER_TURN = 4;
const [ERR, LINE] = [toBytes('err'), toBytes('line')];

class Fengari implements Interpreter {
  readonly #state: State;
  readonly #chunks = new Map<string, number>();
  #host: ScriptHost | undefined;
  #version: readonly number[] = [];
  /** Where the script was when it had run too long to ever end. */
  #endlessAt: number | undefined;
  /** What JavaScript threw under a script, other than for want of stack. */
  #fault: { readonly error: unknown } | undefined;

  /** Built when the module loads: while a run executes, fengari would find tripwires for globals. */
  constructor() {
    countAsLua51();
    protectTables();
    this.#state = lauxlib.luaL_newstate();
    installLibraries(
      this.#state,
      () => this.#host!,
      () => this.#endlessAt !== undefined,
    );
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
    if (this.#version !== host.version) setVersion(L, (this.#version = host.version));
    try {
      this.#setVector(L, 'KEYS', args, 3, 3 + keyCount);
      this.#setVector(L, 'ARGV', args, 3 + keyCount, args.length);
      lua.lua_pushcfunction(L, errorHandler);
      lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, this.#chunk(L, text, sha));
      lua.lua_sethook(L, this.#stopEndless, lua.LUA_MASKCOUNT, INSTRUCTION_LIMIT);
      const status = lua.lua_pcall(L, 0, 1, top + 1);
      host.turns = Math.floor((INSTRUCTION_LIMIT - L.hookcount) / INSTRUCTIONS_PER_TURN);
      lua.lua_sethook(L, null, 0, 0);
      if (this.#fault !== undefined) throw this.#fault.error;
      if (this.#endlessAt !== undefined) throw new EndlessScript(this.#endlessAt);
      return status === lua.LUA_OK ? luaToReply(valueAt(L, -1), host.protocol) : readError(L, sha);
    } finally {
      lua.lua_settop(L, top);
      this.#host = outerHost;
      this.#fault = undefined;
      this.#endlessAt = undefined;
    }
  }

  /** From here on every instruction raises, so that no pcall of the script keeps it going. */
  readonly #stopEndless = (L: State): void => {
    this.#endlessAt ??= scriptLine(L);
    // Of this coroutine, and of the script around it.
    for (const state of [L, this.#state]) lua.lua_sethook(state, this.#stopEndless, lua.LUA_MASKCOUNT, 1);
    lauxlib.luaL_error(L, toBytes('endless'));
  };

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
    lua.lua_getfield(L, lua.LUA_REGISTRYINDEX, ENVIRONMENT);
    pushValue(L, name);
    lua.lua_createtable(L, to - from, 0);
    for (let i = from; i < to; i++) {
      lua.lua_pushstring(L, toBytes(args[i]!));
      lua.lua_rawseti(L, -2, i - from + 1);
    }
    unlocked(() => lua.lua_rawset(L, -3));
    lua.lua_pop(L, 1);
  }
}

const CHUNK_NAME = toBytes('@user_script');

/** Puts the script's function, or the message why there is none, on the stack. */
function load(L: State, text: Bytes): number {
  return lauxlib.luaL_loadbuffer(L, toBytes(text), null, CHUNK_NAME);
}

/** Turns what was raised into a table `{err=, line=}`, as Redis's own handler does. */
function errorHandler(L: State): number {
  const line = scriptLine(L);
  if (lua.lua_type(L, 1) !== lua.LUA_TTABLE) {
    const raised = lua.lua_tostring(L, 1);
    const text = raised === null ? textOf(valueAt(L, 1)) : wordedAsLua51(fromBytes(raised));
    lua.lua_createtable(L, 0, 2);
    lua.lua_pushstring(L, toBytes(`ERR ${text}`));
    lua.lua_setfield(L, -2, ERR);
  } else {
    lua.lua_pushvalue(L, 1);
  }
  lua.lua_pushnumber(L, line);
  lua.lua_setfield(L, -2, LINE);
  return 1;
}

function readError(L: State, sha: string): ErrorReply {
  lua.lua_getfield(L, -1, ERR);
  const text = lua.lua_tostring(L, -1);
  lua.lua_getfield(L, -2, LINE);
  const line = lua.lua_tonumber(L, -1);
  const words = text === null ? 'ERR unknown error' : fromBytes(text);
  return new ErrorReply(`${words} script: ${sha}, on @user_script:${line}.`.replace(/[\r\n]/g, ' '));
}

useInterpreter(new Fengari());
