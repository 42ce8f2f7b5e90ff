import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { clampRange, entryOf } from './collections.js';
import { command, NOT_INTEGER, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { SortedSet } from './entry.js';
import { formatDouble, parseInteger, parseScoreBound } from './numbers.js';
import { ordered, removeMembers } from './sorted-sets.js';

const BAD_BOUND = new ErrorReply('ERR min or max is not a float');
const LIMIT_NEEDS_RANGE = new ErrorReply(
  'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
);

/** A bound of a range of scores; `(` before it leaves the bound itself out. */
interface Bound {
  readonly score: number;
  readonly exclusive: boolean;
}

function parseBound(text: Bytes): Bound | undefined {
  const exclusive = text.startsWith('(');
  const score = parseScoreBound(exclusive ? text.slice(1) : text);
  return score === undefined ? undefined : { score, exclusive };
}

function within(score: number, min: Bound, max: Bound): boolean {
  if (min.exclusive ? score <= min.score : score < min.score) return false;
  return max.exclusive ? score < max.score : score <= max.score;
}

function membersWithin(set: SortedSet, minText: Bytes, maxText: Bytes): Bytes[] | ErrorReply {
  const min = parseBound(minText);
  const max = parseBound(maxText);
  if (min === undefined || max === undefined) return BAD_BOUND;
  return ordered(set).filter((member) => within(set.scores.get(member)!, min, max));
}

/** How members are chosen and shown. */
interface Selection {
  byScore: boolean;
  reverse: boolean;
  withScores: boolean;
  offset: number;
  /** Negative: all. */
  count: number;
}

/** Reads the options after the bounds; `full`: those of ZRANGE, which the older commands have in their names. */
function readSelection(args: readonly Bytes[], selection: Selection, full: boolean): ErrorReply | undefined {
  let limited = false;
  for (let i = 4; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    if (option === 'withscores') selection.withScores = true;
    else if (option === 'limit' && i + 2 < args.length) {
      const offset = parseInteger(args[++i]!);
      const count = parseInteger(args[++i]!);
      if (offset === undefined || count === undefined) return NOT_INTEGER;
      selection.offset = offset;
      selection.count = count;
      limited = true;
    } else if (full && option === 'byscore') selection.byScore = true;
    else if (full && option === 'rev') selection.reverse = true;
    else return SYNTAX;
  }
  return limited && !selection.byScore ? LIMIT_NEEDS_RANGE : undefined;
}

function range(
  engine: Engine,
  args: readonly Bytes[],
  byScore: boolean,
  reverse: boolean,
  full: boolean,
): Reply {
  const selection: Selection = { byScore, reverse, withScores: false, offset: 0, count: -1 };
  const problem = readSelection(args, selection, full);
  if (problem !== undefined) return problem;
  const [first = '', second = ''] =
    selection.byScore && selection.reverse ? [args[3], args[2]] : [args[2], args[3]];
  const bad = selection.byScore
    ? parseBound(first) === undefined || parseBound(second) === undefined
    : parseInteger(first) === undefined || parseInteger(second) === undefined;
  if (bad) return selection.byScore ? BAD_BOUND : NOT_INTEGER;

  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return [];
  if (entry instanceof ErrorReply) return entry;
  const members = selection.byScore
    ? scoreRange(entry.value, first, second, selection)
    : rankRange(entry.value, parseInteger(first)!, parseInteger(second)!, selection.reverse);
  if (!selection.withScores) return members;
  return members.flatMap((member) => [member, formatDouble(entry.value.scores.get(member)!)]);
}

function scoreRange(set: SortedSet, min: Bytes, max: Bytes, selection: Selection): Bytes[] {
  const found = membersWithin(set, min, max) as Bytes[];
  if (selection.reverse) found.reverse();
  if (selection.offset < 0) return [];
  return found.slice(selection.offset, selection.count < 0 ? undefined : selection.offset + selection.count);
}

function rankRange(set: SortedSet, start: number, end: number, reverse: boolean): Bytes[] {
  const members = reverse ? [...ordered(set)].reverse() : ordered(set);
  const bounds = clampRange(start, end, members.length);
  return bounds === null ? [] : members.slice(bounds[0], bounds[1] + 1);
}

function removeByScore(engine: Engine, args: readonly Bytes[]): Reply {
  if (parseBound(args[2]!) === undefined || parseBound(args[3]!) === undefined) return BAD_BOUND;
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const members = membersWithin(entry.value, args[2]!, args[3]!);
  return members instanceof ErrorReply ? members : removeMembers(engine, args[1]!, entry, members);
}

function removeByRank(engine: Engine, args: readonly Bytes[]): Reply {
  const start = parseInteger(args[2]!);
  const end = parseInteger(args[3]!);
  if (start === undefined || end === undefined) return NOT_INTEGER;
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  return removeMembers(engine, args[1]!, entry, rankRange(entry.value, start, end, false));
}

function count(engine: Engine, args: readonly Bytes[]): Reply {
  if (parseBound(args[2]!) === undefined || parseBound(args[3]!) === undefined) return BAD_BOUND;
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const members = membersWithin(entry.value, args[2]!, args[3]!);
  return members instanceof ErrorReply ? members : members.length;
}

export const SORTED_SET_RANGES: readonly Command[] = [
  command('zrange', (engine, args) => range(engine, args, false, false, true)),
  command('zrevrange', (engine, args) => range(engine, args, false, true, false)),
  command('zrangebyscore', (engine, args) => range(engine, args, true, false, false)),
  command('zrevrangebyscore', (engine, args) => range(engine, args, true, true, false)),
  command('zremrangebyscore', removeByScore),
  command('zremrangebyrank', removeByRank),
  command('zcount', count),
];
