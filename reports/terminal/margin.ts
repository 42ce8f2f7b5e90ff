/** What came of varying one parameter, for a terminal: bands of one verdict, the flip, and the closed form beside it. */
import type { ClosedForm } from '../../properties/search/margin/closed-form.js';
import type { Sample } from '../../properties/search/margin/flips.js';
import type { Margin } from '../../properties/search/margin/margin.js';
import type { Parameter, Range } from '../../properties/search/margin/parameter.js';
import type { PropertyId, Scenario } from '../../sim/scenario/schema.js';
import { cut, ends, hanging, padEnd, type Paint } from './text.js';

const WIDTH = 100;
const LEAD = 13;
/** Bands and columns that are shown. */
const MOST_BANDS = 12;
const STRIP = 80;

export interface MarginReport {
  readonly scenario: Scenario;
  readonly title?: string;
  readonly property: PropertyId;
  readonly parameter: Parameter;
  readonly range: Range;
  readonly margin: Margin;
  readonly closedForm: ClosedForm | null;
  /** How far the flip lies beyond the closed form, on the violated side. */
  readonly lateBy: number | null;
  /** Changes that the closed form asked for, as `--set` writes them. */
  readonly assumed: readonly string[];
  /** The commands that run the two values beside the flip. */
  readonly commands: { readonly below: string; readonly above: string } | null;
  readonly paint: Paint;
  readonly width: number;
  readonly brief?: boolean;
}

/** @returns lines joined by line feeds, none at the end */
export function marginReport(report: MarginReport): string {
  const width = Math.min(report.width, WIDTH);
  if (report.brief === true) return briefly(report, width).join('\n');
  return [
    ...header(report, width),
    '',
    ...strip(report),
    '',
    ...bandLines(report, width),
    '',
    ...answerLines(report, width),
  ].join('\n');
}

function header(report: MarginReport, width: number): string[] {
  const { scenario, title, parameter, range, paint, assumed, property } = report;
  const name = title === undefined ? scenario.id : `${scenario.id} · ${title}`;
  const which = `lock ${scenario.lock.name} · seed ${scenario.seed}`;
  const of = subject(scenario, parameter.path);
  const varied = `${parameter.path}${of === null ? '' : ` (${of})`}, from ${amount(parameter, range.from)} to ${amount(parameter, range.to)}`;
  return [
    paint('bold', ends(cut(name, width - which.length - 2), which, width)),
    ...hanging(padEnd('Varied', LEAD), varied, width, LEAD),
    ...(assumed.length === 0
      ? []
      : hanging(padEnd('With', LEAD), `${assumed.join(', ')}, as the closed form has it`, width, LEAD)),
    ...hanging(padEnd('Judged', LEAD), property, width, LEAD),
  ];
}

/** What the parameter belongs to, where its path is only a position. */
function subject({ faults }: Scenario, path: string): string | null {
  const index = /^faults\.(\d+)\./.exec(path)?.[1];
  const fault = index === undefined ? undefined : faults[Number(index)];
  if (fault === undefined) return null;
  const host = ('host' in fault ? fault.host : undefined) ?? fault.on?.process ?? fault.on?.server;
  return `${fault.do}${host === undefined ? '' : ` of ${host}`}`;
}

export function amount({ unit }: Pick<Parameter, 'unit'>, value: number): string {
  const text = String(value).replace('-', '−');
  return unit === 'ratio' || unit === 'count' ? text : `${text} ${unit}`;
}

interface Band {
  readonly from: number;
  readonly to: number;
  readonly sample: Sample;
}

/** Ranges of one verdict and blame, as far as the search saw. */
export function bandsOf({ margin, range }: Pick<MarginReport, 'margin' | 'range'>): Band[] {
  const first = margin.scan[0];
  if (first === undefined) return [];
  if (!margin.complete) return scannedBands(margin.scan);
  const bands: Band[] = [];
  let from = range.from;
  let sample = first;
  for (const { below, above } of margin.flips) {
    bands.push({ from, to: below.value, sample: reasoned(sample, below) });
    from = above.value;
    sample = above;
  }
  bands.push({ from, to: range.to, sample });
  return bands;
}

