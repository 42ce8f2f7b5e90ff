/** What must have happened now and then in a hunt, for its silence to mean anything. */
import type { HuntCoverage } from './coverage.js';
import { kindsOfSpec, type HuntSpec } from './spec.js';

export interface Goal {
  /** As in "it never happened that ...". */
  readonly text: string;
  readonly reached: (coverage: HuntCoverage) => boolean;
}

type Asked = Pick<HuntSpec, 'assume' | 'kinds' | 'properties'>;

/** Moments that every lock has, and that faults of any kind but `delay` (which is of a message) are aimed at. */
const MOMENTS = [
  ['granted', 'right after a grant'],
  ['checked', 'after the last check'],
  ['voted', 'between a vote and its reply'],
  ['used', 'as a use was sent'],
  ['releasing', 'during a release'],
] as const;

/** Presets whose faults are aimed at moments; failovers strike at any time. */
const AIMED: ReadonlySet<HuntSpec['assume']> = new Set([
  'bounded',
  'pauses',
  'clocks',
  'crashes',
  'partitions',
  'everything',
]);

/**
 * What a hunt by this spec must have seen.
 * @throws HuntRefused for a spec without any faults
 */
export function goalsOf(spec: Asked): readonly Goal[] {
  return [...goalsOfWork(spec), ...goalsOfFaults(spec), ...goalsOfProperties(spec)];
}

function goalsOfWork({ assume }: Asked): Goal[] {
  const goals: Goal[] = [
    { text: 'a lock was granted', reached: ({ acquisitions }) => acquisitions > 0 },
    { text: 'two asked for the same lock at once', reached: ({ contended }) => contended > 0 },
  ];
  if (assume !== 'calm')
    goals.push({
      text: 'a lease ended during the work',
      reached: ({ expiriesDuringWork }) => expiriesDuringWork > 0,
    });
  return goals;
}

function goalsOfFaults(spec: Asked): Goal[] {
  const kinds = kindsOfSpec(spec);
  const goals = kinds.map((kind): Goal => ({
    text: `a ${kind} struck while a lock was held`,
    reached: ({ whileHeld }) => (whileHeld[kind] ?? 0) > 0,
  }));
  if (AIMED.has(spec.assume) && kinds.some((kind) => kind !== 'delay'))
    for (const [event, where] of MOMENTS)
      goals.push({
        text: `a fault struck ${where}`,
        reached: ({ struck }) => Object.keys(struck).some((key) => key.endsWith(` at ${event}`)),
      });
  if (spec.assume === 'failover' && kinds.includes('promote'))
    goals.push({
      text: 'a replica took over without the latest writes',
      reached: ({ unreplicatedFailovers }) => unreplicatedFailovers > 0,
    });
  return goals;
}

function goalsOfProperties({ properties }: Asked): Goal[] {
  return (properties ?? []).map((property) => ({
    text: `${property} could be judged`,
    reached: ({ evaluated }) => evaluated[property] > 0,
  }));
}

/** The goals that a hunt never reached; if there are any, "nothing found" means nothing. */
export function missingGoals(spec: Asked, coverage: HuntCoverage): readonly string[] {
  return goalsOf(spec)
    .filter(({ reached }) => !reached(coverage))
    .map(({ text }) => text);
}
