/** Judges a history: every property's verdict, and what the run exercised. Pure; reads nothing but the history. */
import type { History } from '../sim/history/events.js';
import type { PropertyId } from '../sim/scenario/schema.js';
import { analyse } from './analysis/analyse.js';
import { coverageOf } from './analysis/coverage.js';
import { notOfThisKind } from './analysis/kind.js';
import { unattributedKey, withoutKeys } from './analysis/unattributed.js';
import { unjudgeable } from './analysis/unjudgeable.js';
import { PROPERTIES } from './index.js';
import type { Coverage, Verdict, Verdicts } from './verdict.js';

export interface Judgement {
  readonly verdicts: Verdicts;
  readonly coverage: Coverage;
}

export function judge(history: History): Judgement {
  const analysis = analyse(history);
  const excuse = unjudgeable(analysis);
  const ambiguity = unattributedKey(analysis);
  const verdicts = {} as Record<PropertyId, Verdict>;
  for (let index = 0; index < PROPERTIES.length; index++) {
    const { id, check } = PROPERTIES[index]!;
    if (excuse === null) {
      verdicts[id] = notOfThisKind(analysis, id) ?? check(analysis);
      continue;
    }
    // A run that was cut off can show a violation, but not that there is none.
    const counts = excuse.stillCount === 'all' || excuse.stillCount.includes(id);
    const verdict: Verdict = counts
      ? (notOfThisKind(analysis, id) ?? check(analysis))
      : { verdict: 'unknown', reason: excuse.reason };
    verdicts[id] = verdict.verdict === 'holds' ? { verdict: 'unknown', reason: excuse.reason } : verdict;
  }
  if (ambiguity !== null)
    for (const { id } of PROPERTIES) verdicts[id] = withoutKeys(id, verdicts[id], ambiguity);
  return { verdicts, coverage: coverageOf(analysis, verdicts) };
}
