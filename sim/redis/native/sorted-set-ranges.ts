/** Commands that show, store, count or remove the members of a range. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { clampRange, entryOf, type EntryFor } from './collections.js';
import { keptScore } from './compact.js';
import { command, NOT_INTEGER, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { SortedSet } from './entry.js';
import { parseInteger } from './numbers.js';
import { withinMembers, withinScores, type Within } from './score-bounds.js';
import { memberReplies, type Scored } from './score-replies.js';
import type { NativeSession } from './session.js';
import { ordered, removeMembers } from './sorted-sets.js';

const LIMIT_NEEDS_RANGE = new ErrorReply(
  'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
);
const NO_SCORES_BY_LEX = new ErrorReply(
  'ERR syntax error, WITHSCORES not supported in combination with BYLEX',
);

type By = 'rank' | 'score' | 'lex';

/** What a command's name leaves open is decided by options: ZRANGE's are undefined. */
interface Form {
  readonly by?: By;
  readonly reverse?: boolean;
  readonly storing?: boolean;
}

/** How members are chosen and shown. */
interface Selection {
  by: By;
  reverse: boolean;
  withScores: boolean;
  offset: number;
  /** Negative: all. */
  count: number;
}

/** Reads the options from `at` on. */
function readSelection(args: readonly Bytes[], at: number, form: Form): Selection | ErrorReply {
  const selection: Selection = {
    by: form.by ?? 'rank',
    reverse: form.reverse ?? false,
    withScores: false,
    offset: 0,
    count: -1,
  };
  let { by, reverse } = form;
  let limited = false;
  for (let i = at; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    if (option === 'withscores' && !form.storing) selection.withScores = true;
    else if (option === 'limit' && i + 2 < args.length) {
      const offset = parseInteger(args[++i]!);
      const count = parseInteger(args[++i]!);
      if (offset === undefined || count === undefined) return NOT_INTEGER;
      selection.offset = offset;
      selection.count = count;
      limited = true;
    } else if (option === 'rev' && reverse === undefined) selection.reverse = reverse = true;
    else if (option === 'byscore' && by === undefined) selection.by = by = 'score';
    else if (option === 'bylex' && by === undefined) selection.by = by = 'lex';
    else return SYNTAX;
  }
  // Without an end, LIMIT 0 -1 is as good as no limit.
  if (limited && selection.count !== -1 && selection.by === 'rank') return LIMIT_NEEDS_RANGE;
  return selection.withScores && selection.by === 'lex' ? NO_SCORES_BY_LEX : selection;
}

/** The members that a selection chooses between two bounds. */
function chosen(first: Bytes, second: Bytes, selection: Selection): Within | ErrorReply {
  const { by, reverse } = selection;
  if (by === 'rank') {
    const start = parseInteger(first);
    const end = parseInteger(second);
    if (start === undefined || end === undefined) return NOT_INTEGER;
    return (set) => rankRange(set, start, end, reverse);
  }
  const [min, max] = reverse ? [second, first] : [first, second];
  const within = by === 'score' ? withinScores(min, max) : withinMembers(min, max, reverse);
  if (within instanceof ErrorReply) return within;
  return (set) => {
    if (selection.offset < 0) return [];
    const members = reverse ? [...within(set)].reverse() : within(set);
    const { offset, count } = selection;
    return members.slice(offset, count < 0 ? undefined : offset + count);
  };
}

function rankRange(set: SortedSet, start: number, end: number, reverse: boolean): readonly Bytes[] {
  const members = reverse ? [...ordered(set)].reverse() : ordered(set);
  const bounds = clampRange(start, end, members.length);
  return bounds === null ? [] : members.slice(bounds[0], bounds[1] + 1);
}

function range(form: Form) {
  return (engine: Engine, args: readonly Bytes[], session: NativeSession): Reply => {
    const selection = readSelection(args, 4, form);
    if (selection instanceof ErrorReply) return selection;
    const members = chosen(args[2]!, args[3]!, selection);
    if (members instanceof ErrorReply) return members;
    const entry = entryOf(engine, args[1]!, 'zset');
    if (entry === undefined) return [];
    if (entry instanceof ErrorReply) return entry;
    const found = members(entry.value);
    return selection.withScores ? memberReplies(engine, session, scored(entry.value, found)) : found;
  };
}

function scored(set: SortedSet, members: readonly Bytes[]): Scored[] {
  return members.map((member) => [member, set.scores.get(member)!]);
}

/** ZRANGESTORE destination source first second [option ...] */
function rangeStore(engine: Engine, args: readonly Bytes[]): Reply {
  const selection = readSelection(args, 5, { storing: true });
  if (selection instanceof ErrorReply) return selection;
  const members = chosen(args[3]!, args[4]!, selection);
  if (members instanceof ErrorReply) return members;
  const entry = entryOf(engine, args[2]!, 'zset');
  if (entry instanceof ErrorReply) return entry;
  const found = entry === undefined ? [] : scored(entry.value, members(entry.value));
  return storeScores(engine, args[1]!, new Map(found));
}

/** Puts a sorted set, or removes the key where it would be empty. */
export function storeScores(engine: Engine, key: Bytes, scores: Map<Bytes, number>): number {
  for (const [member, score] of scores) if (score === 0) scores.set(member, keptScore(score, scores));
  const entry: EntryFor<'zset'> = { kind: 'zset', value: { scores, order: null }, deadlineMs: null };
  if (scores.size > 0) engine.store.put(key, entry);
  else engine.store.delete(key);
  return scores.size;
}

type Bounds = (first: Bytes, second: Bytes) => Within | ErrorReply;

function removing(bounds: Bounds) {
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const members = bounds(args[2]!, args[3]!);
    if (members instanceof ErrorReply) return members;
    const entry = entryOf(engine, args[1]!, 'zset');
    if (entry === undefined) return 0;
    if (entry instanceof ErrorReply) return entry;
    return removeMembers(engine, args[1]!, entry, members(entry.value));
  };
}

function counting(bounds: Bounds) {
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const members = bounds(args[2]!, args[3]!);
    if (members instanceof ErrorReply) return members;
    const entry = entryOf(engine, args[1]!, 'zset');
    if (entry === undefined) return 0;
    return entry instanceof ErrorReply ? entry : members(entry.value).length;
  };
}

function ranks(first: Bytes, second: Bytes): Within | ErrorReply {
  const start = parseInteger(first);
  const end = parseInteger(second);
  if (start === undefined || end === undefined) return NOT_INTEGER;
  return (set) => rankRange(set, start, end, false);
}

export const SORTED_SET_RANGES: readonly Command[] = [
  command('zrange', range({})),
  command('zrevrange', range({ by: 'rank', reverse: true })),
  command('zrangebyscore', range({ by: 'score', reverse: false })),
  command('zrevrangebyscore', range({ by: 'score', reverse: true })),
  command('zrangebylex', range({ by: 'lex', reverse: false })),
  command('zrevrangebylex', range({ by: 'lex', reverse: true })),
  command('zrangestore', rangeStore),
  command('zremrangebyscore', removing(withinScores)),
  command('zremrangebylex', removing(withinMembers)),
  command('zremrangebyrank', removing(ranks)),
  command('zcount', counting(withinScores)),
  command('zlexcount', counting(withinMembers)),
];
