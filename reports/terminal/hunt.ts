/** What a hunt found, for a terminal: the findings in a line each, what became of the corpus, what was exercised, the outcome. */
import type { Blame } from '../../properties/verdict.js';
import { count } from '../view/describe.js';
import { cut, ends, hanging, padEnd, type Paint } from './text.js';

/** A finding in its smallest form. */
export interface HuntFinding {
  readonly property: string;
  readonly blame: Blame;
  readonly cause: string;
  readonly run: number;
  readonly faults: number;
  /** The command that shows it again. */
  readonly replay: string;
  /** So many more of the same property and blame have other causes. */
  readonly others: number;
}

export interface HuntReport {
  readonly lock: string;
  readonly seed: number;
  readonly assume: string;
  readonly runs: number;
  readonly seconds: number;
  readonly jobs: number;
  /** One of each property and blame, in the order in which they are to be told. */
  readonly findings: readonly HuntFinding[];
  readonly corpus: readonly {
    readonly file: string;
    readonly property: string;
    readonly blame: Blame;
    readonly status: string;
    readonly fails: boolean;
  }[];
  readonly coverage: {
    readonly acquisitions: number;
    readonly contended: number;
    readonly expiriesDuringWork: number;
    /** Kind of fault: so many struck while a lock was held. */
    readonly whileHeld: Readonly<Record<string, number>>;
  } | null;
  readonly failOn: readonly Blame[];
  readonly outcome: {
    readonly asExpected: boolean;
    readonly exitCode: number;
    readonly reasons: readonly string[];
  };
  readonly interrupted: boolean;
  /** Of a part: the file with its result. */
  readonly shard: string | null;
}

export interface HuntReportOptions {
  readonly paint: Paint;
  readonly width: number;
  /** Only what came out. */
  readonly brief: boolean;
}

const WIDTH = 100;
const LEAD = 9;
/** Violated or unknown: the exit codes that the words go by. */
const UNKNOWN = 3;

/** @returns lines joined by line feeds, none at the end */
export function huntReport(report: HuntReport, options: HuntReportOptions): string {
  const width = Math.min(options.width, WIDTH);
  const { paint } = options;
  const outcome = outcomeLines(report, paint, width);
  if (options.brief) return outcome.join('\n');
  return [
    ...headLines(report, paint, width),
    ...findingLines(report, paint, width),
    ...corpusLines(report, paint, width),
    ...coverageLines(report, paint, width),
    ...(report.shard === null
      ? []
      : hanging(
          paint('bold', padEnd('Part', LEAD)),
          `${report.shard}: \`lockpick merge\` joins the parts`,
          width,
          LEAD,
        )),
    ...outcome,
  ].join('\n');
}

function headLines(
  { lock, seed, assume, runs, seconds, jobs }: HuntReport,
  paint: Paint,
  width: number,
): string[] {
  const which = `lock ${lock} · seed ${seed}`;
  const rate = seconds > 0 ? Math.round(runs / seconds) : 0;
  const facts = [
    count(runs, 'run'),
    `${seconds.toFixed(1)} s`,
    `${rate.toLocaleString('en-US')} runs/s`,
    count(jobs, 'job'),
  ];
  return [
    paint('bold', ends(`hunt · --assume ${assume}`, which, width)),
    paint('dim', cut(facts.join(' · '), width)),
    '',
  ];
}

function findingLines({ findings, failOn }: HuntReport, paint: Paint, width: number): string[] {
  if (findings.length === 0) return [];
  const names = Math.max(...findings.map(({ property }) => property.length));
  const lines = findings.flatMap(({ property, blame, cause, run, faults, replay, others }) => {
    const sign = failOn.includes(blame) ? paint(['red', 'bold'], '✗') : paint('yellow', '~');
    const more = others === 0 ? '' : ` (and ${others} by other causes)`;
    const rest = `blame ${padEnd(blame, 14)}  ${padEnd(count(faults, 'fault'), 8)}  run ${padEnd(String(run), 6)}  ${cause}${more}`;
    // What is pasted must not be broken by us: a long command runs over the edge instead.
    return [
      `${sign} ${paint('bold', padEnd(property, names))}  ${cut(rest, width - names - 4)}`,
      `    ${replay}`,
    ];
  });
  const legend = paint('dim', ' (✗ counts, ~ does not)');
  return [`${paint('bold', 'Found, the smallest first')}${legend}`, ...lines, ''];
}

/** What still is as it was, and does not count, is only counted. */
function corpusLines({ corpus }: HuntReport, paint: Paint, width: number): string[] {
  if (corpus.length === 0) return [];
  const isPlain = ({ status, fails }: HuntReport['corpus'][number]): boolean =>
    !fails && (status === 'reproduced' || status === 'still violated');
  const lines = corpus
    .filter((one) => !isPlain(one))
    .map(({ file, property, blame, status, fails }) => {
      const gone = status === 'no longer reproduces';
      const sign = fails ? paint(['red', 'bold'], '✗') : gone ? paint('green', '✓') : paint('yellow', '?');
      return `${sign} ${cut(`${status}: ${property}, blame ${blame}: ${file}`, width - 2)}`;
    });
  const plain = corpus.filter(isPlain).length;
  const rest =
    plain === 0
      ? []
      : [`${paint('yellow', '~')} ${count(plain, 'counterexample')} as before that do not count`];
  return [paint('bold', 'Known from before'), ...lines, ...rest, ''];
}

function coverageLines({ coverage }: HuntReport, paint: Paint, width: number): string[] {
  if (coverage === null) return [];
  const { acquisitions, contended, expiriesDuringWork, whileHeld } = coverage;
  const struck = Object.entries(whileHeld).map(([kind, times]) => `${kind} ${times}`);
  const parts = [
    count(acquisitions, 'grant'),
    `${contended} contended`,
    `${expiriesDuringWork} ${expiriesDuringWork === 1 ? 'lease' : 'leases'} ended during work`,
    struck.length === 0 ? 'no fault struck a holder' : `struck while held: ${struck.join(', ')}`,
  ];
  return [...hanging(paint('bold', padEnd('Seen', LEAD)), parts.join(' · '), width, LEAD)];
}

function outcomeLines(report: HuntReport, paint: Paint, width: number): string[] {
  const { outcome, findings, runs, interrupted, failOn } = report;
  const lead = paint('bold', padEnd('Outcome', LEAD));
  const after = interrupted ? `interrupted after ${count(runs, 'run')}; ` : '';
  const found = [...new Set(findings.map(({ property, blame }) => `${property} violated/${blame}`))];
  if (outcome.reasons.length === 0) {
    const good =
      findings.length === 0
        ? `nothing was violated in ${count(runs, 'run')}`
        : `nothing was violated that counts (${failOn.join(', ') || 'no blame does'}) in ${count(runs, 'run')}`;
    const text = found.length === 0 ? `${after}${good}` : `${after}${good}; ${found.join(', ')}`;
    return hanging(lead, text, width, LEAD).map((line) => line.replace(good, paint('green', good)));
  }
  const word = outcome.exitCode === UNKNOWN ? 'UNKNOWN' : 'NOT AS EXPECTED';
  return hanging(lead, `${after}${word}: ${outcome.reasons.join('; ')}`, width, LEAD).map((line) =>
    line.replace(word, paint(['red', 'bold', 'inverse'], word)),
  );
}
