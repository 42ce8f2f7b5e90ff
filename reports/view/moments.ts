/** Triggers of faults, found again among the events of a history. */
import type { HistoryEvent } from '../../sim/history/events.js';
import type { Trigger } from '../../sim/scenario/schema.js';

/** Whether an event is of the kind that a trigger waits for; which of several it was is told by the instant. */
export function matches(event: HistoryEvent, { event: what, process, server }: Trigger): boolean {
  const by = 'by' in event ? event.by : event.host;
  if (process !== undefined && by !== process) return false;
  const at = (host: string): boolean => server === undefined || host === server;
  switch (what) {
    case 'asked':
      return event.kind === 'acquire' && event.phase === 'invoke';
    case 'granted':
      return event.kind === 'acquire' && event.phase === 'ok';
    case 'checked':
      return event.kind === 'check';
    case 'used':
      return event.kind === 'use' && event.phase === 'invoke';
    case 'applied':
      return event.kind === 'apply' && at(event.host);
    case 'voted':
      return event.kind === 'key' && event.effect === 'set' && at(event.host);
    case 'replied':
      return event.kind === 'reply' && at(event.server);
    case 'releasing':
      return event.kind === 'release' && event.phase === 'invoke';
    case 'released':
      return event.kind === 'release' && event.phase === 'ok';
    case 'refreshing':
      return event.kind === 'extend';
    case 'lost':
      return event.kind === 'lost';
    default:
      return false;
  }
}
