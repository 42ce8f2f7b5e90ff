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

/** Members between bounds such as `[a`, `(a`, `-`, `+`. */
export function withinMembers(minText: Bytes, maxText: Bytes): Within | ErrorReply {
  const min = parseMember(minText);
  const max = parseMember(maxText);
  if (min === undefined || max === undefined) return BAD_MEMBER;
  return (set) => ordered(set).filter((member) => isAbove(member, min) && isBelow(member, max));
}
