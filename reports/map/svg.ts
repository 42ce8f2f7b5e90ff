/**
 * A two-parameter map as an SVG picture that needs nothing else: light and dark by the reader's preference, every verdict by its
 * pattern as well as its colour, each run of equal cells with a title, and the closed form as a line across.
 */
import type { GridMap } from '../../properties/search/margin/grid.js';
import type { Sample } from '../../properties/search/margin/flips.js';
import type { Parameter } from '../../properties/search/margin/parameter.js';
import { ticks } from './ticks.js';

const PLOT = { left: 96, top: 72, width: 640, height: 360 };
const SIZE = { width: 760, height: 566 };

const NAMES = {
  holds: 'holds',
  library: 'violated, blame library',
  infrastructure: 'violated, blame infrastructure',
  lease: 'violated, blame lease',
  usage: 'violated, blame usage',
  unknown: 'unknown',
} as const;
type Kind = keyof typeof NAMES;

function kindOf({ verdict, blame }: Sample): Kind {
  return verdict === 'violated' && blame !== null ? blame : verdict === 'holds' ? 'holds' : 'unknown';
}

export interface MapWords {
  /** `S1 · A pause between the read and the write`. */
  readonly title: string;
  /** Lock, seed and what else sets the map apart. */
  readonly subtitle: string;
  /** The closed form in symbols, where there is one. */
  readonly closedForm: string | null;
}

interface Scale {
  (value: number): number;
}

/** Edges lie half a cell beyond the outermost values. */
function cellScale(values: readonly number[], start: number, end: number): { at: Scale; half: number } {
  const from = values[0]!;
  const to = values.at(-1)!;
  const half = values.length < 2 ? 0.5 : (to - from) / (values.length - 1) / 2;
  const span = to - from + 2 * half;
  return { half, at: (value) => start + ((value - from + half) / span) * (end - start) };
}

export function mapSvg(map: GridMap, words: MapWords): string {
  const x = cellScale(map.x.values, PLOT.left, PLOT.left + PLOT.width);
  const y = cellScale(map.y.values, PLOT.top + PLOT.height, PLOT.top);
  const kinds = [...new Set(map.rows.flatMap((row) => row.map(kindOf)))];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">`,
    `<title id="title">${escaped(words.title)}</title>`,
    `<desc id="desc">${escaped(description(map, words))}</desc>`,
    STYLE,
    PATTERNS,
    `<rect class="page" width="${SIZE.width}" height="${SIZE.height}"/>`,
    `<text class="head" x="${PLOT.left}" y="28">${escaped(words.title)}</text>`,
    `<text class="sub" x="${PLOT.left}" y="50">${escaped(words.subtitle)}</text>`,
    '<g shape-rendering="crispEdges">',
    ...map.rows.flatMap((row, index) => rowRects(map, row, index, x, y)),
    '</g>',
    `<rect class="frame" x="${PLOT.left}" y="${PLOT.top}" width="${PLOT.width}" height="${PLOT.height}"/>`,
    ...closedFormLine(map, x.at, y.at),
    ...axes(map, x.at, y.at),
    ...legend(kinds, map.closedForm.some((value) => value !== null) ? words.closedForm : null),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

const STYLE = `<style>
  .page { fill: #ffffff } .head, .sub, .tick, .axis, .key { fill: #1b1b1f }
  .head { font-size: 17px; font-weight: 600 } .sub, .axis, .key { font-size: 13px } .tick { font-size: 12px }
  .sub { opacity: 0.75 } .frame { fill: none; stroke: #1b1b1f; stroke-width: 1 } .mark { stroke: #1b1b1f; stroke-width: 1 }
  .form { fill: none; stroke: #1b1b1f; stroke-width: 2; stroke-dasharray: 6 4 }
  .halo { fill: none; stroke: #ffffff; stroke-width: 5; opacity: 0.85 }
  .holds { fill: #e3f1e6 } .unknown { fill: url(#p-unknown) } .library { fill: url(#p-library) }
  .infrastructure { fill: url(#p-infrastructure) } .lease { fill: url(#p-lease) } .usage { fill: url(#p-usage) }
  .b-library { fill: #c2342b } .b-infrastructure { fill: #d98e04 } .b-lease { fill: #8b4bb8 } .b-usage { fill: #1f7a94 }
  .b-unknown { fill: #d5d5da } .ink { stroke: #ffffff; stroke-width: 1.5; fill: none } .dot { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    .page { fill: #17171b } .head, .sub, .tick, .axis, .key { fill: #ececf1 }
    .frame, .mark, .form { stroke: #ececf1 } .halo { stroke: #17171b }
    .holds { fill: #20362a } .b-unknown { fill: #4a4a52 }
    .b-library { fill: #e0574d } .b-infrastructure { fill: #b97a06 } .b-lease { fill: #a06bd0 } .b-usage { fill: #3596b3 }
    .ink { stroke: #17171b } .dot { fill: #17171b }
  }
</style>`;

function pattern(kind: Kind, ink: string): string {
  return `<pattern id="p-${kind}" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="b-${kind}" width="8" height="8"/>${ink}</pattern>`;
}

const PATTERNS = `<defs>
${pattern('library', '<path class="ink" d="M0 8 8 0M-2 2 2 -2M6 10 10 6"/>')}
${pattern('infrastructure', '<path class="ink" d="M0 4H8"/>')}
${pattern('lease', '<path class="ink" d="M4 0V8"/>')}
${pattern('usage', '<circle class="dot" cx="4" cy="4" r="1.6"/>')}
${pattern('unknown', '<path class="ink" d="M0 0 8 8M8 0 0 8"/>')}
</defs>`;

/** Neighbours of one kind become one rectangle. */
function rowRects(
  map: GridMap,
  row: readonly Sample[],
  index: number,
  x: { at: Scale; half: number },
  y: { at: Scale; half: number },
): string[] {
  const across = map.y.values[index]!;
  const top = y.at(across + y.half);
  const height = y.at(across - y.half) - top;
  const rects: string[] = [];
  for (let start = 0; start < row.length;) {
    const kind = kindOf(row[start]!);
    let end = start + 1;
    while (end < row.length && kindOf(row[end]!) === kind) end++;
    const from = row[start]!.value;
    const to = row[end - 1]!.value;
    const left = x.at(from - x.half);
    const width = x.at(to + x.half) - left;
    const where =
      from === to
        ? amount(map.x.parameter, from)
        : `${amount(map.x.parameter, from)} to ${amount(map.x.parameter, to)}`;
    const text = `${map.x.parameter.path} ${where}, ${map.y.parameter.path} ${amount(map.y.parameter, across)}: ${NAMES[kind]}`;
    rects.push(
      `<rect class="${kind}" x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"><title>${escaped(text)}</title></rect>`,
    );
    start = end;
  }
  return rects;
}

/** Where the inequality is an equality, row by row; it breaks off where it leaves the picture. */
function closedFormLine({ x, y, closedForm, rows }: GridMap, xAt: Scale, yAt: Scale): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  const finish = (): void => {
    if (piece.length > 1) pieces.push(`M${piece.join('L')}`);
    piece = [];
  };
  rows.forEach((_, index) => {
    const value = closedForm[index] ?? null;
    if (value === null || value < x.values[0]! || value > x.values.at(-1)!) finish();
    else piece.push(`${round(xAt(value))} ${round(yAt(y.values[index]!))}`);
  });
  finish();
  if (pieces.length === 0) return [];
  const path = pieces.join('');
  return [
    `<path class="halo" d="${path}"/>`,
    `<path class="form" d="${path}"><title>closed form</title></path>`,
  ];
}

