/** How an exploration ended: its exit code, and the same in words. */
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import type { Sort, Tally } from '../../properties/search/explore/tally.js';
import type { Blame } from '../../properties/verdict.js';
import { counted } from '../../reports/terminal/explore.js';
import { EXIT, type ExitCode } from '../exit.js';
import type { Explored } from './conduct.js';

export interface ExploreOutcome {
  readonly exitCode: ExitCode;
  readonly text: string;
}

interface Ended {
  readonly spec: Pick<ExploreSpec, 'property'>;
  readonly explored: Pick<Explored, 'tally' | 'complete'>;
  readonly failOn: readonly Blame[];
  readonly interrupted: boolean;
}

export function outcomeOf({ spec, explored, failOn, interrupted }: Ended): ExploreOutcome {
  const { tally, complete } = explored;
  const counting = countingSorts(tally, failOn);
  const missing = missingGoals(spec, tally);
  const known = interrupted ? EXIT.interrupted : null;
  const part = complete ? '' : ', as far as was looked';
  if (counting.length > 0) {
    const words = counting.map(({ property, blame }) => `${property}/${blame}`).join(', ');
    return { exitCode: known ?? EXIT.violation, text: `violated${part}: ${words}` };
  }
  if (!complete) return { exitCode: known ?? EXIT.unknown, text: unfinishedText(tally, part) };
  if (missing.length > 0) return { exitCode: known ?? EXIT.unknown, text: `unknown: ${missing.join('; ')}` };
  const text = tally.violating === 0 ? 'no schedule violates anything' : othersText(tally, part);
  return { exitCode: known ?? EXIT.asExpected, text };
}

/** Of properties and blames those that count. */
export function countingSorts({ sorts }: Tally, failOn: readonly Blame[]): readonly Sort[] {
  return Object.values(sorts).filter(({ blame }) => failOn.includes(blame));
}

function unfinishedText(tally: Tally, part: string): string {
  return tally.violating === 0 ? 'no violation so far: not complete' : othersText(tally, part);
}

function othersText({ sorts, violating }: Tally, part: string): string {
  const others = counted(Object.keys(sorts).length, 'other', 'others');
  return `no violation with a blame in --fail-on${part}; ${others}, ${counted(violating, 'schedule', 'schedules')}`;
}

/** What must have happened in some schedule, else that nothing was found means nothing. */
function missingGoals({ property }: Ended['spec'], { granted, judged }: Tally): string[] {
  return [
    ...(granted > 0 ? [] : ['it never happened that a lock was granted']),
    ...(judged > 0 ? [] : [`it never happened that ${property ?? 'a property'} could be judged`]),
  ];
}
