/** `lockpick/trial@1`, for `trial --json` and the file beside the scorecard; and what the card is drawn from. */
import { faultyControl, type ScoredLock } from '../../reports/terminal/scorecard.js';
import { findLock } from '../../src/registry.js';
import type { LockTrial } from './lock-trial.js';
import type { TrialResult } from './trial.js';

export function trialDocument({ locks, lost, seconds, interrupted }: TrialResult, runs: number): object {
  return {
    format: 'lockpick/trial@1',
    locks: locks.map((lock) => ({
      ...lock,
      kind: findLock(lock.name)?.kind ?? 'module',
      against: lock.findings.filter(({ counts }) => counts).length,
    })),
    lost,
    asExpected: asExpected(locks) && lost.length === 0 && !interrupted,
    interrupted,
    runs,
    seconds,
    runsPerSecond: seconds > 0 ? runs / seconds : 0,
  };
}

export function scoreOf(lock: LockTrial): ScoredLock {
  return {
    ...lock,
    control: isReference(lock),
    misfits: lock.misfits.length,
    unknown: lock.unknown.length,
  };
}

/** All that the catalogue expects of these locks came out, and no reference lock is at fault. */
export function asExpected(locks: readonly LockTrial[]): boolean {
  return locks.every((lock) => lock.unexpected.length === 0 && !(isReference(lock) && faultyControl(lock)));
}

function isReference({ name }: LockTrial): boolean {
  return findLock(name)?.kind === 'reference';
}
