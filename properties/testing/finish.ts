/** From the drafts of a history by hand to its events: order, indexes, clock readings, deadlines and owners of keys. */
import type { HistoryEvent } from '../../sim/history/events.js';
import { readClock, type ClockSegment } from '../analysis/clocks.js';
import { shardName } from '../analysis/shards.js';

/** An event in the making. A clock may carry `byUs` or `driftPpm` instead of readings, a key `ttlMs` instead of a deadline. */
export type Draft = Record<string, unknown> & { tUs: number; host: string; kind: string };

/** Sorts by time (ties: as given) and fills in what follows from the events before. Leaves the drafts as they are. */
export function finish(given: readonly Draft[]): HistoryEvent[] {
  const drafts = given.map((draft) => ({ ...draft }));
  drafts.sort((a, b) => a.tUs - b.tUs);
  const clocks = new Map<string, ClockSegment[]>();
  const owners: Owners = new Map();
  const masters = new Map<string, string>();
  drafts.forEach((draft, i) => {
    draft.i = i;
    if (draft.kind === 'clock') finishClock(draft, clocks);
    else if (draft.kind === 'key') finishKey(draft, clocks, owners);
    else if (draft.kind === 'promote') moveKeys(draft, owners, masters);
  });
  return drafts as unknown as HistoryEvent[];
}

/** Owner of each key, by node. */
type Owners = Map<string, Map<string, string | null>>;

/** A new master has what the old one had; the key events that follow take back what it has not. */
function moveKeys(draft: Draft, owners: Owners, masters: Map<string, string>): void {
  const shard = shardName(draft.host);
  const before = masters.get(shard) ?? shard;
  const now = draft.replica as string;
  masters.set(shard, now);
  owners.set(now, new Map(owners.get(before)));
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
function finishKey(draft: Draft, clocks: Map<string, ClockSegment[]>, owners: Owners): void {
  const key = draft.key as string;
  const ofNode = owners.get(draft.host) ?? new Map<string, string | null>();
  owners.set(draft.host, ofNode);
  const owner = ofNode.get(key) ?? null;
  const { ttlMs } = draft;
  delete draft.ttlMs;
  const wallMs = Math.floor(readClock(clocks.get(draft.host)!, 'wall', draft.tUs) / 1000);
  draft.deadlineMs = typeof ttlMs === 'number' ? wallMs + ttlMs : null;
  draft.setter = draft.effect === 'set' ? draft.hold : (draft.setter ?? owner);
  if (draft.effect === 'set') {
    draft.previous = owner;
    ofNode.set(key, draft.hold as string);
  } else if (draft.effect === 'restored') ofNode.set(key, draft.setter as string);
  else if (GONE.has(draft.effect as string)) ofNode.delete(key);
}

const GONE: ReadonlySet<string> = new Set(['deleted', 'expired', 'evicted', 'lost']);
