/** The full report of one run, for a terminal of at least 100 columns. It shows verdicts as they are given. */
import type { Verdict, Verdicts, Violated, Violation } from '../../properties/verdict.js';
import type { Why } from '../../properties/search/why/why.js';
import type { History } from '../../sim/history/events.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { count, showMs } from '../view/describe.js';
import { buildView, type RunView } from '../view/model.js';
import { remedyFor, type Change } from '../view/remedy.js';
import { chainLines, changeLines, faultsText } from './explanation.js';
import { cut, ends, hanging, padEnd, type Paint } from './text.js';
import { timeline } from './timeline.js';

/** Lines that a report may take, so that it fits a common window. */
const HEIGHT = 45;
/** Lines of the chain, with its heading: more are seldom read. */
const MOST_CHAIN = 13;
const WIDTH = 100;

export interface ReportOptions {
  readonly paint: Paint;
  /** Columns of the terminal; more than 100 are not used. */
  readonly width: number;
  /** The command that shows this run again. */
  readonly replay: string;
  readonly title?: string;
  /** What is known to be wrong with the lock: the one mistake of a pitfall. */
  readonly mistake?: string;
  readonly outcome: {
    readonly asExpected: boolean;
    readonly rule: 'catalogue' | 'fail-on';
    /** Of a property, or of a figure: `observe.p1.waitedMs`. */
    readonly mismatches: readonly { property: string; expected: string; found: string }[];
    /** Figures of processes that the catalogue has expectations of, as they came out. */
    readonly observed?: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>;
    readonly untriggered: readonly number[];
    readonly unknownBecause: string | null;
  };
  readonly files: { readonly history: string; readonly trace?: string };
  /** The violation that timeline, chain and changes are about; null: nothing is violated. */
  readonly about: readonly [PropertyId, Violation] | null;
  /** Changes that were run with the same seed. */
  readonly changes?: readonly Change[];
  /** The faults that the violation needs, and what was tried against it. */
  readonly why?: Why;
  /** Only what came out. */
  readonly brief?: boolean;
}

type Named<V extends Verdict> = readonly [property: PropertyId, verdict: V];

function ofKind<K extends Verdict['verdict']>(
  verdicts: Verdicts,
  kind: K,
): Named<Extract<Verdict, { verdict: K }>>[] {
  return (Object.entries(verdicts) as Named<Verdict>[]).filter(
    (entry): entry is Named<Extract<Verdict, { verdict: K }>> => entry[1].verdict === kind,
  );
}

/** @returns lines joined by line feeds, none at the end */
export function terminalReport(history: History, verdicts: Verdicts, options: ReportOptions): string {
  const width = Math.min(options.width, WIDTH);
  const { paint, about } = options;
  const violations = ofKind(verdicts, 'violated');
  if (options.brief === true) return outcomeLines(options, violations, history, width, verdicts).join('\n');
  const view = buildView(history);
  const head = [...header(view, options, width), '', ...verdictLines(verdicts, options, width), ''];
  const tail = ['', ...endLines(view, verdicts, options, width)];
  const room = HEIGHT - head.length - tail.length;
  const reserved = about === null ? 0 : Math.min(11, Math.max(4, Math.floor(room / 2)));
  const lanes = timeline(view, about?.[1], { width, height: room - reserved, paint });
  const layout = { limit: Math.min(MOST_CHAIN, room - lanes.length), why: options.why, paint, width };
  const chain = about === null ? [] : chainLines(view, ...about, layout);
  return [...head, ...lanes, ...chain, ...tail].join('\n');
}

function header(view: RunView, { paint, title }: ReportOptions, width: number): string[] {
  const { scenario, history } = view;
  const name = title === undefined ? scenario.id : `${scenario.id} · ${title}`;
  const which = `lock ${history.header.lock.name} · seed ${scenario.seed}`;
  const facts = [
    ...serverFacts(scenario),
    count(scenario.processes.count, 'process').replace('processs', 'processes'),
    `ttl ${scenario.lock.ttlMs} ms`,
    scenario.resource.fenced ? 'fenced storage' : 'unfenced storage',
    `${Number((view.endUs / 1e6).toFixed(2))} s of virtual time`,
    count(history.events.length, 'event'),
  ];
  return [
    paint('bold', ends(cut(name, width - which.length - 2), which, width)),
    paint('dim', cut(facts.join(' · '), width)),
  ];
}

function serverFacts({ servers }: RunView['scenario']): string[] {
  const { cluster, replicas, sentinels } = servers;
  const what = cluster === undefined ? count(servers.count, 'server') : `a cluster of ${servers.count}`;
  return [
    replicas === 0 ? what : `${what} with ${count(replicas, 'replica')}${servers.count > 1 ? ' each' : ''}`,
    ...(sentinels === undefined ? [] : [count(sentinels.count, 'Sentinel')]),
  ];
}

const NAME = 18;

