/** What each verb tells a CI server: cases, from what it found. */
import {
  everyViolation,
  type Blame,
  type Verdict,
  type Verdicts,
  type Violation,
} from '../../properties/verdict.js';
import type { CiCase } from '../../reports/ci/model.js';
import { counted, describeSchedule } from '../../reports/terminal/explore.js';
import type { History } from '../../sim/history/events.js';
import { PROPERTY_IDS, type Fault, type PropertyId } from '../../sim/scenario/schema.js';
import type { Execution } from '../execute.js';
import { EXIT } from '../exit.js';
import type { Outcome } from '../expectation.js';
import { operationOf, placeOf } from './place.js';

/** One run: a case for each property that it could be judged by, and one for the run itself. */
export function casesOfRun({ history, verdicts, outcome }: Execution, command: string): readonly CiCase[] {
  const { scenario, lock } = { scenario: history.header.scenario, lock: history.header.scenario.lock.name };
  const suite = `${scenario.id} × ${lock}`;
  const again = { suite, command };
  const properties = PROPERTY_IDS.map((name): CiCase => {
    const mismatch = outcome.mismatches.find(({ property }) => property === name);
    if (mismatch !== undefined) return { ...again, name, ...mismatched(mismatch, verdicts, lock, history) };
    return { suite, name, result: verdicts[name].verdict === 'unknown' ? 'skipped' : 'passed', message: '' };
  });
  const figures = outcome.mismatches.filter(({ property }) => !isProperty(property));
  return [
    { ...again, name: 'run', ...whole(outcome, scenario.faults.length) },
    ...properties,
    ...figures.map((each): CiCase => ({
      ...again,
      name: each.property,
      ...mismatched(each, verdicts, lock),
    })),
  ];
}

/** What is known of the run as a whole: that it could be judged at all. */
function whole({ unknownBecause, untriggered, mismatches }: Outcome, faults: number): Judged {
  const because = [
    ...(unknownBecause === null ? [] : [unknownBecause]),
    ...(untriggered.length === 0 ? [] : [`${untriggered.length} of ${faults} faults never struck`]),
  ];
  if (because.length === 0 || mismatches.length > 0) return { result: 'passed', message: '' };
  return { result: 'unknown', message: because.join('; ') };
}

type Judged = Pick<CiCase, 'result' | 'message' | 'place'>;

/** Of a property, or of a figure: `observe.p1.waitedMs`. */
interface Mismatch {
  readonly property: string;
  readonly expected: string;
  readonly found: string;
}

function mismatched(
  { property, expected, found }: Mismatch,
  verdicts: Verdicts,
  lock: string,
  history?: History,
): Judged {
  const result = found === 'unknown' ? 'unknown' : 'failed';
  if (!isProperty(property)) return { result, message: `expected ${expected}, found ${found}` };
  const verdict = verdicts[property];
  const message = `expected ${expected}, found ${found}${reasonOf(verdict, found)}`;
  const violation = verdict.verdict === 'violated' ? counting(verdict, found) : undefined;
  const place = placeOf(lock, operationOf(property, violation, history));
  return { result, message, ...(place === undefined ? {} : { place }) };
}

function isProperty(word: string): word is PropertyId {
  return (PROPERTY_IDS as readonly string[]).includes(word);
}

function counting(verdict: Extract<Verdict, { verdict: 'violated' }>, found: string) {
  return everyViolation(verdict).find(({ blame }) => found === `violated/${blame}`) ?? verdict;
}

function reasonOf(verdict: Verdict, found: string): string {
  if (verdict.verdict === 'holds') return '';
  return ` (${(verdict.verdict === 'violated' ? counting(verdict, found) : verdict).reason})`;
}

/** One cell of a matrix. */
export interface CellFacts {
  readonly scenario: string;
  readonly lock: string;
  readonly verdicts: Verdicts;
  readonly asExpected: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly unknownBecause?: string | null;
  readonly exitCode: number;
}

/** A matrix: a case for each cell. */
export function casesOfCells(
  cells: readonly CellFacts[],
  commandOf: (scenario: string, lock: string) => string,
): readonly CiCase[] {
  return cells.map((cell): CiCase => {
    const { scenario, lock, verdicts, asExpected, mismatches, unknownBecause, exitCode } = cell;
    const named = { suite: scenario, name: lock };
    if (asExpected) return { ...named, result: 'passed', message: '' };
    const each = mismatches.map((mismatch) => ({
      property: mismatch.property,
      ...mismatched(mismatch, verdicts, lock),
    }));
    const message =
      each.length > 0
        ? each.map(({ property, message: text }) => `${property}: ${text}`).join('; ')
        : (unknownBecause ?? 'a fault never struck');
    const place = each.find((one) => one.place !== undefined)?.place;
    const result = exitCode === EXIT.unknown ? 'unknown' : 'failed';
    const command = commandOf(scenario, lock);
    return { ...named, result, message, command, ...(place === undefined ? {} : { place }) };
  });
}