/** Where the search was cut short: what was run, without the flips between. */
function scannedBands(scan: readonly Sample[]): Band[] {
  const bands: Band[] = [];
  for (const sample of scan) {
    const before = bands.at(-1);
    const same = before?.sample.verdict === sample.verdict && before.sample.blame === sample.blame;
    if (before !== undefined && same) bands[bands.length - 1] = { ...before, to: sample.value };
    else bands.push({ from: sample.value, to: sample.value, sample });
  }
  return bands;
}

/** Of a band's two ends the one that says why. */
function reasoned(first: Sample, last: Sample): Sample {
  return first.reason === null ? last : first;
}

const GLYPHS = { holds: '·', violated: '█', unknown: '?' } as const;

function strip(report: MarginReport): string[] {
  const { parameter, range, paint, margin } = report;
  const bands = bandsOf(report);
  const at = (value: number): number =>
    Math.round(((value - range.from) / (range.to - range.from)) * (STRIP - 1));
  const cells = Array.from({ length: STRIP }, () => ' ');
  for (const { from, to, sample } of bands)
    for (let column = at(from); column <= at(to); column++) cells[column] = GLYPHS[sample.verdict];
  // A narrow band must not vanish beneath its neighbours.
  for (const { from, sample } of bands) if (sample.verdict === 'violated') cells[at(from)] = GLYPHS.violated;
  const line = cells.map((cell) => (cell === GLYPHS.violated ? paint('red', cell) : cell)).join('');
  const marks: [value: number, text: string][] = [];
  if (margin.flipsAt !== null) marks.push([margin.flipsAt, `▲ ${amount(parameter, margin.flipsAt)}`]);
  const scale = ends(amount(parameter, range.from), amount(parameter, range.to), STRIP);
  const indent = ' '.repeat(LEAD);
  return [
    indent + paint('dim', scale),
    indent + line.trimEnd(),
    ...marks.map(([value, text]) => indent + placed(text, at(value))),
    indent + paint('dim', '· holds   █ violated   ? unknown'),
  ];
}

/** A mark whose first letter points at a column, or its last where it would run over the edge. */
function placed(text: string, column: number): string {
  if (column + text.length <= STRIP) return ' '.repeat(column) + text;
  const turned = `${text.slice(2)} ${text[0]!}`;
  return ' '.repeat(Math.max(0, column + 1 - turned.length)) + turned;
}

function bandLines(report: MarginReport, width: number): string[] {
  const { parameter, paint } = report;
  const bands = bandsOf(report);
  const shown = bands.slice(0, MOST_BANDS);
  const left = Math.max(...shown.map(({ from }) => amount(parameter, from).length), 4);
  const right = Math.max(...shown.map(({ to }) => amount(parameter, to).length), 2);
  const lines = shown.map(({ from, to, sample }) => {
    const { verdict, blame, reason } = sample;
    const sign = { holds: paint('green', '✓'), violated: paint('red', '✗'), unknown: paint('yellow', '?') }[
      verdict
    ];
    const what = verdict === 'violated' ? `violated, blame ${blame}` : verdict;
    const why = verdict === 'unknown' && reason !== null ? `: ${reason}` : '';
    const range = `${amount(parameter, from).padStart(left)}  to  ${amount(parameter, to).padStart(right)}`;
    return `  ${sign} ${range}  ${cut(what + why, width - left - right - 12)}`;
  });
  if (bands.length > shown.length)
    lines.push(`    … and ${bands.length - shown.length} bands more (--json has all)`);
  return lines;
}

function answerLines(report: MarginReport, width: number): string[] {
  const { paint, commands, margin } = report;
  const lead = (word: string): string => paint('bold', padEnd(word, LEAD));
  const lines = [
    ...hanging(lead('Flips at'), flipText(report), width, LEAD),
    ...closedFormTexts(report).flatMap((text, index) =>
      hanging(index === 0 ? lead('Closed form') : ' '.repeat(LEAD), text, width, LEAD),
    ),
  ];
  const stands = standing(report);
  if (stands !== null) lines.push(...hanging(lead('Stands at'), stands, width, LEAD));
  const reason = violatedSide(margin)?.reason ?? null;
  if (reason !== null) lines.push(...hanging(lead('At the flip'), reason, width, LEAD));
  if (commands !== null)
    lines.push(`${lead('Just below')}${commands.below}`, `${lead('Just above')}${commands.above}`);
  if (!margin.complete)
    lines.push(
      ...hanging(lead('Outcome'), `interrupted after ${margin.runs} runs: flips may be missing`, width, LEAD),
    );
  return lines;
}

