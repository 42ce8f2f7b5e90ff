/** Whether a run came out as expected (DESIGN §13), and how the command exits. */
import type { History } from '../sim/history/events.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../sim/scenario/schema.js';
import { everyViolation, type Blame, type Verdict, type Verdicts } from '../properties/verdict.js';
import { EXIT, type ExitCode } from './exit.js';
import { catalogueEntryOf } from './resolve.js';

/** A verdict in one word: `holds`, `violated/lease`, `unknown`. */
export function verdictWord(verdict: Verdict): string {
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}

export interface Mismatch {
  readonly property: PropertyId;
  readonly expected: string;
  readonly found: string;
}

export interface Outcome {
  readonly asExpected: boolean;
  /** Where the expectation came from: the catalogue's `expect` for this lock, or the `--fail-on` rule. */
  readonly rule: 'catalogue' | 'fail-on';
  readonly mismatches: readonly Mismatch[];
  /** Faults of the schedule whose trigger never came: what was asked was not tried. */
  readonly untriggered: readonly number[];
  /** Why nothing is known, where nobody ever got the lock. */
  readonly noGrant: string | null;
  readonly exitCode: ExitCode;
}

/** The catalogue's expectations for this lock, if the scenario is the catalogue's own. */
function expectationOf(scenario: Scenario): Readonly<Record<string, unknown>> | undefined {
  return catalogueEntryOf(scenario)?.scenario.expect?.[scenario.lock.name];
}

export function untriggeredFaults(history: History): readonly number[] {
  const last = history.events.at(-1);
  return last?.kind === 'end' ? last.untriggered : [];
}

function compare(expect: Readonly<Record<string, unknown>>, verdicts: Verdicts): Mismatch[] {
  return PROPERTY_IDS.flatMap((property) => {
    const found = verdictWord(verdicts[property]);
    const expected = expect[property];
    if (typeof expected === 'string') return expected === found ? [] : [{ property, expected, found }];
    return verdicts[property].verdict === 'violated' ? [{ property, expected: 'not violated', found }] : [];
  });
}

function failures(failOn: readonly Blame[], verdicts: Verdicts): Mismatch[] {
  return PROPERTY_IDS.flatMap((property) => {
    const verdict = verdicts[property];
    if (verdict.verdict !== 'violated') return [];
    // What came first, under a blame that is let pass, must not hide what came after it.
    const failing = everyViolation(verdict).find(({ blame }) => failOn.includes(blame));
    return failing === undefined
      ? []
      : [{ property, expected: 'not violated', found: `violated/${failing.blame}` }];
  });
}

function firstRefusal(history: History): string {
  const refusal = history.events.find((event) => event.kind === 'acquire' && event.phase === 'fail');
  if (refusal?.kind !== 'acquire' || refusal.phase !== 'fail') return 'nobody ever got the lock';
  return `nobody ever got the lock; the first refusal: ${refusal.error.name}: ${refusal.error.message}`;
}

/**
 * A catalogue scenario, unchanged but for seed and lock, is compared with its `expect` for that lock: listed
 * properties must match exactly, the others must not be violated. Any other run must not be violated with a blame in
 * `failOn`; it is unknown if nobody ever got the lock or a fault never struck.
 */
export function compareWithExpectation(
  history: History,
  verdicts: Verdicts,
  failOn: readonly Blame[],
): Outcome {
  const untriggered = untriggeredFaults(history);
  const expect = expectationOf(history.header.scenario);
  if (expect !== undefined) {
    const mismatches = compare(expect, verdicts);
    const onlyUnknown = mismatches.length > 0 && mismatches.every(({ found }) => found === 'unknown');
    const exitCode = mismatches.length === 0 ? EXIT.asExpected : onlyUnknown ? EXIT.unknown : EXIT.violation;
    return {
      asExpected: mismatches.length === 0,
      rule: 'catalogue',
      mismatches,
      untriggered,
      noGrant: null,
      exitCode,
    };
  }
  const mismatches = failures(failOn, verdicts);
  const granted = history.events.some((event) => event.kind === 'acquire' && event.phase === 'ok');
  const unknown = !granted || untriggered.length > 0;
  const exitCode = mismatches.length > 0 ? EXIT.violation : unknown ? EXIT.unknown : EXIT.asExpected;
  return {
    asExpected: exitCode === EXIT.asExpected,
    rule: 'fail-on',
    mismatches,
    untriggered,
    noGrant: granted ? null : firstRefusal(history),
    exitCode,
  };
}
