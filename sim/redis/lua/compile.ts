import luaparse from 'luaparse';
import type { Bytes, Reply } from '../keyspace.js';
import { luaToReply } from './convert.js';
import { Emitter } from './emit.js';
import * as library from './library.js';
import { NotCompiled } from './not-compiled.js';
import * as runtime from './runtime.js';
import { LuaTable } from './table.js';

/** A script as a function: `args` as EVAL has them (name, script, number of keys, keys, arguments). */
export type CompiledScript = (host: runtime.ScriptHost, args: readonly Bytes[], keyCount: number) => Reply;

/**
 * Taken when the module loads: while a run executes, the global one is a tripwire. Scripts become JavaScript text rather
 * than a tree of closures: the compare-and-delete script then costs about a tenth less, SET and DEL included.
 */
const JavaScriptFunction = Function;

/**
 * Compiles what lock scripts use of Lua 5.1 to JavaScript; undefined where the script (or its syntax error) is for the
 * interpreter.
 */
export function compileScript(text: Bytes): CompiledScript | undefined {
  const body = emit(text);
  if (body === undefined) return undefined;
  const build = new JavaScriptFunction('rt', 'lib', 'LuaTable', 'luaToReply', body) as (
    ...parameters: unknown[]
  ) => CompiledScript;
  return build(runtime, library, LuaTable, luaToReply);
}

const SYNTAX = {
  luaVersion: '5.1',
  encodingMode: 'pseudo-latin1',
  comments: false,
  locations: true,
} as const;

/** What is wrong with a text that a newer Lua takes, near enough in Lua 5.1's words; undefined: nothing. */
export function syntaxErrorOf51(text: Bytes): string | undefined {
  try {
    luaparse.parse(text, SYNTAX);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^\[(\d+):\d+\] /, 'user_script:$1: ').replace(/ (<\w+>)/g, " '$1'");
  }
}

function emit(text: Bytes): string | undefined {
  try {
    const chunk = luaparse.parse(text, SYNTAX);
    return new Emitter().script(chunk);
  } catch (error) {
    if (error instanceof NotCompiled || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
