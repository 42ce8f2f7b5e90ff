/** The scorecard of a trial: a table to compare locks by, then what was found of each with the command that shows it. */
import type { Blame } from '../../properties/verdict.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { cut, hanging, padEnd, wrap, type Paint } from './text.js';

export interface ScoredFinding {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
  readonly transport: 'wire' | 'direct only';
  /** The row of the catalogue that shows it; null: the hunt found it. */
  readonly scenario: string | null;
  readonly scenarios: readonly string[];
  readonly command: string;
  /** The settings of the row bring it about for every lock. */
  readonly bySettings: boolean;
  /** It counts against the lock. */
  readonly counts: boolean;
}

export interface ScoredLock {
  readonly name: string;
  /** A lock that is there to be compared with, not to be judged. */
  readonly control: boolean;
  readonly rows: number;
  readonly misfits: number;
  readonly unknown: number;
  readonly hunted: number;
  readonly expected: number;
  /** In how many rows each property was judged. */
  readonly judged: Readonly<Record<string, number>>;
  readonly findings: readonly ScoredFinding[];
  readonly noWire: string | null;
  readonly unexpected: readonly {
    readonly scenario: string;
    readonly mismatches: readonly { property: string; expected: string; found: string }[];
    readonly unknownBecause: string | null;
    readonly command: string;
  }[];
  readonly notDeterministic: readonly string[];
}

export interface ScorecardOptions {
  readonly paint: Paint;
  readonly width: number;
  /** No more than the outcome. */
  readonly brief: boolean;
  readonly titles: ReadonlyMap<string, string>;
  /** Locks that could not be tried to their end. */
  readonly lost: readonly { readonly name: string; readonly why: string }[];
  readonly runs: number;
  readonly seconds: number;
  readonly interrupted: boolean;
  readonly out: string;
}

const WIDTH = 100;

/** Heads of the table's columns. */
const CODES: Readonly<Record<PropertyId, string>> = {
  'mutual-exclusion': 'ME',
  'exclusive-use': 'XU',
  'no-stale-write': 'NS',
  'fencing-order': 'FO',
  'own-key-only': 'OK',
  'quorum-backed': 'QB',
  'honest-validity': 'HV',
  'loss-signalled': 'LS',
  progress: 'PR',
  'no-orphan': 'NO',
  settles: 'ST',
  quiet: 'QU',
  permits: 'PM',
};
const PROPERTY_IDS = Object.keys(CODES) as PropertyId[];

const APART: readonly Blame[] = ['lease', 'infrastructure', 'usage'];
const LETTERS: Readonly<Record<Blame, string>> = {
  library: 'L',
  infrastructure: 'I',
  lease: 'T',
  usage: 'U',
};

/** @returns lines joined by line feeds, none at the end; at most 100 columns wide, but for commands, which are not cut */
export function scorecard(locks: readonly ScoredLock[], options: ScorecardOptions): string {
  const width = Math.min(options.width, WIDTH);
  const narrow = { ...options, width };
  const parts: string[] = [];
  if (!options.brief) {
    if (locks.length > 0) parts.push(table(locks, narrow), legend(narrow));
    for (const lock of locks) parts.push(lockPart(lock, narrow));
  }
  const unexpected = unexpectedLines(locks, narrow);
  if (unexpected.length > 0) parts.push(unexpected.join('\n'));
  parts.push(summary(locks, narrow).join('\n'));
  return parts.join('\n\n');
}

function table(locks: readonly ScoredLock[], { paint, width }: ScorecardOptions): string {
  const heads = PROPERTY_IDS.map((id) => CODES[id]).join(' ');
  const apart = APART.map((blame) => LETTERS[blame].padStart(3)).join('');
  const over = `${'its own fault'.padEnd(heads.length + 2)} not its own`;
  const longest = Math.max(...locks.map(({ name }) => name.length), 20);
  const nameWidth = Math.min(longest, width - over.length - 5);
  const lines = [
    padEnd('', nameWidth + 5) + paint('bold', over),
    `${padEnd('', nameWidth)}${paint('dim', '   #')} ${paint('bold', `${heads}  ${apart}`)}`,
  ];
  for (const control of [false, true]) {
    const group = locks.filter((lock) => lock.control === control);
    if (control && group.length > 0 && group.length < locks.length)
      lines.push(paint('dim', "the control: lockpick's own reference locks"));
    lines.push(...group.map((lock) => tableLine(lock, nameWidth, paint)));
  }
  return lines.join('\n');
}

