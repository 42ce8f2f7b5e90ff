/** Commands that take members off the ends of sorted sets; the blocking ones wait for a member. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { giveUpMs, popFirst } from './blocking.js';
import { entryOf, type EntryFor } from './collections.js';
import { command, NOT_POSITIVE, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { countedKeys } from './key-places.js';
import { parseInteger } from './numbers.js';
import { readPopOptions } from './pop-options.js';
import { memberReplies, pairReplies, scoreReply, type Scored } from './score-replies.js';
import type { NativeSession } from './session.js';
import { ordered, removeMembers } from './sorted-sets.js';

/** Takes up to `count` members off the low or the high end. */
function take(engine: Engine, key: Bytes, entry: EntryFor<'zset'>, low: boolean, count: number): Scored[] {
  const members = ordered(entry.value);
  const taken = low ? members.slice(0, count) : members.slice(Math.max(0, members.length - count)).reverse();
  const scored = taken.map((member): Scored => [member, entry.value.scores.get(member)!]);
  removeMembers(engine, key, entry, taken);
  return scored;
}

/** The same of a set that is known to be there. */
function takeNow(engine: Engine, key: Bytes, low: boolean, count: number): Scored[] {
  return take(engine, key, engine.store.find(key) as EntryFor<'zset'>, low, count);
}

/** ZPOPMIN key [count] */
function pop(engine: Engine, args: readonly Bytes[], session: NativeSession, low: boolean): Reply {
  if (args.length > 3) return SYNTAX;
  const count = args.length === 3 ? parseInteger(args[2]!) : 1;
  if (count === undefined || count < 0) return NOT_POSITIVE;
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return [];
  if (entry instanceof ErrorReply) return entry;
  const scored = count === 0 ? [] : take(engine, args[1]!, entry, low, count);
  // RESP3 has pairs only where a count was given.
  if (args.length === 3) return memberReplies(engine, session, scored);
  return scored.flatMap(([member, score]) => [member, scoreReply(score)]);
}

/** BZPOPMIN key ... timeout */
function blockingPop(engine: Engine, args: readonly Bytes[], session: NativeSession, low: boolean): Reply {
  const deadlineMs = giveUpMs(engine, args.at(-1)!);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  const keys = args.slice(1, -1);
  const replyOf = (key: Bytes): Reply => {
    const [[member, score]] = takeNow(engine, key, low, 1) as [Scored];
    return [key, member, scoreReply(score)];
  };
  return popFirst(engine, session, 'zset', keys, deadlineMs, replyOf);
}

/** ZMPOP, and from `at` on BZMPOP: numkeys key ... MIN | MAX [COUNT count] */
function popMany(
  engine: Engine,
  args: readonly Bytes[],
  at: number,
  session: NativeSession,
  timeout: Bytes | null,
): Reply {
  const options = readPopOptions(args, at, 'min', 'max');
  if (options instanceof ErrorReply) return options;
  const deadlineMs = timeout === null ? null : giveUpMs(engine, timeout);
  if (deadlineMs instanceof ErrorReply) return deadlineMs;
  const { keys, first: low, count } = options;
  const replyOf = (key: Bytes): Reply => [key, pairReplies(takeNow(engine, key, low, count))];
  return popFirst(engine, session, 'zset', keys, deadlineMs, replyOf);
}

function blockingPopMany(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  return popMany(engine, args, 2, session, args[1]!);
}

export const SORTED_SET_POPS: readonly Command[] = [
  command('zpopmin', (engine, args, session) => pop(engine, args, session, true)),
  command('zpopmax', (engine, args, session) => pop(engine, args, session, false)),
  command('bzpopmin', (engine, args, session) => blockingPop(engine, args, session, true)),
  command('bzpopmax', (engine, args, session) => blockingPop(engine, args, session, false)),
  command('zmpop', (engine, args, session) => popMany(engine, args, 1, session, null), countedKeys(1)),
  command('bzmpop', blockingPopMany, countedKeys(2)),
];
