import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, settle, type EntryFor } from './collections.js';
import { command, type Command } from './command.js';
import type { Engine } from './engine.js';

function sadd(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const found = entryOf(engine, key, 'set');
  if (found instanceof ErrorReply) return found;
  const entry: EntryFor<'set'> = found ?? { kind: 'set', value: new Set(), deadlineMs: null };
  const before = entry.value.size;
  for (let i = 2; i < args.length; i++) entry.value.add(args[i]!);
  const added = entry.value.size - before;
  if (added > 0) settle(engine, key, entry, entry.value.size, found === undefined);
  return added;
}

function srem(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const entry = entryOf(engine, key, 'set');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  let removed = 0;
  for (let i = 2; i < args.length; i++) if (entry.value.delete(args[i]!)) removed++;
  if (removed > 0) settle(engine, key, entry, entry.value.size, false);
  return removed;
}

function reading(read: (members: ReadonlySet<Bytes>, args: readonly Bytes[]) => Reply) {
  const none: ReadonlySet<Bytes> = new Set();
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const entry = entryOf(engine, args[1]!, 'set');
    return entry instanceof ErrorReply ? entry : read(entry?.value ?? none, args);
  };
}

export const SETS: readonly Command[] = [
  command('sadd', sadd),
  command('srem', srem),
  command(
    'scard',
    reading((members) => members.size),
  ),
  command(
    'sismember',
    reading((members, args) => (members.has(args[2]!) ? 1 : 0)),
  ),
  command(
    'smismember',
    reading((members, args) => args.slice(2).map((each) => (members.has(each) ? 1 : 0))),
  ),
  command(
    'smembers',
    reading((members) => [...members]),
  ),
];
