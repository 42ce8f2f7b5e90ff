/** Bounds of ranges of scores and of members, and what lies within them. */
import { ErrorReply, type Bytes } from '../keyspace.js';
import type { SortedSet } from './entry.js';
import { parseScoreBound } from './numbers.js';
import { ordered } from './sorted-sets.js';

const BAD_SCORE = new ErrorReply('ERR min or max is not a float');
const BAD_MEMBER = new ErrorReply('ERR min or max not valid string range item');

/** Members of a set between two bounds, in order. */
export type Within = (set: SortedSet) => readonly Bytes[];

interface ScoreBound {
  readonly score: number;
  readonly exclusive: boolean;
}

function parseScore(text: Bytes): ScoreBound | undefined {
  const exclusive = text.startsWith('(');
  const score = parseScoreBound(exclusive ? text.slice(1) : text);
  return score === undefined ? undefined : { score, exclusive };
}

/** Scores between bounds such as `1`, `(1`, `-inf`. */
export function withinScores(minText: Bytes, maxText: Bytes): Within | ErrorReply {
  const min = parseScore(minText);
  const max = parseScore(maxText);
  if (min === undefined || max === undefined) return BAD_SCORE;
  return (set) =>
    ordered(set).filter((member) => {
      const score = set.scores.get(member)!;
      if (min.exclusive ? score <= min.score : score < min.score) return false;
      return max.exclusive ? score < max.score : score <= max.score;
    });
}

/** `text` null: the end itself, below or above all. */
interface MemberBound {
  readonly text: Bytes | null;
  readonly exclusive: boolean;
  readonly high: boolean;
}

function parseMember(text: Bytes): MemberBound | undefined {
  switch (text[0]) {
    case '+':
    case '-':
      return text.length === 1 ? { text: null, exclusive: false, high: text === '+' } : undefined;
    case '(':
    case '[':
      return { text: text.slice(1), exclusive: text[0] === '(', high: false };
    default:
      return undefined;
  }
}

function isAbove(member: Bytes, { text, exclusive, high }: MemberBound): boolean {
  if (text === null) return !high;
  return exclusive ? member > text : member >= text;
}

function isBelow(member: Bytes, { text, exclusive, high }: MemberBound): boolean {
  if (text === null) return high;
  return exclusive ? member < text : member <= text;
}

/** True where nothing can lie between the bounds. */
function isEmpty(min: MemberBound, max: MemberBound): boolean {
  if (min.text === null || max.text === null) return min.high || (max.text === null && !max.high);
  return min.text > max.text || (min.text === max.text && (min.exclusive || max.exclusive));
}

/**
 * Members between bounds such as `[a`, `(a`, `-`, `+`. Where scores differ, members are not in order, and Redis finds a run of
 * them: from the first that is not below, on to the last that is not above (`reverse`: the other way round), none if the
 * ends of the set lie outside.
 */
export function withinMembers(minText: Bytes, maxText: Bytes, reverse = false): Within | ErrorReply {
  const min = parseMember(minText);
  const max = parseMember(maxText);
  if (min === undefined || max === undefined) return BAD_MEMBER;
  if (isEmpty(min, max)) return () => [];
  return (set) => {
    const members = ordered(set);
    if (!isAbove(members.at(-1)!, min) || !isBelow(members[0]!, max)) return [];
    if (!reverse) {
      const from = members.findIndex((member) => isAbove(member, min));
      const length = members.slice(from).findIndex((member) => !isBelow(member, max));
      return members.slice(from, length < 0 ? undefined : from + length);
    }
    const to = members.findLastIndex((member) => isBelow(member, max));
    const before = members.slice(0, to + 1).findLastIndex((member) => !isAbove(member, min));
    return members.slice(before + 1, to + 1);
  };
}
