/** Whether a run came out as expected, and how the command exits. */
import type { History } from '../sim/history/events.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../sim/scenario/schema.js';
import { observed, otherFigures, type Observed } from '../properties/observe.js';
import { everyViolation, type Blame, type Verdict, type Verdicts } from '../properties/verdict.js';
import { EXIT, type ExitCode } from './exit.js';
import { escapeOf, lackedCommands, noGrantOf, untriggeredFaults } from './inconclusive.js';
import { catalogueEntryOf } from './resolve.js';

/** A verdict in one word: `holds`, `violated/lease`, `unknown`. */
export function verdictWord(verdict: Verdict): string {
  return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
}

export interface Mismatch {
  /** A property, or a figure: `observe.p1.waitedMs`. */
  readonly property: PropertyId | `observe.${string}`;
  readonly expected: string;
  readonly found: string;
}

export interface Outcome {
  readonly asExpected: boolean;
  /** Where the expectation came from: the catalogue's `expect` for this lock, or the `--fail-on` rule. */
  readonly rule: 'catalogue' | 'fail-on';
  readonly mismatches: readonly Mismatch[];
  /** The figures that the catalogue has expectations of, as they came out. */
  readonly observed: Observed;
  /** Faults of the schedule whose trigger never came: what was asked was not tried. */
  readonly untriggered: readonly number[];
  /** Why nothing is known: the program left the simulation, needs what is not there, or nobody ever got the lock. */
  readonly unknownBecause: string | null;
  readonly exitCode: ExitCode;
}

/** The catalogue's expectations for this lock, if the scenario is the catalogue's own. */
function expectationOf(scenario: Scenario): Readonly<Record<string, unknown>> | undefined {
  return catalogueEntryOf(scenario)?.scenario.expect?.[scenario.lock.name];
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

/**
 * A catalogue scenario, unchanged but for seed, lock and engine, is compared with its `expect` for that lock: listed
 * properties and figures must match exactly, the others must not be violated. Any other run must not be violated with a blame in
 * `failOn`; it is unknown if nobody ever got the lock or a fault never struck.
 */
export function compareWithExpectation(
  history: History,
  verdicts: Verdicts,
  failOn: readonly Blame[],
): Outcome {
  const untriggered = untriggeredFaults(history);
  const expect = expectationOf(history.header.scenario);
  const escape = escapeOf(history);
  if (escape !== null) {
    return {
      asExpected: false,
      rule: expect === undefined ? 'fail-on' : 'catalogue',
      mismatches: [],
      observed: {},
      untriggered,
      unknownBecause: escape,
      exitCode: EXIT.unknown,
    };
  }
  if (expect !== undefined) {
    const figures = otherFigures(history, expect.observe);
    const mismatches = [
      ...compare(expect, verdicts),
      ...figures.map(({ figure, ...rest }) => ({ property: figure, ...rest })),
    ];
    const onlyUnknown = mismatches.length > 0 && mismatches.every(({ found }) => found === 'unknown');
    const exitCode = mismatches.length === 0 ? EXIT.asExpected : onlyUnknown ? EXIT.unknown : EXIT.violation;
    return {
      asExpected: mismatches.length === 0,
      rule: 'catalogue',
      mismatches,
      observed: observed(history, expect.observe),
      untriggered,
      unknownBecause: null,
      exitCode,
    };
  }
  const found = failures(failOn, verdicts);
  const noGrant = noGrantOf(history);
  // A program that does without what is lacking is judged as any other; what goes wrong may be for want of it.
  const lacking = found.length > 0 || noGrant !== null ? lackedCommands(history) : null;
  const mismatches = lacking === null ? found : [];
  const unknown = lacking !== null || noGrant !== null || untriggered.length > 0;
  const exitCode = mismatches.length > 0 ? EXIT.violation : unknown ? EXIT.unknown : EXIT.asExpected;
  return {
    asExpected: exitCode === EXIT.asExpected,
    rule: 'fail-on',
    mismatches,
    observed: {},
    untriggered,
    unknownBecause: lacking ?? noGrant,
    exitCode,
  };
}