function violatedSide({ main }: Margin): Sample | null {
  if (main === null) return null;
  return [main.below, main.above].find(({ verdict }) => verdict === 'violated') ?? null;
}

function flipText({ margin, parameter, range }: MarginReport): string {
  const { main, flipsAt, flips, scan, runs } = margin;
  if (main === null || flipsAt === null) {
    const all = scan[0];
    if (!margin.complete) return `not known: interrupted after ${runs} runs`;
    const what = all === undefined ? 'nothing was run' : `${verdictText(all)} all over`;
    return `nowhere from ${amount(parameter, range.from)} to ${amount(parameter, range.to)}: ${what} (${runs} runs)`;
  }
  const others = flips.length === 1 ? '' : `; ${flips.length} flips in all`;
  const [here, there] = flipsAt === main.below.value ? [main.below, main.above] : [main.above, main.below];
  return `${amount(parameter, flipsAt)}: ${verdictText(here)} there, ${verdictText(there)} at ${amount(parameter, there.value)}${others} (${runs} runs)`;
}

function verdictText({ verdict, blame }: Sample): string {
  return blame === null ? verdict : `${verdict}/${blame}`;
}

function closedFormTexts(report: MarginReport): string[] {
  const { closedForm: form, parameter, margin, lateBy } = report;
  if (form === null) return ['none: the catalogue has no inequality for this'];
  const others = form.lock === report.scenario.lock.name ? '' : ` (written for ${form.lock})`;
  if (form.flipsAt === null) return [`${form.text}${others}: ${form.problem ?? 'no number'}`];
  const texts = [`${amount(parameter, rough(form.flipsAt))}: ${form.text}${others}`];
  if (form.betaMs > 0)
    texts.push(
      `β, the rival's wait and reply, is up to ${rough(form.betaMs)} ms here: it isn't the eager rival of the catalogue`,
    );
  if (lateBy === null) return texts;
  const apart =
    Math.abs(lateBy) < 1e-6
      ? 'exactly there'
      : `${amount(parameter, rough(Math.abs(lateBy)))} ${lateBy > 0 ? 'later' : 'sooner'}`;
  const grain = `${amount(parameter, form.within)}${form.betaMs > 0 ? ' and β' : ''}`;
  // What the catalogue allows beyond that has reasons of its own, which stand beside the row.
  const why = parameter.unit === 'ms' && form.within <= 2 ? ' (Redis drops keys in whole milliseconds)' : '';
  if (margin.agrees === true) texts.push(`the run flips ${apart}: within ${grain}, as it should${why}`);
  else if (margin.agrees === false) texts.push(`the run flips ${apart}: NOT within ${grain}`);
  else texts.push(`the run flips ${apart}: this lock's contenders ask at other times`);
  return texts;
}

function rough(value: number): number {
  return Number(value.toFixed(3));
}

/** Where the scenario itself stands, and how far that is from the flip. */
function standing({ parameter, margin }: MarginReport): string | null {
  const { current } = parameter;
  if (current === null) return null;
  const sample = margin.scan.find(({ value }) => value === current);
  const here = `${amount(parameter, current)}${sample === undefined ? '' : `, ${verdictText(sample)}`}`;
  if (margin.flipsAt === null || margin.main === null) return here;
  const distance = rough(Math.abs(current - margin.flipsAt));
  return `${here}, ${amount(parameter, distance)} ${current >= margin.flipsAt ? 'above' : 'below'} the flip`;
}

function briefly(report: MarginReport, width: number): string[] {
  const lead = report.paint('bold', padEnd('Flips at', LEAD));
  return [
    ...hanging(lead, flipText(report), width, LEAD),
    ...closedFormTexts(report).flatMap((text, index) =>
      hanging(index === 0 ? padEnd('Closed form', LEAD) : ' '.repeat(LEAD), text, width, LEAD),
    ),
  ];
}