function axes({ x, y }: GridMap, xAt: Scale, yAt: Scale): string[] {
  const bottom = PLOT.top + PLOT.height;
  const middle = PLOT.left + PLOT.width / 2;
  const parts: string[] = [];
  for (const value of ticks(x.values[0]!, x.values.at(-1)!, 8)) {
    const at = round(xAt(value));
    parts.push(
      `<path class="mark" d="M${at} ${bottom}V${bottom + 5}"/>`,
      `<text class="tick" x="${at}" y="${bottom + 19}" text-anchor="middle">${figure(value)}</text>`,
    );
  }
  for (const value of ticks(y.values[0]!, y.values.at(-1)!, 8)) {
    const at = round(yAt(value));
    parts.push(
      `<path class="mark" d="M${PLOT.left - 5} ${at}H${PLOT.left}"/>`,
      `<text class="tick" x="${PLOT.left - 9}" y="${at}" dy="0.35em" text-anchor="end">${figure(value)}</text>`,
    );
  }
  const centre = PLOT.top + PLOT.height / 2;
  return [
    ...parts,
    `<text class="axis" x="${middle}" y="${bottom + 42}" text-anchor="middle">${escaped(axisName(x.parameter))}</text>`,
    `<text class="axis" x="26" y="${centre}" text-anchor="middle" transform="rotate(-90 26 ${centre})">${escaped(axisName(y.parameter))}</text>`,
  ];
}

function legend(kinds: readonly Kind[], closedForm: string | null): string[] {
  const parts: string[] = [];
  let x = PLOT.left;
  let y = PLOT.top + PLOT.height + 62;
  for (const kind of (Object.keys(NAMES) as Kind[]).filter((known) => kinds.includes(known))) {
    const needs = 23 + 7 * NAMES[kind].length;
    if (x + needs > SIZE.width) {
      x = PLOT.left;
      y += 24;
    }
    parts.push(
      `<rect class="${kind}" x="${x}" y="${y}" width="16" height="16"/>`,
      `<rect class="frame" x="${x}" y="${y}" width="16" height="16"/>`,
      `<text class="key" x="${x + 23}" y="${y + 13}">${NAMES[kind]}</text>`,
    );
    x += needs + 24;
  }
  if (closedForm !== null) {
    const under = y + 26;
    parts.push(
      `<path class="form" d="M${PLOT.left} ${under + 8}h28"/>`,
      `<text class="key" x="${PLOT.left + 36}" y="${under + 13}">${escaped(`closed form: ${closedForm}`)}</text>`,
    );
  }
  return parts;
}

function description({ property, x, y, rows }: GridMap, { subtitle }: MapWords): string {
  const all = rows.flat();
  const violated = all.filter(({ verdict }) => verdict === 'violated').length;
  return `${subtitle}. ${property}: violated in ${violated} of ${all.length} cells; ${x.parameter.path} to the right, ${y.parameter.path} upwards.`;
}

function axisName({ path, unit }: Parameter): string {
  return unit === 'ratio' || unit === 'count' ? path : `${path} [${unit}]`;
}

function amount({ unit }: Parameter, value: number): string {
  return unit === 'ratio' || unit === 'count' ? figure(value) : `${figure(value)} ${unit}`;
}

function figure(value: number): string {
  return String(value).replace('-', '−');
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
