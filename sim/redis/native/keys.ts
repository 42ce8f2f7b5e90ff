import { OK, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { command, SYNTAX, type Command } from './command.js';
import { drawOne } from './draws.js';
import type { Engine } from './engine.js';
import { matchesGlob } from './glob.js';
import { scan } from './scans.js';

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

/** Passes over expired keys, and leaves them where they are. */
function keys(engine: Engine, args: readonly Bytes[]): Reply {
  const found: Bytes[] = [];
  for (const key of engine.store.keys()) {
    if ((args[1] === '*' || matchesGlob(args[1]!, key)) && engine.store.peek(key) !== undefined)
      found.push(key);
  }
  return found;
}

/** FLUSHDB and FLUSHALL [ASYNC | SYNC] */
function flush(engine: Engine, args: readonly Bytes[], all: boolean): Reply {
  if (args.length > 2) return SYNTAX;
  if (args.length === 2 && !/^(a?sync)$/i.test(args[1]!)) return SYNTAX;
  if (all) engine.store.clearAll();
  else engine.store.clear();
  return OK;
}

function randomKey(engine: Engine): Reply {
  const live = [...engine.store.keys()].filter((key) => engine.store.peek(key) !== undefined);
  return live.length === 0 ? null : drawOne(engine, live);
}

export const KEYS: readonly Command[] = [
  command('del', del),
  command('unlink', del),
  command('exists', exists),
  command('touch', exists),
  command('type', type),
  command('keys', keys),
  command('scan', scan),
  command('randomkey', randomKey),
  command('dbsize', (engine) => engine.store.size),
  command('flushall', (engine, args) => flush(engine, args, true)),
  command('flushdb', (engine, args) => flush(engine, args, false)),
];
