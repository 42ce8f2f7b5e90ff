/**
 * Anomalies that nobody would notice: the run comes out as it would without them, so that it need not be run. Only where that is
 * certain: a pause of a host that does nothing meanwhile, a link that is held while nothing is sent on it.
 */
import type { HistoryEvent } from '../../../sim/history/events.js';
import type { Fault } from '../../../sim/scenario/schema.js';
import type { Point } from './points.js';

/** A run as it is without the anomaly. */
export interface Without {
  readonly points: readonly Point[];
  readonly events: readonly HistoryEvent[];
  /** Hosts went down in it: clients greet servers again, which no decision point tells. */
  readonly hasCrashes: boolean;
}

/** @param at index of the point at which the anomaly would strike */
export function isUnnoticed(fault: Fault, at: number, without: Without): boolean {
  if (fault.do === 'pause')
    return sleeps(fault.host!, at, untilUs(fault.forMs as number, at, without), without);
  if (fault.do !== 'hold' || without.hasCrashes) return false;
  const [from, to] = [fault.from as string, fault.to as string];
  const end = untilUs(fault.forMs!, at, without);
  // What another hold keeps back would wait for this one, too.
  if (without.events.some((event) => event.kind === 'link' && event.host === from && event.to === to))
    return false;
  return !without.points.some((point, index) => index > at && point.atUs <= end && travels(point, from, to));
}

function untilUs(forMs: number, at: number, { points }: Without): number {
  return points[at]!.atUs + Math.round(forMs * 1000);
}

/** The host does nothing from the point on that could be seen, until then. */
function sleeps(host: string, at: number, end: number, { points, events }: Without): boolean {
  const point = points[at]!;
  // The step that it begins would be late itself.
  if (point.event === 'delivered' || point.event === 'timer') return false;
  for (let index = at + 1; index < points.length; index++) {
    const later = points[index]!;
    if (later.atUs < end && acts(later, host)) return false;
  }
  for (let index = point.seen; index < events.length; index++) {
    const event = events[index]!;
    if (event.host === host && event.tUs < end) return false;
  }
  return true;
}

/** The point is the host's own doing. */
function acts({ event, process, server }: Point, host: string): boolean {
  return event === 'applied' || event === 'replied' ? server === host : process === host;
}

function travels({ event, process, server }: Point, from: string, to: string): boolean {
  switch (event) {
    case 'sent':
      return process === from && server === to;
    case 'used':
      return process === from && to === 'storage';
    case 'replied':
      return server === from && process === to;
    default:
      return false;
  }
}
