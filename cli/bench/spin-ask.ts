/** Asking one question: the search by ever more anomalies, until the first violation, which is run once more from a fresh start. */
import { judge } from '../../properties/judge.js';
import { Exploration } from '../../properties/search/explore/explore.js';
import type { Breach } from '../../properties/search/explore/tally.js';
import type { HistoryEvent } from '../../sim/history/events.js';
import type { LoadedLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import type { SpinQuestion } from './spin-questions.js';

/** Schedules between two looks at what was found. */
const FEW = 8;

export interface SpinAnswer {
  /** Until the first violation was confirmed from a fresh start. */
  readonly ms: number;
  readonly schedules: number;
  readonly steps: number;
  readonly faults: Breach['faults'];
  readonly reason: string;
}

/** A command applied, an acquire returned, a release invoked, a use, or a fault. */
function isStep(event: HistoryEvent): boolean {
  switch (event.kind) {
    case 'apply':
    case 'fault':
      return true;
    case 'use':
      return event.phase !== 'invoke';
    case 'acquire':
      return event.phase === 'ok' || event.phase === 'fail';
    case 'release':
      return event.phase === 'invoke';
    default:
      return false;
  }
}

export async function ask(
  { lock: name, kinds, property, scenario: input }: SpinQuestion,
  lock: LoadedLock,
): Promise<SpinAnswer> {
  const scenario = { ...input, lock: { ...input.lock, name } };
  for (let anomalies = 1; ; anomalies++) {
    const search = new Exploration(
      { lock: name, scenario, anomalies, kinds, property, everyPoint: false, reuse: true },
      lock,
    );
    const plan = await search.plan();
    let { schedules, smallest } = plan.tally;
    const part = anomalies === 1 ? FEW : 1;
    for (let from = 0; from < plan.parts && smallest === null; from += part) {
      const to = Math.min(from + part, plan.parts);
      const tally = await search[anomalies === 1 ? 'singles' : 'rest'](from, to);
      schedules += tally.schedules;
      smallest = tally.smallest;
    }
    if (smallest === null) continue;
    const { events, header } = await simulate(search.scenarioOf(smallest.faults), lock);
    const verdict = judge({ header, events }).verdicts[property];
    if (verdict.verdict !== 'violated') throw new Error('the violation did not show again');
    const ms = performance.now();
    // Up to the last event that the violation needs.
    const last = Math.max(...verdict.evidence);
    const steps = events.filter((event) => event.i <= last && isStep(event)).length;
    return { ms, schedules, steps, faults: smallest.faults, reason: verdict.reason };
  }
}
