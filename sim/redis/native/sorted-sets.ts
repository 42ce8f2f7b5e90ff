import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, settle, type EntryFor } from './collections.js';
import { keptScore } from './compact.js';
import { command, NOT_FLOAT, SYNTAX, type Command } from './command.js';
import { draw, drawOne, readDraw } from './draws.js';
import type { Engine } from './engine.js';
import type { SortedSet } from './entry.js';
import { formatDouble, parseDouble } from './numbers.js';
import { scanEntry } from './scans.js';
import { memberReplies, scoreReply } from './score-replies.js';
import type { NativeSession } from './session.js';

const NX = 1;
const XX = 2;
const GT = 4;
const LT = 8;
const CH = 16;
const INCR = 32;
const ADD_OPTIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({ nx: NX, xx: XX, gt: GT, lt: LT, ch: CH, incr: INCR }),
);

const NAN_SCORE = new ErrorReply('ERR resulting score is not a number (NaN)');

/** Members in order of score, then of bytes. */
export function ordered(set: SortedSet): readonly Bytes[] {
  return (set.order ??= inOrder(set.scores));
}

export function inOrder(scores: ReadonlyMap<Bytes, number>): Bytes[] {
  return [...scores.keys()].sort((a, b) => {
    const [x, y] = [scores.get(a)!, scores.get(b)!];
    if (x !== y) return x < y ? -1 : 1;
    return a < b ? -1 : 1;
  });
}

function readOptions(args: readonly Bytes[]): { flags: number; from: number } | ErrorReply {
  let flags = 0;
  let from = 2;
  for (; from < args.length; from++) {
    const flag = ADD_OPTIONS.get(args[from]!.toLowerCase());
    if (flag === undefined) break;
    flags |= flag;
  }
  const rest = args.length - from;
  if (rest === 0 || rest % 2 !== 0) return SYNTAX;
  if ((flags & NX) !== 0 && (flags & XX) !== 0) {
    return new ErrorReply('ERR XX and NX options at the same time are not compatible');
  }
  if (((flags & GT) !== 0 && (flags & (NX | LT)) !== 0) || ((flags & LT) !== 0 && (flags & NX) !== 0)) {
    return new ErrorReply('ERR GT, LT, and/or NX options at the same time are not compatible');
  }
  if ((flags & INCR) !== 0 && rest > 2) {
    return new ErrorReply('ERR INCR option supports a single increment-element pair');
  }
  return { flags, from };
}

/** The score a member gets, or null: the options keep it as it is. */
function nextScore(old: number | undefined, given: number, flags: number): number | null | ErrorReply {
  if (old === undefined) return (flags & XX) !== 0 ? null : given;
  if ((flags & NX) !== 0) return null;
  const next = (flags & INCR) !== 0 ? old + given : given;
  if (Number.isNaN(next)) return NAN_SCORE;
  if ((flags & GT) !== 0 && next <= old) return null;
  if ((flags & LT) !== 0 && next >= old) return null;
  return next;
}

/** ZADD key [NX | XX] [GT | LT] [CH] [INCR] score member ...; ZINCRBY is its INCR form. */
function add(engine: Engine, args: readonly Bytes[], flags: number, from: number): Reply {
  const scores: number[] = [];
  for (let i = from; i < args.length; i += 2) {
    const score = parseDouble(args[i]!);
    if (score === undefined) return NOT_FLOAT;
    scores.push(score);
  }
  const key = args[1]!;
  const found = entryOf(engine, key, 'zset');
  if (found instanceof ErrorReply) return found;
  const entry: EntryFor<'zset'> = found ?? {
    kind: 'zset',
    value: { scores: new Map(), order: null },
    deadlineMs: null,
  };
  let added = 0;
  let updated = 0;
  let last: number | null = null;
  let failed: ErrorReply | undefined;
  for (let i = 0; i < scores.length && failed === undefined; i++) {
    const member = args[from + 2 * i + 1]!;
    const old = entry.value.scores.get(member);
    const next = nextScore(old, scores[i]!, flags);
    if (next instanceof ErrorReply) failed = next;
    else {
      last = next;
      if (next === null || next === old) continue;
      entry.value.scores.set(member, keptScore(next, entry.value.scores));
      if (old === undefined) added++;
      else updated++;
    }
  }
  if (added + updated > 0) {
    entry.value.order = null;
    settle(engine, key, entry, entry.value.scores.size, found === undefined);
  }
  if (failed !== undefined) return failed;
  if ((flags & INCR) !== 0) return last === null ? null : scoreReply(last);
  return (flags & CH) !== 0 ? added + updated : added;
}

function zadd(engine: Engine, args: readonly Bytes[]): Reply {
  const options = readOptions(args);
  return options instanceof ErrorReply ? options : add(engine, args, options.flags, options.from);
}

/** Takes members out; answers how many there were. */
export function removeMembers(
  engine: Engine,
  key: Bytes,
  entry: EntryFor<'zset'>,
  members: readonly Bytes[],
): number {
  let removed = 0;
  for (const member of members) if (entry.value.scores.delete(member)) removed++;
  if (removed > 0) {
    entry.value.order = null;
    settle(engine, key, entry, entry.value.scores.size, false);
  }
  return removed;
}

function zrem(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return 0;
  return entry instanceof ErrorReply ? entry : removeMembers(engine, args[1]!, entry, args.slice(2));
}

function zscore(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry instanceof ErrorReply) return entry;
  const score = entry?.value.scores.get(args[2]!);
  return score === undefined ? null : scoreReply(score);
}

function zcard(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'zset');
  return entry instanceof ErrorReply ? entry : (entry?.value.scores.size ?? 0);
}

function rank(engine: Engine, args: readonly Bytes[], reverse: boolean): Reply {
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry === undefined) return null;
  if (entry instanceof ErrorReply) return entry;
  if (!entry.value.scores.has(args[2]!)) return null;
  const position = ordered(entry.value).indexOf(args[2]!);
  return reverse ? entry.value.scores.size - 1 - position : position;
}

function zmscore(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry instanceof ErrorReply) return entry;
  return args.slice(2).map((member) => {
    const score = entry?.value.scores.get(member);
    return score === undefined ? null : scoreReply(score);
  });
}

/** ZRANDMEMBER key [count [WITHSCORES]] */
function zrandmember(engine: Engine, args: readonly Bytes[], session: NativeSession): Reply {
  const plan = readDraw(args, 'withscores');
  if (plan instanceof ErrorReply) return plan;
  const entry = entryOf(engine, args[1]!, 'zset');
  if (entry instanceof ErrorReply) return entry;
  if (plan === null) return entry === undefined ? null : drawOne(engine, ordered(entry.value));
  if (entry === undefined) return [];
  const members = draw(engine, ordered(entry.value), plan.count);
  if (!plan.withValues) return members;
  return memberReplies(
    engine,
    session,
    members.map((member) => [member, entry.value.scores.get(member)!]),
  );
}

function zscan(engine: Engine, args: readonly Bytes[]): Reply {
  return scanEntry(engine, args, 'zset', ({ value }) =>
    ordered(value).map((member) => [member, formatDouble(value.scores.get(member)!)]),
  );
}

export const SORTED_SETS: readonly Command[] = [
  command('zadd', zadd),
  command('zincrby', (engine, args) => add(engine, args, INCR, 2)),
  command('zrem', zrem),
  command('zscore', zscore),
  command('zmscore', zmscore),
  command('zrandmember', zrandmember),
  command('zscan', zscan),
  command('zcard', zcard),
  command('zrank', (engine, args) => rank(engine, args, false)),
  command('zrevrank', (engine, args) => rank(engine, args, true)),
];
