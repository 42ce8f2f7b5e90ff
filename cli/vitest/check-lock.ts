/** One line for a lock's test: red with a report and a file that replays it, or green. */
import { expect } from 'vitest';
import { judge } from '../../properties/judge.js';
import { ASSUMPTIONS } from '../../properties/search/hunt/spec.js';
import { everyViolation, type Blame, type Verdicts, type Violation } from '../../properties/verdict.js';
import { PROPERTY_IDS } from '../../sim/scenario/schema.js';
import { BLAMES } from '../options.js';
import { checkLockName } from '../resolve.js';
import { lockWord } from './place.js';
import type { CheckLockOptions, LockChecked, LockName } from './public.js';
import { simulationThread } from './run-scenario.js';
import { saveCounterexample } from './save.js';
import type { CheckAnswer, Smallest } from './thread/messages.js';
import { checkWords, listOf } from './words.js';

const DEFAULT_RUNS = 1000;

export async function checkLock(lock: LockName, options: CheckLockOptions = {}): Promise<LockChecked> {
  const { assume = 'everything', runs = DEFAULT_RUNS, seed = 1, set = {}, out = 'lockpick-out' } = options;
  checkWords('checkLock', 'assumption', [assume], ASSUMPTIONS);
  if (options.properties !== undefined)
    checkWords('checkLock', 'property', listOf(options.properties), PROPERTY_IDS);
  checkNumber('runs', runs, 1);
  checkNumber('seed', seed, 0);
  const failOn = failOnOf(options);
  const word = lockWord(lock);
  checkLockName(word);
  const answer = await simulationThread().ask({
    kind: 'check',
    lock: word,
    directory: process.cwd(),
    runs,
    failOn,
    spec: {
      lock: word,
      seed,
      assume,
      kinds: options.faults ?? null,
      properties: options.properties === undefined ? null : listOf(options.properties),
      sets: Object.entries(set).map(([path, value]) => ({ path, value })),
      reuse: true,
    },
  });
  if (answer.smallest !== null) throw violated(word, answer, answer.smallest, out);
  if (answer.missing.length > 0) throw unknown(word, answer);
  const { rows, coverage } = answer;
  return { rows, runs, events: answer.events, coverage };
}

/** Inside the lock's own assumptions nothing may be violated, whoever is to blame; elsewhere only the lock's own mistakes count. */
function failOnOf({ assume, failOn }: CheckLockOptions): readonly Blame[] {
  if (failOn === undefined) return assume === 'bounded' ? BLAMES : ['library'];
  checkWords('checkLock', 'blame', listOf(failOn), BLAMES);
  return listOf(failOn);
}

function checkNumber(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`checkLock: ${name}: a whole number of at least ${least}, not ${value}`);
}

function violated(lock: string, answer: CheckAnswer, smallest: Smallest, out: string): Error {
  const { history, changes } = smallest;
  const { verdicts } = judge(history);
  const { currentTestName } = expect.getState();
  const report = saveCounterexample({
    history,
    verdicts,
    changes,
    out,
    about: [smallest.property, violationOf(verdicts, smallest)],
    ...(currentTestName === undefined ? {} : { test: currentTestName }),
  });
  const { findings, rows, runs } = answer;
  const what = findings.length === 1 ? 'a violation' : `${findings.length} violations`;
  const found = findings.slice(0, MOST_LISTED).map((finding) => `  ${finding}`);
  if (findings.length > MOST_LISTED) found.push(`  and ${findings.length - MOST_LISTED} more`);
  return failure(
    `${lock}: ${what} in ${rows} rows of the catalogue and ${runs} generated runs\n${found.join('\n')}\n\nThe smallest:\n\n${report}`,
  );
}

function unknown(lock: string, { missing, runs, coverage, unknownBecause }: CheckAnswer): Error {
  // Whatever else never happened follows from it.
  if (coverage.acquisitions === 0) {
    const because = unknownBecause === null ? '' : `: ${unknownBecause}`;
    return failure(`${lock}: unknown: the lock was never granted in ${runs} runs${because}`);
  }
  const never = `in ${runs} runs it never happened that ${missing.join(', nor that ')}`;
  return failure(`${lock}: unknown: ${never}; more \`runs\` may show it`);
}

/** Findings that are named; the report is about one of them. */
const MOST_LISTED = 6;

function violationOf(verdicts: Verdicts, { property, blame }: Smallest): Violation {
  const verdict = verdicts[property];
  const found =
    verdict.verdict === 'violated' ? everyViolation(verdict).find((each) => each.blame === blame) : undefined;
  if (found === undefined) throw new Error(`${property} is not violated/${blame} in the run that shows it`);
  return found;
}

function failure(message: string): Error {
  return Object.assign(new Error(message), { name: 'LockCheckFailed' });
}
