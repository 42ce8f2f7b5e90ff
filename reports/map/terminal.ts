/** A two-parameter map in letters, for a terminal: x to the right, y upwards. */
import type { GridMap } from '../../properties/search/margin/grid.js';
import type { Sample } from '../../properties/search/margin/flips.js';
import type { Parameter } from '../../properties/search/margin/parameter.js';
import { hanging, type Paint, type Style } from '../terminal/text.js';
import { ticks } from './ticks.js';

/** The letter says what the colour says: without colour nothing is lost. */
const LETTERS = { library: 'L', infrastructure: 'I', lease: 'E', usage: 'U' } as const;
const STYLES: Readonly<Record<string, Style>> = {
  L: ['white', 'bgRed'],
  I: ['black', 'bgYellow'],
  E: ['white', 'bgMagenta'],
  U: ['black', 'bgCyan'],
  '·': 'dim',
  '?': 'yellow',
};
const LEGEND: Readonly<Record<string, string>> = {
  '·': 'holds',
  L: 'violated, blame library',
  I: 'violated, blame infrastructure',
  E: 'violated, blame lease',
  U: 'violated, blame usage',
  '?': 'unknown',
};

/** Rows that are shown; the files have all. */
const MOST_ROWS = 30;

export function letterOf({ verdict, blame }: Sample): string {
  if (verdict === 'holds') return '·';
  return blame === null ? '?' : LETTERS[blame];
}

/** @returns lines of at most `width` columns */
export function mapLines(map: GridMap, paint: Paint, width: number): string[] {
  const { x, y, rows } = map;
  const labels = y.values.map((value) => amountOf(y.parameter, value));
  const margin = Math.max(...labels.map((label) => label.length), 4) + 2;
  const columns = every(x.values.length, width - margin - 2);
  const lines = every(rows.length, MOST_ROWS);
  const room = Math.floor((width - margin - 2) / columns.length);
  // Letters side by side read as a bar; two of each make a cell as wide as it is high.
  const wide = room >= 2 ? 2 : 1;
  const body = [...lines].reverse().map((row) => {
    const cells = columns.map((column) => letterOf(rows[row]![column]!));
    return `${labels[row]!.padStart(margin - 2)} ┤${runs(cells, wide, paint)}`;
  });
  return [
    `${' '.repeat(margin - 2)} ${y.parameter.path}, upwards`,
    ...body,
    ...axisLines(map, columns, wide, margin, width),
    ...legendLines(map, width),
    ...(columns.length === x.values.length && lines.length === rows.length
      ? []
      : hanging('', thinned(columns.length, x.values.length, lines.length, rows.length), width)),
  ];
}

/** Indexes of at most `most` of `length` things, evenly spaced. */
function every(length: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, most)));
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
}

function runs(cells: readonly string[], wide: number, paint: Paint): string {
  let text = '';
  for (let index = 0; index < cells.length;) {
    let end = index + 1;
    while (end < cells.length && cells[end] === cells[index]) end++;
    const cell = cells[index]!;
    text += paint(STYLES[cell] ?? 'dim', cell.repeat(wide * (end - index)));
    index = end;
  }
  return text;
}

function axisLines(
  { x }: GridMap,
  columns: readonly number[],
  wide: number,
  margin: number,
  width: number,
): string[] {
  const shown = columns.map((column) => x.values[column]!);
  const from = shown[0]!;
  const to = shown.at(-1)!;
  const length = columns.length * wide;
  const at = (value: number): number =>
    to === from ? 0 : Math.round(((value - from) / (to - from)) * (columns.length - 1)) * wide;
  const rule = Array.from({ length }, () => '─');
  const labels = Array.from({ length: width - margin }, () => ' ');
  let free = 0;
  for (const value of ticks(from, to, 6)) {
    const text = amountOf(x.parameter, value);
    const column = at(value);
    rule[column] = '┬';
    if (column < free || column + text.length > labels.length) continue;
    [...text].forEach((letter, index) => (labels[column + index] = letter));
    free = column + text.length + 1;
  }
  return [
    `${' '.repeat(margin - 1)}└${rule.join('')}`,
    `${' '.repeat(margin)}${labels.join('').trimEnd()}`,
    `${' '.repeat(margin)}${x.parameter.path}, to the right`,
  ];
}

/** What the letters mean, as many meanings to a line as it holds. */
function legendLines({ rows, property }: GridMap, width: number): string[] {
  const found = new Set(rows.flatMap((row) => row.map(letterOf)));
  const lines = [`${property}:`];
  for (const [letter, meaning] of Object.entries(LEGEND)) {
    if (!found.has(letter)) continue;
    const entry = `  ${letter} ${meaning}`;
    if (lines.at(-1)!.length + entry.length <= width) lines.push(lines.pop()! + entry);
    else lines.push(entry);
  }
  return lines;
}

function thinned(columns: number, allColumns: number, lines: number, allLines: number): string {
  return `Shown: ${columns} of ${allColumns} columns, ${lines} of ${allLines} rows; the files have all.`;
}

function amountOf({ unit }: Parameter, value: number): string {
  const text = String(value).replace('-', '−');
  return unit === 'ratio' || unit === 'count' ? text : `${text} ${unit}`;
}
