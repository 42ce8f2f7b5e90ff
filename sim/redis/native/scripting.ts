import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import type { Script } from '../lua/script.js';
import { scriptOf } from '../lua/script.js';
import { killScript } from './busy-script.js';
import { command, container, NOT_INTEGER, type Command } from './command.js';
import type { Engine } from './engine.js';
import { countedKeys } from './key-places.js';
import { parseInteger } from './numbers.js';
import { scriptRefusal } from './script-flags.js';
import type { NativeSession } from './session.js';

const NO_SUCH_SCRIPT = new ErrorReply('NOSCRIPT No matching script. Please use EVAL.');
const NEGATIVE_KEYS = new ErrorReply("ERR Number of keys can't be negative");
const TOO_MANY_KEYS = new ErrorReply("ERR Number of keys can't be greater than number of args");

/** Scripts a server knows, by lower-case SHA-1. */
export type ScriptTable = Map<string, Script>;

function runScript(
  engine: Engine,
  args: readonly Bytes[],
  session: NativeSession,
  script: Script | ErrorReply | undefined,
  readOnly: boolean,
): Reply {
  const keyCount = args[2] === '1' ? 1 : parseInteger(args[2]!);
  if (keyCount === undefined) return NOT_INTEGER;
  if (keyCount > args.length - 3) return TOO_MANY_KEYS;
  if (keyCount < 0) return NEGATIVE_KEYS;
  if (script === undefined) return NO_SUCH_SCRIPT;
  if (script instanceof ErrorReply) return script;
  const refused = scriptRefusal(engine, script, readOnly);
  if (refused !== null) return refused;
  const writesNothing = readOnly || (script.flags?.has('no-writes') ?? false);
  return engine.runScript(script, args, keyCount, session, writesNothing);
}

function evaluate(engine: Engine, args: readonly Bytes[], session: NativeSession, readOnly: boolean): Reply {
  const script = scriptOf(args[1]!);
  if (!(script instanceof ErrorReply)) engine.scripts.set(script.sha, script);
  return runScript(engine, args, session, script, readOnly);
}

function evaluateSha(
  engine: Engine,
  args: readonly Bytes[],
  session: NativeSession,
  readOnly: boolean,
): Reply {
  const sha = args[1]!;
  if (sha.length !== 40) return NO_SUCH_SCRIPT;
  const script = engine.scripts.get(sha) ?? engine.scripts.get(sha.toLowerCase());
  return runScript(engine, args, session, script, readOnly);
}

function load(engine: Engine, args: readonly Bytes[]): Reply {
  const script = scriptOf(args[2]!);
  if (script instanceof ErrorReply) return script;
  engine.scripts.set(script.sha, script);
  return script.sha;
}

function exists(engine: Engine, args: readonly Bytes[]): Reply {
  return args.slice(2).map((sha) => (engine.scripts.has(sha.toLowerCase()) ? 1 : 0));
}

function flush(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 3 || (args.length === 3 && !/^(a?sync)$/i.test(args[2]!))) {
    return new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option');
  }
  engine.scripts.clear();
  return OK;
}

/** There is no debugger: SCRIPT DEBUG takes `no`. */
function debug(_engine: Engine, args: readonly Bytes[]): Reply {
  return args[2]!.toLowerCase() === 'no' ? OK : new ErrorReply('ERR Use SCRIPT DEBUG YES/SYNC/NO');
}

export const SCRIPTING: readonly Command[] = [
  command('eval', (engine, args, session) => evaluate(engine, args, session, false), countedKeys(2)),
  command('evalsha', (engine, args, session) => evaluateSha(engine, args, session, false), countedKeys(2)),
  command('eval_ro', (engine, args, session) => evaluate(engine, args, session, true), countedKeys(2)),
  command('evalsha_ro', (engine, args, session) => evaluateSha(engine, args, session, true), countedKeys(2)),
  container('script', [
    command('script|load', load),
    command('script|exists', exists),
    command('script|flush', flush),
    command('script|kill', killScript),
    command('script|debug', debug),
  ]),
];
