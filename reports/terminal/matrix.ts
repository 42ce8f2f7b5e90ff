/** The table scenario × lock, in which what was not expected stands out by its sign, its brackets and its colour. */
import Table from 'cli-table3';
import type { Blame, Verdicts, Violated } from '../../properties/verdict.js';
import { cut, hanging, padEnd, wrap, type Paint } from './text.js';

export interface MatrixCell {
  readonly scenario: string;
  readonly lock: string;
  readonly seed: number;
  readonly verdicts: Verdicts;
  readonly asExpected: boolean;
  readonly mismatches: readonly { property: string; expected: string; found: string }[];
  /** Why nothing could be judged, where that is known. */
  readonly unknownBecause?: string | null;
}

export interface MatrixOptions {
  readonly titles: ReadonlyMap<string, string>;
  readonly kinds: ReadonlyMap<string, string>;
  readonly width: number;
  readonly paint: Paint;
  readonly brief: boolean;
  readonly planned: number;
  readonly seconds: number;
  readonly interrupted: boolean;
  readonly out: string;
  /** The command that runs one cell. */
  command(scenario: string, lock: string): string;
}

const LETTERS: Readonly<Record<Blame, string>> = {
  library: 'L',
  infrastructure: 'I',
  lease: 'T',
  usage: 'U',
};

/** What a cell shows: `✓`, `?`, or `✗` with a letter for each blame. */
function sign(verdicts: Verdicts): string {
  const all = Object.values(verdicts);
  const violations = all.filter((verdict): verdict is Violated => verdict.verdict === 'violated');
  if (violations.length > 0) {
    const blames = new Set(violations.map(({ blame }) => LETTERS[blame]));
    return `✗${Object.values(LETTERS)
      .filter((letter) => blames.has(letter))
      .join('')}`;
  }
  return all.every(({ verdict }) => verdict === 'unknown') ? '?' : '✓';
}

function cellText({ verdicts, asExpected }: MatrixCell, paint: Paint): string {
  const text = sign(verdicts);
  if (!asExpected) return paint(['red', 'bold', 'inverse'], `[${text}]`);
  if (text === '✓') return paint('green', text);
  if (text === '?') return paint('yellow', text);
  return paint('yellow', text);
}

export function matrixReport(cells: readonly MatrixCell[], options: MatrixOptions): string {
  const unexpected = cells.filter(({ asExpected }) => !asExpected);
  const parts = options.brief ? [] : [...tables(cells, options), legend(options)];
  if (unexpected.length > 0) parts.push(unexpectedLines(unexpected, options).join('\n'));
  parts.push(summary(cells, unexpected.length, options));
  return parts.join('\n\n');
}

/** Reference locks and adapters first, each head in full; the pitfalls after them, each in few scenarios. */
function tables(cells: readonly MatrixCell[], options: MatrixOptions): string[] {
  const locks = [...new Set(cells.map(({ lock }) => lock))];
  const isPitfall = (lock: string): boolean => options.kinds.get(lock) === 'pitfall';
  const groups = [locks.filter((lock) => !isPitfall(lock)), locks.filter(isPitfall)];
  return groups.flatMap((group) => chunks(group, options).map((chunk) => table(cells, chunk, options)));
}

interface Head {
  readonly lock: string;
  /** Lines of the head. */
  readonly lines: readonly string[];
  readonly width: number;
}

/** A name in few columns: broken after its separators, the pitfalls' common beginning left out. */
function head(lock: string): Head {
  const name = lock.replace(/^pitfall\//, '');
  const words = name.split(/(?<=[-/])|(?=@)/);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length <= 9) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  return { lock, lines, width: Math.max(4, ...lines.map((line) => line.length)) };
}

const ID = 2;

/** Titles are cut, but not below this. */
const TITLE_LEAST = 26;

/** Columns of cli-table3: two spaces between, none at the edges. */
const GAP = 2;

