/** What must have happened now and then in a hunt, for its silence to mean anything. */
import type { HuntCoverage } from './coverage.js';
import { kindsOfSpec, type HuntSpec } from './spec.js';

export interface Goal {
  /** As in "it never happened that ...". */
  readonly text: string;
  readonly reached: (coverage: HuntCoverage) => boolean;
}

/** What a hunt by this spec must have seen. */
export function goalsOf(spec: Pick<HuntSpec, 'assume' | 'kinds' | 'properties'>): readonly Goal[] {
  const goals: Goal[] = [
    { text: 'a lock was granted', reached: ({ acquisitions }) => acquisitions > 0 },
    { text: 'two asked for the same lock at once', reached: ({ contended }) => contended > 0 },
  ];
  for (const kind of kindsOfSpec(spec))
    goals.push({
      text: `a ${kind} struck while a lock was held`,
      reached: ({ whileHeld }) => (whileHeld[kind] ?? 0) > 0,
    });
  if (spec.assume !== 'calm' && spec.assume !== 'bounded')
    goals.push({
      text: 'a lease ended during the work',
      reached: ({ expiriesDuringWork }) => expiriesDuringWork > 0,
    });
  if (spec.assume === 'failover' && spec.kinds === null)
    goals.push({
      text: 'a replica took over without the latest writes',
      reached: ({ unreplicatedFailovers }) => unreplicatedFailovers > 0,
    });
  for (const property of spec.properties ?? [])
    goals.push({
      text: `${property} could be judged`,
      reached: ({ evaluated }) => evaluated[property] > 0,
    });
  return goals;
}

/** The goals that a hunt never reached; if there are any, "nothing found" means nothing. */
export function missingGoals(
  spec: Pick<HuntSpec, 'assume' | 'kinds' | 'properties'>,
  coverage: HuntCoverage,
): readonly string[] {
  return goalsOf(spec)
    .filter(({ reached }) => !reached(coverage))
    .map(({ text }) => text);
}
