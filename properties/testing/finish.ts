/** From the drafts of a history by hand to its events: order, indexes, clock readings, deadlines and owners of keys. */
import type { HistoryEvent } from '../../sim/history/events.js';
import { readClock, type ClockSegment } from '../analysis/clocks.js';

/** An event in the making. A clock may carry `byUs` or `driftPpm` instead of readings, a key `ttlMs` instead of a deadline. */
export type Draft = Record<string, unknown> & { tUs: number; host: string; kind: string };

/** Sorts by time (ties: as given) and fills in what follows from the events before. Leaves the drafts as they are. */
export function finish(given: readonly Draft[]): HistoryEvent[] {
  const drafts = given.map((draft) => ({ ...draft }));
  drafts.sort((a, b) => a.tUs - b.tUs);
  const clocks = new Map<string, ClockSegment[]>();
  const owners = new Map<string, string | null>();
  drafts.forEach((draft, i) => {
    draft.i = i;
    if (draft.kind === 'clock') finishClock(draft, clocks);
    else if (draft.kind === 'key') finishKey(draft, clocks, owners);
  });
  return drafts as unknown as HistoryEvent[];
}

/** Turns a step or a new rate into readings. */
function finishClock(draft: Draft, clocks: Map<string, ClockSegment[]>): void {
  const segments = clocks.get(draft.host) ?? [];
  clocks.set(draft.host, segments);
  if (draft.cause !== 'initial') {
    const last = segments[segments.length - 1]!;
    draft.wallUs = readClock(segments, 'wall', draft.tUs) + ((draft.byUs as number | undefined) ?? 0);
    draft.monoUs = readClock(segments, 'monotonic', draft.tUs);
    draft.wallPpm = draft.driftPpm ?? last.wallPpm;
    draft.monoPpm = draft.driftPpm ?? last.monoPpm;
    delete draft.byUs;
    delete draft.driftPpm;
  }
  segments.push(draft as unknown as ClockSegment);
}

/** Fills in the absolute deadline, the key's owner and, for a `set`, whose live key it replaced. */
function finishKey(
  draft: Draft,
  clocks: Map<string, ClockSegment[]>,
  owners: Map<string, string | null>,
): void {
  const id = `${draft.host} ${draft.key as string}`;
  const owner = owners.get(id) ?? null;
  const { ttlMs } = draft;
  delete draft.ttlMs;
  const wallMs = Math.floor(readClock(clocks.get(draft.host)!, 'wall', draft.tUs) / 1000);
  draft.deadlineMs = typeof ttlMs === 'number' ? wallMs + ttlMs : null;
  draft.setter = draft.effect === 'set' ? draft.hold : owner;
  if (draft.effect === 'set') {
    draft.previous = owner;
    owners.set(id, draft.hold as string);
  } else if (draft.effect === 'deleted' || draft.effect === 'expired' || draft.effect === 'lost')
    owners.delete(id);
}