function tableLine(lock: ScoredLock, nameWidth: number, paint: Paint): string {
  const against = lock.findings.filter((finding) => finding.counts).length;
  const cells = PROPERTY_IDS.map((property) => paintedCell(cellOf(lock, property), paint)).join(' ');
  const apart = APART.map((blame) => {
    const found = lock.findings.filter((finding) => finding.blame === blame).length;
    return found === 0 ? paint('dim', '  ·') : String(found).padStart(3);
  }).join('');
  const count = String(against).padStart(4);
  return `${padEnd(cut(lock.name, nameWidth), nameWidth)}${paint(against > 0 ? ['red', 'bold'] : 'green', count)} ${cells}  ${apart}`;
}

type Cell = '✗' | 'd' | '✓' | '·';

function cellOf({ findings, judged }: ScoredLock, property: PropertyId): Cell {
  const own = findings.filter((finding) => finding.property === property && finding.blame === 'library');
  if (own.some((finding) => finding.counts)) return '✗';
  if (own.some(({ bySettings }) => !bySettings)) return 'd';
  return (judged[property] ?? 0) > 0 ? '✓' : '·';
}

function paintedCell(cell: Cell, paint: Paint): string {
  const text = padEnd(cell, 2);
  switch (cell) {
    case '✗':
      return paint(['red', 'bold'], text);
    case 'd':
      return paint('yellow', text);
    case '✓':
      return paint('green', text);
    case '·':
      return paint('dim', text);
  }
}

/** What the table's signs and letters mean, a line each. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['✗', "violated by the lock's own fault, and it shows with the lock's own client on the wire: it counts"],
  ['d', "violated by its own fault, but with lockpick's clients only (direct only): a hint"],
  ['✓', 'judged, and never violated by its own fault'],
  ['·', 'never judged, or none'],
  ['#', 'how many properties count against it'],
  ['T I U', 'properties violated by no fault of its own: the lease ran out, the infrastructure, its usage'],
];

function legend({ paint, width, out }: ScorecardOptions): string {
  const codes = PROPERTY_IDS.map((id) => `${CODES[id]} ${id}`).join(' · ');
  const last = `Each run can be repeated: by the command below it; for T, I and U the commands are in ${out}/trial.json.`;
  return [
    ...wrap(codes, width),
    '',
    ...SIGNS.flatMap(([sign, meaning]) => hanging(padEnd(sign, 6), meaning, width)),
    '',
    ...wrap(last, width),
  ]
    .map((line) => (line === '' ? '' : paint('dim', line)))
    .join('\n');
}

function lockPart(lock: ScoredLock, options: ScorecardOptions): string {
  const { paint, width } = options;
  const lines = [paint('bold', lock.name), ...hanging('  ', factsOf(lock), width)];
  if (lock.noWire !== null)
    lines.push(...hanging('  ', `its own client was not tried: ${lock.noWire}`, width));
  for (const group of byCommand(lock.findings)) lines.push(...groupLines(group, options));
  for (const blame of APART) {
    const apart = lock.findings.filter((finding) => finding.blame === blame);
    if (apart.length === 0) continue;
    const text = apart.map(({ property, scenario }) => `${property} (${scenario ?? 'hunted'})`).join(', ');
    lines.push(...hanging(`  ${blame}: `, text, width));
  }
  return lines.join('\n');
}

/** Findings of the lock's own fault that one and the same run shows; the catalogue's before the hunt's. */
function byCommand(findings: readonly ScoredFinding[]): ScoredFinding[][] {
  const groups = new Map<string, ScoredFinding[]>();
  for (const finding of findings) {
    if (finding.blame !== 'library') continue;
    const group = groups.get(finding.command);
    if (group === undefined) groups.set(finding.command, [finding]);
    else group.push(finding);
  }
  const hunted = (group: readonly ScoredFinding[]): number => (group[0]!.scenario === null ? 1 : 0);
  return [...groups.values()].sort((a, b) => hunted(a) - hunted(b));
}

function factsOf({ rows, misfits, unknown, hunted, expected, unexpected, findings }: ScoredLock): string {
  const against = findings.filter((finding) => finding.counts).length;
  const facts = [
    against === 0 ? 'nothing counts against it' : `${against} against it`,
    `${rows} scenarios`,
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    ...(misfits === 0 ? [] : [`${misfits} not for it`]),
    ...(hunted === 0 ? [] : [`${hunted} hunted runs`]),
    ...(expected === 0 ? [] : [`${expected - unexpected.length} of ${expected} expectations came out`]),
  ];
  return facts.join(' · ');
}

