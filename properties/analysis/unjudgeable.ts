/** Runs that can't show that a property holds: a fault that never struck, or a run that was cut off. */
import type { Fault, PropertyId } from '../../sim/scenario/schema.js';
import type { Analysis } from './model.js';

export interface Excuse {
  readonly reason: string;
  /** Properties of which a violation that the run did show still counts; all else is unknown. */
  readonly stillCount: 'all' | readonly PropertyId[];
}

/** What a lock owes under any schedule. A call that never settles is often why a fault's moment never came. */
const OWED_ALWAYS: readonly PropertyId[] = ['settles', 'quiet'];

/** Why properties of this run are unknown, or null. */
export function unjudgeable(analysis: Analysis): Excuse | null {
  const { end } = analysis;
  if (end === null) return { reason: 'the history has no end', stillCount: 'all' };
  if (end.reason === 'escape') {
    const escape = analysis.troubles.find(({ what }) => what === 'escape');
    const message = escape === undefined ? 'the program tried to leave the simulation' : escape.error.message;
    return { reason: message, stillCount: [] };
  }
  for (const index of end.untriggered) {
    const fault = analysis.scenario.faults[index];
    // A trigger with a chance may miss: the run is then one without the fault.
    if (fault?.on === undefined || fault.on.chance < 1) continue;
    return { reason: neverCame(fault), stillCount: OWED_ALWAYS };
  }
  if (end.reason === 'hot-loop') return { reason: 'the run was cut off in a hot loop', stillCount: 'all' };
  if (end.reason === 'events')
    return { reason: 'the run was cut off at its limit of events', stillCount: 'all' };
  return null;
}

function neverCame(fault: Fault): string {
  const { event, process, server, command, nth } = fault.on!;
  const by = process === undefined ? '' : ` by ${process}`;
  const at = server === undefined ? '' : ` at ${server}`;
  const of = command === undefined ? '' : ` of ${command}`;
  return `event '${event}'${of}${by}${at}, nth ${nth} never came (fault '${fault.do}')`;
}
