/** Commands that give a key another name or another database. */
import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { command, NO_SUCH_KEY, SYNTAX, type Command } from './command.js';
import { databaseOf, DB_OUT_OF_RANGE } from './connection.js';
import { shareExact } from './deadlines.js';
import type { Engine } from './engine.js';
import { copyEntry, type Entry } from './entry.js';
import { parseInteger } from './numbers.js';
import type { NativeSession } from './session.js';

const SAME_OBJECT = new ErrorReply('ERR source and destination objects are the same');

function rename(engine: Engine, args: readonly Bytes[]): Reply {
  const { store } = engine;
  const [, from = '', to = ''] = args;
  const entry = store.find(from);
  if (entry === undefined) return NO_SUCH_KEY;
  if (from === to) return OK;
  store.delete(to);
  store.remove(from);
  store.put(to, entry);
  return OK;
}

function renameNx(engine: Engine, args: readonly Bytes[]): Reply {
  const { store } = engine;
  const [, from = '', to = ''] = args;
  const entry = store.find(from);
  if (entry === undefined) return NO_SUCH_KEY;
  if (from === to || store.find(to) !== undefined) return 0;
  store.remove(from);
  store.put(to, entry);
  return 1;
}

/** Does something with another database selected. */
function inDatabase<T>(engine: Engine, db: number, act: () => T): T {
  const { store } = engine;
  const before = store.db;
  store.select(db);
  const result = act();
  store.select(before);
  return result;
}

/** Puts an entry under a name that is free; false if it is not. */
function putIfFree(engine: Engine, db: number, key: Bytes, entry: () => Entry): boolean {
  return inDatabase(engine, db, () => {
    if (engine.store.find(key) !== undefined) return false;
    engine.store.put(key, entry());
    return true;
  });
}

function move(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  if (engine.mode.cluster) return new ErrorReply('ERR MOVE is not allowed in cluster mode');
  const db = databaseOf(args[2]!);
  if (db instanceof ErrorReply) return db;
  if (db === session.db) return SAME_OBJECT;
  const key = args[1]!;
  const entry = engine.store.find(key);
  if (entry === undefined || !putIfFree(engine, db, key, () => entry)) return 0;
  engine.store.remove(key);
  return 1;
}

/** COPY source destination [DB db] [REPLACE] */
function copy(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  let { db } = session;
  let replace = false;
  for (let i = 3; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    if (option === 'replace') replace = true;
    else if (option === 'db' && i + 1 < args.length) {
      const given = databaseOf(args[++i]!);
      if (given instanceof ErrorReply) return given;
      db = given;
    } else return SYNTAX;
  }
  if (engine.mode.cluster && db !== 0)
    return new ErrorReply('ERR Copying to another database is not allowed in cluster mode');
  const [, from = '', to = ''] = args;
  if (from === to && db === session.db) return SAME_OBJECT;
  const entry = engine.store.find(from);
  if (entry === undefined) return 0;
  if (replace) inDatabase(engine, db, () => engine.store.delete(to));
  const duplicate = () => {
    const made = copyEntry(entry);
    shareExact(entry, made);
    return made;
  };
  return putIfFree(engine, db, to, duplicate) ? 1 : 0;
}

function swapDb(engine: Engine, args: readonly Bytes[]): Reply {
  if (engine.mode.cluster) return new ErrorReply('ERR SWAPDB is not allowed in cluster mode');
  const indices: number[] = [];
  for (const [i, which] of ['first', 'second'].entries()) {
    const index = parseInteger(args[i + 1]!);
    if (index === undefined || Math.abs(index) > 0x7fffffff)
      return new ErrorReply(`ERR invalid ${which} DB index`);
    indices.push(index);
  }
  const [a, b] = indices.map(String).map(databaseOf) as [number | ErrorReply, number | ErrorReply];
  if (a instanceof ErrorReply || b instanceof ErrorReply) return DB_OUT_OF_RANGE;
  if (a !== b) engine.store.swap(a, b);
  return OK;
}

export const KEY_MOVES: readonly Command[] = [
  command('rename', rename),
  command('renamenx', renameNx),
  command('move', move),
  command('copy', copy),
  command('swapdb', swapDb),
];
