import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import type { ScriptHost } from './runtime.js';

/**
 * Runs what the compiler leaves alone. It is given from outside, since the one there is (`fengari.ts`) needs Node to
 * load and the simulator's core does not.
 */
export interface Interpreter {
  /** Runs a script; `args` as EVAL has them: name, script, number of keys, keys, arguments. */
  run(text: Bytes, sha: string, host: ScriptHost, args: readonly Bytes[], keyCount: number): Reply;
  /** What Lua says of a text that does not compile; undefined: it compiles. */
  syntaxError(text: Bytes): string | undefined;
}

let current: Interpreter | undefined;

/** Makes an interpreter available to all servers of this program. */
export function useInterpreter(interpreter: Interpreter): void {
  current = interpreter;
}

const MISSING = new ErrorReply(
  'ERR lockpick: this script needs the Lua interpreter, which is not loaded here (import sim/redis/lua/fengari.js)',
);

export function interpret(
  text: Bytes,
  sha: string,
  host: ScriptHost,
  args: readonly Bytes[],
  keyCount: number,
): Reply {
  return current === undefined ? MISSING : current.run(text, sha, host, args, keyCount);
}

export function interpretedSyntaxError(text: Bytes): string | undefined {
  return current?.syntaxError(text);
}
