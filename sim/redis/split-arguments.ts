/** Inline commands: words between blanks, quoted where they hold any. */
import type { Bytes } from './keyspace.js';

const BLANK = /[ \t\n\v\f\r\0]/;
const HEX_PAIR = /^[\da-fA-F]{2}$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

interface Piece {
  readonly text: string;
  readonly next: number;
}

/** One character inside double quotes. */
function escaped(line: Bytes, at: number): Piece {
  if (line[at] !== '\\' || at + 1 >= line.length) return { text: line[at]!, next: at + 1 };
  const digits = line.slice(at + 2, at + 4);
  if (line[at + 1] === 'x' && HEX_PAIR.test(digits))
    return { text: String.fromCharCode(parseInt(digits, 16)), next: at + 4 };
  const letter = line[at + 1]!;
  return { text: ESCAPES[letter] ?? letter, next: at + 2 };
}

/** From behind an opening quote to behind the closing one; null: it never closes, or more follows at once. */
function quoted(line: Bytes, from: number, quote: string): Piece | null {
  let text = '';
  let at = from;
  while (at < line.length) {
    if (line[at] === quote) {
      const next = at + 1;
      return next === line.length || BLANK.test(line[next]!) ? { text, next } : null;
    }
    if (quote === "'" && line[at] === '\\' && line[at + 1] === "'") {
      text += "'";
      at += 2;
      continue;
    }
    const piece = quote === '"' ? escaped(line, at) : { text: line[at]!, next: at + 1 };
    text += piece.text;
    at = piece.next;
  }
  return null;
}

/** The words of a line; null where quotes do not match. */
export function splitArguments(line: Bytes): Bytes[] | null {
  const words: Bytes[] = [];
  let at = 0;
  for (;;) {
    while (at < line.length && BLANK.test(line[at]!)) at++;
    if (at >= line.length) return words;
    let word = '';
    while (at < line.length && !BLANK.test(line[at]!)) {
      const character = line[at]!;
      if (character !== '"' && character !== "'") {
        word += character;
        at++;
        continue;
      }
      const piece = quoted(line, at + 1, character);
      if (piece === null) return null;
      word += piece.text;
      at = piece.next;
    }
    words.push(word);
  }
}
