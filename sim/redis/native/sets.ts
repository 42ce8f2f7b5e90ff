import { ErrorReply, SetReply, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, settle, type EntryFor } from './collections.js';
import { command, NOT_POSITIVE, SYNTAX, WRONG_TYPE, type Command } from './command.js';
import { draw, drawOne, readDraw } from './draws.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import { scanEntry } from './scans.js';

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

function smove(engine: Engine, args: readonly Bytes[]): Reply {
  const [, from = '', to = '', member = ''] = args;
  const source = engine.store.find(from);
  if (source === undefined) return 0;
  const target = entryOf(engine, to, 'set');
  if (source.kind !== 'set') return WRONG_TYPE;
  if (target instanceof ErrorReply) return target;
  if (source === target) return source.value.has(member) ? 1 : 0;
  if (!source.value.delete(member)) return 0;
  settle(engine, from, source, source.value.size, false);
  const entry: EntryFor<'set'> = target ?? { kind: 'set', value: new Set(), deadlineMs: null };
  if (!entry.value.has(member)) {
    entry.value.add(member);
    settle(engine, to, entry, entry.value.size, target === undefined);
  }
  return 1;
}

/** SPOP key [count] */
function spop(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  const count = args.length === 3 ? parseInteger(args[2]!) : 1;
  if (count === undefined || count < 0) return NOT_POSITIVE;
  const entry = entryOf(engine, args[1]!, 'set');
  if (entry instanceof ErrorReply) return entry;
  if (entry === undefined) return args.length === 3 ? new SetReply([]) : null;
  const taken = draw(engine, [...entry.value], count);
  for (const member of taken) entry.value.delete(member);
  if (taken.length > 0) settle(engine, args[1]!, entry, entry.value.size, false);
  return args.length === 3 ? new SetReply(taken) : taken[0]!;
}

/** SRANDMEMBER key [count] */
function srandmember(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  const plan = readDraw(args, '');
  if (plan instanceof ErrorReply) return plan;
  const entry = entryOf(engine, args[1]!, 'set');
  if (entry instanceof ErrorReply) return entry;
  if (plan === null) return entry === undefined ? null : drawOne(engine, [...entry.value]);
  return draw(engine, [...(entry?.value ?? [])], plan.count);
}

function sscan(engine: Engine, args: readonly Bytes[]): Reply {
  return scanEntry(engine, args, 'set', (entry) => [...entry.value].map((member) => [member]));
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
  command('smove', smove),
  command('spop', spop),
  command('srandmember', srandmember),
  command('sscan', sscan),
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
    reading((members) => new SetReply([...members])),
  ),
];
