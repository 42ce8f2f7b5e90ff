/**
 * The canonical text of a history: JSON Lines, header first, one event a line, keys in one fixed order. Two runs are
 * the same run exactly if these texts are equal; the digest is taken over them.
 */
import type { History, HistoryEvent, HistoryHeader } from './events.js';

/** Keys that lead a line, in this order, so that a reader of the file sees when, where and what; the rest follow by name. */
const LEADING = ['format', 'i', 'tUs', 'host', 'kind', 'phase', 'step', 'task', 'hold'];
const RANK = new Map(LEADING.map((key, rank) => [key, rank]));

function byRank(a: string, b: string): number {
  const rankA = RANK.get(a) ?? LEADING.length;
  const rankB = RANK.get(b) ?? LEADING.length;
  if (rankA !== rankB) return rankA - rankB;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * JSON with keys in canonical order and without members that are undefined.
 * @throws TypeError for what JSON can't carry faithfully: NaN, infinities, functions, bigint
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`a history cannot carry the number ${value}`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
      return canonicalObject(value as Record<string, unknown>);
    default:
      throw new TypeError(`a history cannot carry a ${typeof value}`);
  }
}

function canonicalObject(value: Record<string, unknown>): string {
  let text = '';
  for (const key of Object.keys(value).sort(byRank)) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** One line of a history file, without its line feed. */
export function historyLine(part: HistoryHeader | HistoryEvent): string {
  return canonicalJson(part);
}

/** All lines of a history, each without its line feed. */
export function* historyLines(history: History): Generator<string> {
  yield historyLine(history.header);
  for (const event of history.events) yield historyLine(event);
}

/** The whole file; ends with a line feed. */
export function serializeHistory(history: History): string {
  let text = '';
  for (const line of historyLines(history)) text += `${line}\n`;
  return text;
}
