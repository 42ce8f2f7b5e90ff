/** Text in columns: widths as a terminal shows them, wrapping, painting. */
import stringWidth from 'string-width';
import type { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
/** Styles a text, or leaves it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

/** Breaks a text into lines of at most `width` columns, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => pieces(part, width))) {
    if (line === '') line = word;
    else if (stringWidth(line) + 1 + stringWidth(word) <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** A word longer than a line is cut into pieces. */
function pieces(word: string, width: number): string[] {
  if (stringWidth(word) <= width) return [word];
  const found: string[] = [];
  let piece = '';
  for (const letter of word) {
    if (stringWidth(piece + letter) > width) {
      found.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return [...found, piece];
}

/** Wraps after a lead that stands on the first line only; the other lines are indented to it. */
export function hanging(lead: string, text: string, width: number, leadWidth = stringWidth(lead)): string[] {
  return wrap(text, width - leadWidth).map(
    (line, index) => (index === 0 ? lead : ' '.repeat(leadWidth)) + line,
  );
}

/** Cuts a text to `width` columns, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const letter of text) {
    if (stringWidth(kept + letter) > width - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Two texts at the two ends of a line. */
export function ends(left: string, right: string, width: number): string {
  const gap = width - stringWidth(left) - stringWidth(right);
  return gap >= 2 ? left + ' '.repeat(gap) + right : left;
}
