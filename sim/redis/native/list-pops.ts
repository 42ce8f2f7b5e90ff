/** Commands that take items out of lists, and move them to others; the blocking ones wait for an item. */
import { ErrorReply, NIL_ARRAY, type Bytes, type Reply } from '../keyspace.js';
import { giveUpMs, popFirst, waitFor } from './blocking.js';
import { entryOf, settle, type EntryFor } from './collections.js';
import { command, NOT_POSITIVE, SYNTAX, wrongArity, type Command } from './command.js';
import { countedKeys } from './key-places.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import { readPopOptions } from './pop-options.js';
import type { NativeSession } from './session.js';

/** Takes up to `count` items off an end. */
function take(engine: Engine, key: Bytes, entry: EntryFor<'list'>, left: boolean, count: number): Bytes[] {
  const items = entry.value;
  const taken = left ? items.splice(0, count) : items.splice(Math.max(0, items.length - count)).reverse();
  settle(engine, key, entry, items.length, false);
  return taken;
}

/** The same of a list that is known to be there. */
function takeNow(engine: Engine, key: Bytes, left: boolean, count: number): Bytes[] {
  return take(engine, key, engine.store.find(key) as EntryFor<'list'>, left, count);
}

function pop(engine: Engine, args: readonly Bytes[], left: boolean): Reply {
  if (args.length > 3) return wrongArity(left ? 'lpop' : 'rpop');
  const counted = args.length === 3;
  const count = counted ? parseInteger(args[2]!) : 1;
  if (count === undefined || count < 0) return NOT_POSITIVE;
  const key = args[1]!;
  const entry = entryOf(engine, key, 'list');
  if (entry === undefined) return counted ? NIL_ARRAY : null;
  if (entry instanceof ErrorReply) return entry;
  if (count === 0) return [];
  const taken = take(engine, key, entry, left, count);
  return counted ? taken : taken[0]!;
}

/** BLPOP key ... timeout */
function blockingPop(engine: Engine, args: readonly Bytes[], session: NativeSession, left: boolean): Reply {
  const deadlineMs = giveUpMs(engine, args.at(-1)!);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  const keys = args.slice(1, -1);
  return popFirst(engine, session, 'list', keys, deadlineMs, (key) => [
    key,
    takeNow(engine, key, left, 1)[0]!,
  ]);
}

/** LMPOP, and from `at` on BLMPOP: numkeys key ... LEFT | RIGHT [COUNT count] */
function popMany(
  engine: Engine,
  args: readonly Bytes[],
  at: number,
  session: NativeSession,
  timeout: Bytes | null,
): Reply {
  const options = readPopOptions(args, at, 'left', 'right');
  if (options instanceof ErrorReply) return options;
  const deadlineMs = timeout === null ? null : giveUpMs(engine, timeout);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  const { keys, first: left, count } = options;
  return popFirst(engine, session, 'list', keys, deadlineMs, (key) => [
    key,
    takeNow(engine, key, left, count),
  ]);
}

function blockingPopMany(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  return popMany(engine, args, 2, session, args[1]!);
}

/** Ends of the lists between which an item moves. */
interface Ends {
  readonly fromLeft: boolean;
  readonly toLeft: boolean;
}

const ENDS: ReadonlyMap<string, boolean> = new Map([
  ['left', true],
  ['right', false],
]);

function readEnds(from: Bytes, to: Bytes): Ends | undefined {
  const fromLeft = ENDS.get(from.toLowerCase());
  const toLeft = ENDS.get(to.toLowerCase());
  return fromLeft === undefined || toLeft === undefined ? undefined : { fromLeft, toLeft };
}

/** Moves an item of a list that exists. */
function move(engine: Engine, source: Bytes, target: Bytes, entry: EntryFor<'list'>, ends: Ends): Reply {
  const found = entryOf(engine, target, 'list');
  if (found instanceof ErrorReply) return found;
  const items = entry.value;
  const item = (ends.fromLeft ? items.shift() : items.pop())!;
  const other: EntryFor<'list'> = found ?? { kind: 'list', value: [], deadlineMs: null };
  if (ends.toLeft) other.value.unshift(item);
  else other.value.push(item);
  settle(engine, target, other, other.value.length, found === undefined);
  if (other !== entry) settle(engine, source, entry, items.length, false);
  return item;
}

function moveNow(engine: Engine, source: Bytes, target: Bytes, ends: Ends): Reply {
  const entry = entryOf(engine, source, 'list');
  if (entry === undefined) return null;
  return entry instanceof ErrorReply ? entry : move(engine, source, target, entry, ends);
}

function moveOrWait(
  engine: Engine,
  session: NativeSession,
  source: Bytes,
  target: Bytes,
  ends: Ends,
  deadlineMs: number,
): Reply {
  const reply = moveNow(engine, source, target, ends);
  if (reply !== null || engine.atomic) return reply;
  return waitFor(engine, session, 'list', [source], deadlineMs, () => moveNow(engine, source, target, ends));
}

const TAIL_TO_HEAD: Ends = { fromLeft: false, toLeft: true };

function listMove(engine: Engine, args: readonly Bytes[]): Reply {
  const ends = readEnds(args[3]!, args[4]!);
  return ends === undefined ? SYNTAX : moveNow(engine, args[1]!, args[2]!, ends);
}

function blockingMove(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const ends = readEnds(args[3]!, args[4]!);
  if (ends === undefined) return SYNTAX;
  const deadlineMs = giveUpMs(engine, args[5]!);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  return moveOrWait(engine, session, args[1]!, args[2]!, ends, deadlineMs);
}

function blockingTailToHead(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const deadlineMs = giveUpMs(engine, args[3]!);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  return moveOrWait(engine, session, args[1]!, args[2]!, TAIL_TO_HEAD, deadlineMs);
}

export const LIST_POPS: readonly Command[] = [
  command('lpop', (engine, args) => pop(engine, args, true)),
  command('rpop', (engine, args) => pop(engine, args, false)),
  command('blpop', (engine, args, session) => blockingPop(engine, args, session, true)),
  command('brpop', (engine, args, session) => blockingPop(engine, args, session, false)),
  command('lmpop', (engine, args, session) => popMany(engine, args, 1, session, null), countedKeys(1)),
  command('blmpop', blockingPopMany, countedKeys(2)),
  command('lmove', listMove),
  command('rpoplpush', (engine, args) => moveNow(engine, args[1]!, args[2]!, TAIL_TO_HEAD)),
  command('blmove', blockingMove),
  command('brpoplpush', blockingTailToHead),
];