function verdictLines(verdicts: Verdicts, { paint, about }: ReportOptions, width: number): string[] {
  const lines: string[] = [];
  const violations = ofKind(verdicts, 'violated');
  violations.forEach(([property, { blame, reason, also = [] }], index) => {
    const lead = `${paint(['red', 'bold'], '✗')} ${paint('bold', padEnd(property, NAME))}`;
    const text = `${paint(['red', 'bold'], 'violated')}, blame ${paint('bold', blame)}: `;
    const wrapped = hanging(' '.repeat(NAME + 2), `violated, blame ${blame}: ${reason}`, width, NAME + 2);
    const kept = upTo(index === 0 ? 3 : index < 3 ? 2 : 1, wrapped, width);
    kept[0] = lead + kept[0]!.slice(NAME + 2).replace(`violated, blame ${blame}: `, text);
    lines.push(...kept);
    const indent = ' '.repeat(NAME + 2);
    for (const other of also) {
      const text = `also, blame ${other.blame}, at ${showMs(other.atUs)} ms: ${other.reason}`;
      lines.push(...upTo(other === about?.[1] ? 3 : 1, hanging(indent, text, width, NAME + 2), width));
    }
  });
  const holds = ofKind(verdicts, 'holds').map(([property]) => property);
  const unknown = ofKind(verdicts, 'unknown').filter(([, { inapplicable }]) => inapplicable !== true);
  if (holds.length > 0)
    lines.push(
      ...hanging(`${paint('green', '✓')} ${padEnd('holds', NAME)}`, holds.join(', '), width, NAME + 2),
    );
  if (unknown.length > 0) {
    const text = unknown.map(([property, { reason }]) => `${property} (${reason})`).join(', ');
    const short = unknown.map(([property]) => property).join(', ');
    lines.push(
      ...hanging(
        `${paint('yellow', '?')} ${padEnd('unknown', NAME)}`,
        text.length <= 150 ? text : short,
        width,
        NAME + 2,
      ),
    );
  }
  return lines;
}

/** The first lines; the last of them says that there were more. */
function upTo(most: number, lines: readonly string[], width: number): string[] {
  const kept = lines.slice(0, most);
  if (lines.length > most) kept[most - 1] = cut(`${kept[most - 1]!} …`, width);
  return kept;
}

function endLines(view: RunView, verdicts: Verdicts, options: ReportOptions, width: number): string[] {
  const { about, paint, replay, files, changes = [] } = options;
  const lines: string[] = [];
  if (about !== null) {
    lines.push(paint('bold', 'What would change it'));
    const known = options.mistake !== undefined && about[1].blame === 'library';
    const remedy = known
      ? `The lock's known mistake: ${options.mistake}`
      : remedyFor(view, ...about, verdicts);
    lines.push(...hanging('  ', remedy, width));
    lines.push(...changeLines(changes, options.why, paint, width));
    lines.push('');
  }
  const kept =
    files.trace === undefined ? files.history : `${files.history}, ${files.trace.replace(/^.*[\\/]/, '')}`;
  if (options.why !== undefined)
    lines.push(cut(`${paint('bold', padEnd('Faults', 9))}${faultsText(options.why)}`, width));
  // What is pasted must not be broken by us: a long command runs over the edge instead.
  lines.push(
    `${paint('bold', padEnd('Replay', 9))}${replay}`,
    ...hanging(paint('bold', padEnd('History', 9)), kept, width, 9),
  );
  lines.push(...outcomeLines(options, [], view.history, width));
  return lines;
}

function outcomeLines(
  { outcome, paint }: ReportOptions,
  violations: readonly Named<Violated>[],
  history: History,
  width: number,
  verdicts?: Verdicts,
): string[] {
  const { asExpected, rule, mismatches, untriggered, unknownBecause } = outcome;
  const lead = paint('bold', padEnd('Outcome', 9));
  const found = violations.map(([property, { blame }]) => `${property} violated/${blame}`).join(', ');
  const seen = [found, ...figuresSeen(outcome.observed)]
    .filter((each) => each !== '')
    .map((each) => `; ${each}`)
    .join('');
  if (asExpected) {
    const why =
      rule === 'catalogue'
        ? 'as the catalogue expects of this lock'
        : 'no violation with a blame in --fail-on';
    return hanging(lead, `${why}${seen}`, width, 9).map((line, index) =>
      index === 0 ? line.replace(why, paint('green', why)) : line,
    );
  }
  const reasons = mismatches.map(({ property, expected, found: now }) => {
    return `${property}: expected ${expected}, found ${now}${reasonOf(verdicts?.[property as PropertyId], now)}`;
  });
  if (mismatches.length === 0 && unknownBecause !== null) reasons.push(unknownBecause);
  const { faults } = history.header.scenario;
  for (const index of untriggered)
    reasons.push(`faults[${index}] (${faults[index]!.do} at '${faults[index]!.on?.event}') never struck`);
  const word = mismatches.length > 0 ? 'NOT AS EXPECTED' : 'UNKNOWN';
  return hanging(lead, `${word}: ${reasons.join('; ')}`, width, 9).map((line) =>
    line.replace(word, paint(['red', 'bold', 'inverse'], word)),
  );
}

/** What a row is about that no property says: `p1: releaseMs 2108, releaseError ExecutionError`. */
function figuresSeen(observed: ReportOptions['outcome']['observed'] = {}): string[] {
  return Object.entries(observed).map(([process, figures]) => {
    const named = Object.entries(figures).map(([name, figure]) => `${name} ${figure ?? 'none'}`);
    return `${process}: ${named.join(', ')}`;
  });
}

/** The reason of the violation that a mismatch found, which need not be the first one. */
function reasonOf(verdict: Verdict | undefined, found: string): string {
  if (verdict === undefined || verdict.verdict === 'holds') return '';
  const also = verdict.verdict === 'violated' ? verdict.also : undefined;
  const other = also?.find(({ blame }) => found === `violated/${blame}`);
  return ` (${(other ?? verdict).reason})`;
}
