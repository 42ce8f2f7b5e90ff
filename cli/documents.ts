/** The JSON documents that `--json` prints (format lockpick/...@1). Fields may be added, not renamed. */
import type { Verdict, Verdicts, Violation } from '../properties/verdict.js';
import { PROPERTY_IDS } from '../sim/scenario/schema.js';
import { showSetting, type Setting } from '../sim/scenario/set-path.js';
import type { Execution } from './execute.js';

function verdictDocument(verdict: Verdict): object {
  switch (verdict.verdict) {
    case 'holds':
      return { verdict: 'holds', evaluated: verdict.evaluated };
    case 'unknown':
      return { verdict: 'unknown', reason: verdict.reason };
    case 'violated':
      return {
        verdict: 'violated',
        ...violationDocument(verdict),
        evaluated: verdict.evaluated,
        ...(verdict.also === undefined ? {} : { also: verdict.also.map(violationDocument) }),
      };
  }
}

function violationDocument({ blame, reason, atUs, holds, evidence }: Violation): object {
  return { blame, reason, atMs: atUs / 1000, holds, evidence };
}

export function verdictsDocument(verdicts: Verdicts): Record<string, object> {
  return Object.fromEntries(PROPERTY_IDS.map((property) => [property, verdictDocument(verdicts[property])]));
}

/** `lockpick/run@1`, for `run` and `replay`. */
export function runDocument(
  { history, digest, verdicts, coverage, outcome, files }: Execution,
  settings: readonly Setting[],
): object {
  const { scenario, lock, versions } = history.header;
  const end = history.events.at(-1);
  return {
    format: 'lockpick/run@1',
    scenario: scenario.id,
    lock: lock.name,
    seed: scenario.seed,
    settings: settings.map(showSetting),
    verdicts: verdictsDocument(verdicts),
    asExpected: outcome.asExpected,
    expectation: outcome.rule,
    mismatches: outcome.mismatches,
    observed: outcome.observed,
    untriggeredFaults: outcome.untriggered,
    unknownBecause: outcome.unknownBecause,
    events: history.events.length,
    virtualMs: (end?.tUs ?? 0) / 1000,
    ended: end?.kind === 'end' ? end.reason : null,
    digest,
    history: files.history,
    trace: files.trace ?? null,
    counterexample: files.counterexample ?? null,
    bundle: lock.bundle,
    lockpick: versions.lockpick,
    coverage,
  };
}