function groupLines(group: readonly ScoredFinding[], options: ScorecardOptions): string[] {
  const { scenario, command } = group[0]!;
  const place =
    scenario === null ? 'Found by the hunt' : `${scenario} · ${options.titles.get(scenario) ?? scenario}`;
  return [
    ...wrap(place, options.width - 2).map((line) => `  ${line}`),
    ...group.flatMap((finding) => findingLines(finding, options)),
    `    ${command}`,
  ];
}

/** Rows beyond these are counted. */
const ROWS_NAMED = 5;

function findingLines(finding: ScoredFinding, { paint, width }: ScorecardOptions): string[] {
  const { property, reason, scenario, scenarios, counts, bySettings } = finding;
  const sign = counts ? paint(['red', 'bold'], '✗') : paint('yellow', bySettings ? '-' : 'd');
  const others = scenarios.filter((id) => id !== scenario);
  const more = others.length > ROWS_NAMED ? ` and ${others.length - ROWS_NAMED} more` : '';
  const also = others.length === 0 ? '' : ` (also in ${others.slice(0, ROWS_NAMED).join(', ')}${more})`;
  const text = `${reason}${asideOf(finding)}${also}`;
  return hanging(`    ${sign} ${paint('bold', property)}  `, text, width, property.length + 8);
}

function asideOf({ bySettings, transport }: ScoredFinding): string {
  if (bySettings) return "; not counted: the row's settings bring it about with every lock";
  return transport === 'wire' ? '' : '; direct only: it does not show with its own client';
}

function unexpectedLines(locks: readonly ScoredLock[], { paint, width, lost }: ScorecardOptions): string[] {
  const lines: string[] = [];
  for (const { name, unexpected, notDeterministic } of locks) {
    for (const { scenario, mismatches, unknownBecause, command } of unexpected) {
      const what = mismatches.map(
        ({ property, expected, found }) => `${property}: expected ${expected}, found ${found}`,
      );
      const text = what.length === 0 ? (unknownBecause ?? 'nothing could be judged') : what.join('; ');
      lines.push(paint(['red', 'bold'], `[!] ${scenario} × ${name}`));
      lines.push(...hanging('    ', text, width), `    ${command}`);
    }
    for (const command of notDeterministic)
      lines.push(`${paint(['red', 'bold'], '[!] not deterministic')}  ${command}`);
  }
  for (const { name, why } of lost)
    lines.push(
      paint(['red', 'bold'], `[!] ${name}`),
      ...hanging('    ', `could not be tried to its end: ${why}`, width),
    );
  return lines;
}

function summary(locks: readonly ScoredLock[], options: ScorecardOptions): string[] {
  const { paint, runs, seconds, interrupted, out, width } = options;
  const tried = locks.filter(({ control }) => !control);
  const against = tried.filter(({ findings }) => findings.some((finding) => finding.counts)).length;
  const expected = locks.reduce((sum, lock) => sum + lock.expected, 0);
  const otherwise = locks.reduce((sum, lock) => sum + lock.unexpected.length, 0);
  const atFault = locks.filter((lock) => lock.control && faultyControl(lock)).map(({ name }) => name);
  const rate = seconds > 0 ? Math.round(runs / seconds) : 0;
  const parts = [
    ...(interrupted ? [paint('yellow', 'interrupted: what was found until then')] : []),
    `${tried.length} ${tried.length === 1 ? 'lock' : 'locks'} on trial, ${againstHowMany(against, tried.length)}`,
    ...expectations(expected, otherwise, paint),
    ...(atFault.length === 0
      ? []
      : [paint(['red', 'bold'], `reference locks at fault: ${atFault.join(', ')}`)]),
    `${runs} runs in ${seconds.toFixed(1)} s, ${rate} runs/s`,
    `saved in ${out}/trial.txt and trial.json`,
  ];
  return wrap(parts.join('; '), width);
}

/** Nothing is said where nothing is expected, as of a user's own lock. */
function expectations(expected: number, otherwise: number, paint: Paint): string[] {
  if (expected === 0) return [];
  return [
    otherwise === 0
      ? paint('green', `all ${expected} expectations of the catalogue came out`)
      : paint(['red', 'bold'], `${otherwise} of ${expected} expectations of the catalogue did not come out`),
  ];
}

function againstHowMany(against: number, tried: number): string {
  if (against === 0) return `nothing counts against ${tried === 1 ? 'it' : 'any of them'}`;
  return `something counts against ${tried === 1 ? 'it' : against === tried ? 'each of them' : `${against} of them`}`;
}

/** A reference lock with a fault of its own: on either transport, unless a row's settings bring it about. */
export function faultyControl({ findings }: Pick<ScoredLock, 'findings'>): boolean {
  return findings.some(({ blame, bySettings }) => blame === 'library' && !bySettings);
}