/** As few tables as the width allows, with about as many columns each. */
function chunks(locks: readonly string[], { width, titles }: MatrixOptions): Head[][] {
  const heads = locks.map(head);
  const room = width - idWidth(titles) - GAP - TITLE_LEAST;
  const total = heads.reduce((sum, one) => sum + one.width + GAP, 0);
  const tablesNeeded = Math.max(1, Math.ceil(total / room));
  const each = Math.ceil(heads.length / tablesNeeded);
  const found: Head[][] = [];
  let used = Infinity;
  for (const one of heads) {
    used += one.width + GAP;
    if (used > room || found.at(-1)!.length >= each) {
      found.push([]);
      used = one.width + GAP;
    }
    found.at(-1)!.push(one);
  }
  return found;
}

function idWidth(titles: ReadonlyMap<string, string>): number {
  return Math.max(ID, ...[...titles.keys()].map((id) => id.length));
}

function table(cells: readonly MatrixCell[], heads: readonly Head[], options: MatrixOptions): string {
  const { titles, width, paint } = options;
  const byPlace = new Map(cells.map((cell) => [`${cell.scenario} ${cell.lock}`, cell]));
  const locks = new Set(heads.map(({ lock }) => lock));
  const scenarios = [...new Set(cells.filter(({ lock }) => locks.has(lock)).map(({ scenario }) => scenario))];
  const taken = idWidth(titles) + GAP + heads.reduce((sum, one) => sum + one.width + GAP, 0);
  const titleWidth = Math.min(Math.max(width - taken, 12), 60);
  const rows = new Table({
    head: ['', '', ...heads.map(({ lines }) => lines.join('\n'))],
    colAligns: ['left', 'left', ...heads.map(() => 'center' as const)],
    chars: PLAIN,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const scenario of scenarios) {
    rows.push([
      paint('bold', scenario),
      padEnd(cut(titles.get(scenario) ?? '', titleWidth - 1), titleWidth - GAP),
      ...heads.map(({ lock }) => {
        const cell = byPlace.get(`${scenario} ${lock}`);
        return cell === undefined ? paint('dim', '·') : cellText(cell, paint);
      }),
    ]);
  }
  return rows
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** No lines, two spaces between the columns. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

function legend({ paint, width }: MatrixOptions): string {
  const parts = [
    '✓ nothing violated',
    '✗ violated, blame: L the library, I the infrastructure, T the lease (its time ran out), U its usage',
    '? unknown',
    '· not applicable',
    '[ ] not as expected',
  ];
  return wrap(parts.join('; '), Math.min(width, 100))
    .map((line) => paint('dim', line))
    .join('\n');
}

/** At most this many unexpected cells are told in full. */
const TOLD = 12;

function unexpectedLines(
  unexpected: readonly MatrixCell[],
  { paint, width, command }: MatrixOptions,
): string[] {
  const lines = unexpected.slice(0, TOLD).flatMap(({ scenario, lock, mismatches, unknownBecause }) => {
    const what = mismatches.map(
      ({ property, expected, found }) => `${property}: expected ${expected}, found ${found}`,
    );
    const text = what.length === 0 ? (unknownBecause ?? 'nothing could be judged') : what.join('; ');
    return [
      ...hanging(
        `${paint(['red', 'bold'], `[!] ${scenario} × ${lock}`)}  `,
        text,
        width,
        scenario.length + lock.length + 9,
      ),
      `    ${command(scenario, lock)}`,
    ];
  });
  if (unexpected.length > TOLD) lines.push(`    and ${unexpected.length - TOLD} more`);
  return lines;
}

function summary(
  cells: readonly MatrixCell[],
  unexpected: number,
  { paint, planned, seconds, interrupted, out }: MatrixOptions,
): string {
  const rate = seconds > 0 ? Math.round(cells.length / seconds) : 0;
  const speed = `${cells.length} runs in ${seconds.toFixed(1)} s, ${rate} runs/s`;
  const outcome =
    unexpected === 0
      ? paint('green', 'every cell as expected')
      : paint(['red', 'bold'], `${unexpected} of ${cells.length} cells not as expected`);
  const stopped = interrupted
    ? `${paint('yellow', 'interrupted')} after ${cells.length} of ${planned} cells; `
    : '';
  return `${stopped}${outcome}; ${speed}; histories of violated cells in ${out}/`;
}
