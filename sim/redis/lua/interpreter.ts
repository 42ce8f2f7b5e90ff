import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import type { ScriptHost } from './runtime.js';
import type { Script } from './script.js';

export function interpretScript(
  script: Script,
  host: ScriptHost,
  args: readonly Bytes[],
  keyCount: number,
): Reply {
  void [script, host, args, keyCount];
  return new ErrorReply('ERR interpreter');
}
export function syntaxErrorOf(text: Bytes): string | undefined {
  void text;
  return undefined;
}
