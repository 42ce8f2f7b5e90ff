import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { compileScript, syntaxErrorOf51, type CompiledScript } from './compile.js';
import { LuaError, scriptErrorReply } from './errors.js';
import { interpret, interpretedSyntaxError } from './interpreter.js';
import type { ScriptHost } from './runtime.js';
import { sha1Hex } from './sha1.js';
import { shebangOf, type ScriptFlag } from './shebang.js';

/** A script that every server of every run may share: it keeps no state between calls. */
export class Script {
  constructor(
    readonly sha: string,
    /** Without the words of a first line that declares flags. */
    readonly text: Bytes,
    /** Undefined: the interpreter runs it. */
    readonly compiled: CompiledScript | undefined,
    /** What its first line declares; null: nothing. */
    readonly flags: ReadonlySet<ScriptFlag> | null = null,
  ) {}

  /** Runs it; `args` as EVAL has them: name, script, number of keys, keys, arguments. */
  run(host: ScriptHost, args: readonly Bytes[], keyCount: number): Reply {
    if (this.compiled === undefined) return interpret(this.text, this.sha, host, args, keyCount);
    try {
      return this.compiled(host, args, keyCount);
    } catch (error) {
      if (error instanceof LuaError) return scriptErrorReply(error.value, this.sha, error.line);
      if (error instanceof RangeError) return scriptErrorReply('user_script:1: stack overflow', this.sha, 1);
      throw error;
    }
  }
}

const MAX_CACHED = 10_000;
const cache = new Map<Bytes, Script | ErrorReply>();

/** The script of a text, compiled once for all servers, or what Redis answers where it doesn't compile. */
export function scriptOf(text: Bytes): Script | ErrorReply {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const script = prepare(text);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, script);
  return script;
}

function prepare(text: Bytes): Script | ErrorReply {
  const shebang = shebangOf(text);
  if (shebang instanceof ErrorReply) return shebang;
  const { body, flags } = shebang;
  const compiled = body.startsWith('#') ? undefined : compileScript(body);
  if (compiled === undefined) {
    const problem = interpretedSyntaxError(body) ?? syntaxErrorOf51(body);
    if (problem !== undefined) return new ErrorReply(`ERR Error compiling script (new function): ${problem}`);
  }
  return new Script(sha1Hex(text), body, compiled, flags);
}
