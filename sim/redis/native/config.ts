import { ErrorReply, MapReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { command, container, type Command, wrongArity, errorShowing } from './command.js';
import type { Engine } from './engine.js';
import { matchesGlob } from './glob.js';

/** CONFIG GET pattern ...: each parameter once; a name that is no pattern is shown as it was asked for. */
function get(engine: Engine, args: readonly Bytes[]): Reply {
  const pairs: Bytes[] = [];
  const patterns = args.slice(2);
  for (const name of engine.settings.names) {
    const found = patterns.find((pattern) => matchesGlob(pattern.toLowerCase(), name));
    if (found === undefined) continue;
    pairs.push(found.toLowerCase() === name ? found : name, engine.settings.get(name));
  }
  return new MapReply(pairs);
}

function failed(name: string, text: string): ErrorReply {
  return new ErrorReply(`ERR CONFIG SET failed (possibly related to argument '${name}') - ${text}`);
}

/** CONFIG SET parameter value ...: all or none. */
function set(engine: Engine, args: readonly Bytes[]): Reply {
  const { settings } = engine;
  if (args.length % 2 !== 0) return wrongArity('config|set');
  const changes: [name: string, value: Bytes][] = [];
  for (let i = 2; i < args.length; i += 2) {
    const name = args[i]!.toLowerCase();
    if (!settings.has(name)) {
      return errorShowing("ERR Unknown option or number of arguments for CONFIG SET - '", args[i]!, "'");
    }
    if (changes.some(([other]) => other === name)) return failed(args[i]!, 'duplicate parameter');
    changes.push([name, args[i + 1]!]);
  }
  for (const [name, value] of changes) {
    const problem = settings.check(name, value);
    if (problem !== undefined) return failed(name, problem);
  }
  for (const [name, value] of changes) {
    const error = settings.set(name, value);
    if (error !== undefined) return error;
    if (name === 'requirepass') engine.password = value;
  }
  if (engine.mode.maxMemory === 0) engine.store.ledger = null;
  return OK;
}

export const CONFIG: readonly Command[] = [
  container('config', [
    command('config|get', get),
    command('config|set', set),
    command('config|resetstat', () => OK),
    command('config|rewrite', () => new ErrorReply('ERR The server is running without a config file')),
  ]),
];