/** A finding of a hunt. */
export interface FindingFacts {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly cause: string;
  readonly reason: string;
  readonly replay: string;
}

export interface HuntFacts {
  readonly lock: string;
  readonly runs: number;
  readonly findings: readonly FindingFacts[];
  readonly failOn: readonly Blame[];
  readonly outcome: { readonly exitCode: number; readonly reasons: readonly string[] };
}

/** A hunt: a case for each finding that counts, and one for the hunt itself. */
export function casesOfHunt({ lock, runs, findings, failOn, outcome }: HuntFacts): readonly CiCase[] {
  const suite = `hunt × ${lock}`;
  const found = findings
    .filter(({ blame }) => failOn.includes(blame))
    .map(({ property, blame, cause, reason, replay }): CiCase => {
      const place = placeOf(lock, operationOf(property));
      return {
        suite,
        name: `${property} (${cause})`,
        result: 'failed',
        message: `violated, blame ${blame}: ${reason}`,
        command: replay,
        ...(place === undefined ? {} : { place }),
      };
    });
  const clean =
    outcome.exitCode === EXIT.asExpected || (found.length > 0 && outcome.exitCode === EXIT.violation);
  const result = clean ? 'passed' : outcome.exitCode === EXIT.violation ? 'failed' : 'unknown';
  return [
    { suite, name: `${runs} runs`, result, message: clean ? '' : outcome.reasons.join('; ') },
    ...found,
  ];
}

/** A property and blame that an exploration found and that counts. */
export interface ScheduleFacts {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
  readonly faults: readonly Fault[];
  readonly replay: string;
  readonly history: History;
  /** Of the history. */
  readonly violation: Violation | undefined;
}

export interface ExploreFacts {
  readonly scenario: string;
  readonly lock: string;
  readonly schedules: number;
  readonly findings: readonly ScheduleFacts[];
  readonly outcome: { readonly exitCode: number; readonly text: string };
}

/** An exploration: a case for each property and blame that counts, and one for the exploration itself. */
export function casesOfExplore(facts: ExploreFacts): readonly CiCase[] {
  const { scenario, lock, schedules, findings, outcome } = facts;
  const suite = `${scenario} × ${lock}`;
  const found = findings.map((each): CiCase => {
    const { property, blame, reason, faults, replay, violation, history } = each;
    const place = placeOf(lock, operationOf(property, violation, history));
    return {
      suite,
      name: `${property} (${blame})`,
      result: 'failed',
      message: `violated, blame ${blame}: ${reason} (${describeSchedule(faults)})`,
      command: replay,
      ...(place === undefined ? {} : { place }),
    };
  });
  const isKnown = outcome.exitCode === EXIT.asExpected || outcome.exitCode === EXIT.violation;
  const result = isKnown ? 'passed' : 'unknown';
  const message = isKnown ? '' : outcome.text;
  return [{ suite, name: counted(schedules, 'schedule', 'schedules'), result, message }, ...found];
}

/** A lock on trial. */
export interface TrialFacts {
  readonly name: string;
  readonly unexpected: readonly {
    readonly scenario: string;
    readonly mismatches: readonly Mismatch[];
    readonly unknownBecause: string | null;
    readonly command: string;
  }[];
  readonly notDeterministic: readonly string[];
}

/** A trial: a case for each lock, one more for each row that came out otherwise, and one for each lock that could not be tried. */
export function casesOfTrial(
  locks: readonly TrialFacts[],
  lost: readonly { readonly name: string; readonly why: string }[],
): readonly CiCase[] {
  return [
    ...locks.flatMap(({ name: suite, unexpected, notDeterministic }): CiCase[] => [
      {
        suite,
        name: 'deterministic',
        result: notDeterministic.length === 0 ? 'passed' : 'failed',
        message: notDeterministic.join('; '),
      },
      ...unexpected.map(({ scenario, mismatches, unknownBecause, command }): CiCase => {
        const told = mismatches.map(
          ({ property, expected, found }) => `${property}: expected ${expected}, found ${found}`,
        );
        const result = mismatches.length > 0 ? 'failed' : 'unknown';
        return {
          suite,
          name: scenario,
          result,
          message: told.join('; ') || (unknownBecause ?? 'not as expected'),
          command,
        };
      }),
    ]),
    ...lost.map(({ name: suite, why }): CiCase => ({
      suite,
      name: 'trial',
      result: 'unknown',
      message: why,
    })),
  ];
}
