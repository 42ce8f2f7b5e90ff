import { ErrorReply, OK, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_INTEGER, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { matchesGlob } from './glob.js';
import { parseInteger } from './numbers.js';

const TYPE_REPLIES = {
  string: new StatusReply('string'),
  hash: new StatusReply('hash'),
  list: new StatusReply('list'),
  set: new StatusReply('set'),
  zset: new StatusReply('zset'),
  stream: new StatusReply('stream'),
};
const NO_TYPE = new StatusReply('none');

function del(engine: Engine, args: readonly Bytes[]): Reply {
  let removed = 0;
  for (let i = 1; i < args.length; i++) if (engine.store.delete(args[i]!)) removed++;
  return removed;
}

/** Counts a key as often as it is named. */
function exists(engine: Engine, args: readonly Bytes[]): Reply {
  let found = 0;
  for (let i = 1; i < args.length; i++) if (engine.store.find(args[i]!) !== undefined) found++;
  return found;
}

function type(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  return entry === undefined ? NO_TYPE : TYPE_REPLIES[entry.kind];
}

function keys(engine: Engine, args: readonly Bytes[]): Reply {
  const found: Bytes[] = [];
  for (const key of [...engine.store.keys()]) {
    if (matchesGlob(args[1]!, key) && engine.store.find(key) !== undefined) found.push(key);
  }
  return found;
}

/** SCAN cursor [MATCH pattern] [COUNT n] [TYPE kind]: everything in one page. */
function scan(engine: Engine, args: readonly Bytes[]): Reply {
  if (!/^[+-]?\d{0,19}$/.test(args[1]!)) return new ErrorReply('ERR invalid cursor');
  let pattern: Bytes | undefined;
  let kind: Bytes | undefined;
  for (let i = 2; i < args.length; i += 2) {
    const value = args[i + 1];
    if (value === undefined) return SYNTAX;
    switch (args[i]!.toLowerCase()) {
      case 'match':
        pattern = value;
        break;
      case 'type':
        kind = value.toLowerCase();
        break;
      case 'count': {
        const count = parseInteger(value);
        if (count === undefined) return NOT_INTEGER;
        if (count < 1) return SYNTAX;
        break;
      }
      default:
        return SYNTAX;
    }
  }
  const found: Bytes[] = [];
  for (const key of [...engine.store.keys()]) {
    if (pattern !== undefined && !matchesGlob(pattern, key)) continue;
    const entry = engine.store.find(key);
    if (entry !== undefined && (kind === undefined || entry.kind === kind)) found.push(key);
  }
  return ['0', found];
}

function flush(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 2) return SYNTAX;
  if (args.length === 2 && !/^(a?sync)$/i.test(args[1]!)) return SYNTAX;
  engine.store.clear();
  return OK;
}

export const KEYS: readonly Command[] = [
  command('del', del),
  command('unlink', del),
  command('exists', exists),
  command('touch', exists),
  command('type', type),
  command('keys', keys),
  command('scan', scan),
  command('dbsize', (engine) => engine.store.size),
  command('flushall', flush),
  command('flushdb', flush),
];
