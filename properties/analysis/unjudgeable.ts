/** Runs that can't show that a property holds: a fault that never struck, or a run that was cut off. */
import type { Fault } from '../../sim/scenario/schema.js';
import type { Analysis } from './model.js';

export interface Excuse {
  readonly reason: string;
  /** What the run did show still counts as violated; what it did not show is unknown. */
  readonly violationsCount: boolean;
}

/** Why properties of this run are unknown, or null. */
export function unjudgeable(analysis: Analysis): Excuse | null {
  const { end } = analysis;
  if (end === null) return { reason: 'the history has no end', violationsCount: true };
  if (end.reason === 'escape') {
    const escape = analysis.troubles.find(({ what }) => what === 'escape');
    const message = escape === undefined ? 'the program tried to leave the simulation' : escape.error.message;
    return { reason: message, violationsCount: false };
  }
  for (const index of end.untriggered) {
    const fault = analysis.scenario.faults[index];
    // A trigger with a chance may miss: the run is then one without the fault.
    if (fault?.on === undefined || fault.on.chance < 1) continue;
    return { reason: neverCame(fault), violationsCount: false };
  }
  if (end.reason === 'hot-loop')
    return { reason: 'the run was cut off in a hot loop', violationsCount: true };
  if (end.reason === 'events')
    return { reason: 'the run was cut off at its limit of events', violationsCount: true };
  return null;
}

function neverCame(fault: Fault): string {
  const { event, process, server, command, nth } = fault.on!;
  const by = process === undefined ? '' : ` by ${process}`;
  const at = server === undefined ? '' : ` at ${server}`;
  const of = command === undefined ? '' : ` of ${command}`;
  return `event '${event}'${of}${by}${at}, nth ${nth} never came (fault '${fault.do}')`;
}
