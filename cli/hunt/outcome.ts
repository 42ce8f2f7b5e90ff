/** How a hunt ended: its exit code, and the same in words. */
import type { Blame } from '../../properties/verdict.js';
import { EXIT, type ExitCode } from '../exit.js';
import type { Hunted } from './conduct.js';
import { runsText } from './search.js';

export interface HuntOutcome {
  readonly asExpected: boolean;
  readonly exitCode: ExitCode;
  /** Why, the weightiest first; empty where all is as expected. */
  readonly reasons: readonly string[];
}

type Judged = Pick<
  Hunted,
  'findings' | 'gone' | 'lost' | 'lostRuns' | 'gaveUp' | 'corpus' | 'missing' | 'interrupted'
>;

/** @param partial a part: coverage is asked of the whole */
export function outcomeOf(hunted: Judged, failOn: readonly Blame[], partial = false): HuntOutcome {
  const diverged = divergedReasons(hunted);
  const violated = violatedReasons(hunted, failOn);
  // What was violated is known, whatever else never happened.
  const unknown = unknownReasons(hunted, partial || violated.length > 0);
  const reasons = [...diverged, ...violated, ...unknown];
  const exitCode = hunted.interrupted
    ? EXIT.interrupted
    : diverged.length > 0
      ? EXIT.diverged
      : violated.length > 0
        ? EXIT.violation
        : unknown.length > 0
          ? EXIT.unknown
          : EXIT.asExpected;
  return { asExpected: exitCode === EXIT.asExpected, exitCode, reasons };
}

function divergedReasons({ gone, corpus }: Judged): string[] {
  return [
    ...corpus
      .filter(({ status }) => status === 'diverged')
      .map(({ file, message }) => `${file}: the replay diverged: ${message}`),
    ...gone.map(({ property, run }) => `${property} of run ${run} does not show a second time`),
  ];
}

function violatedReasons({ findings, corpus, lostRuns }: Judged, failOn: readonly Blame[]): string[] {
  const counting = findings.filter(({ blame }) => failOn.includes(blame));
  const words = [...new Set(counting.map(({ property, blame }) => `${property} violated/${blame}`))];
  const known = corpus.filter(({ fails }) => fails);
  return [
    ...words,
    ...known.map(
      ({ file, status }) => `${file} ${status === 'reproduced' ? 'reproduces' : 'is still violated'}`,
    ),
    // A loop without end is the lock's doing, as it is in `run`.
    ...lostRuns.filter(({ loss }) => loss === 'time').map(({ from, message }) => `run ${from}: ${message}`),
  ];
}

/** @param lenient coverage is not asked for */
function unknownReasons({ missing, lostRuns, gaveUp, lost, corpus }: Judged, lenient: boolean): string[] {
  return [
    ...lostRuns.filter(({ loss }) => loss !== 'time').map((runs) => `${runsText(runs)}: ${runs.message}`),
    ...(gaveUp ? [`the hunt gave up after ${lostRuns.length} lost runs`] : []),
    ...lost.map(
      ({ raw, message }) => `${raw.property} of run ${raw.run} could not be made small: ${message}`,
    ),
    ...corpus
      .filter(({ status }) => status === 'lost' || status === 'unknown')
      .map(({ file, message }) => `${file}: ${message}`),
    ...(lenient ? [] : missing.map((goal) => `it never happened that ${goal}`)),
  ];
}
