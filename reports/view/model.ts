/**
 * A history as reports show it: holds with what their holders believed, the keys that stood on the servers, uses,
 * and what struck. It arranges; it judges nothing. Needs no Node.
 */
import type { Claim, EventOf, History, HistoryEvent } from '../../sim/history/events.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import { ClockTrack, type Interval } from './clocks.js';

/** One acquire attempt and what came of it. Times in microseconds of true time; null: it didn't happen. */
export interface HoldView {
  readonly hold: string;
  readonly process: string;
  readonly task: string;
  readonly resource: string;
  readonly askedUs: number;
  grantedUs: number | null;
  failedUs: number | null;
  fence: number | null;
  /** What it claimed, and from when on; null: no end. */
  readonly claims: { readonly fromUs: number; readonly claim: Claim | null }[];
  lostUs: number | null;
  releaseUs: number | null;
  releasedUs: number | null;
  crashedUs: number | null;
  /** When its holder believes to hold the lock. */
  believes: readonly Interval[];
}

export interface KeyLife extends Interval {
  readonly server: string;
  readonly key: string;
  readonly setter: string | null;
  /** Null: it stood at the end of the run. */
  readonly ended: EventOf<'key'> | null;
  /** Some time in its life it had a deadline. */
  readonly hadDeadline: boolean;
}

export interface UseView {
  readonly use: number;
  readonly process: string;
  readonly hold: string;
  readonly resource: string;
  readonly op: 'read' | 'write';
  readonly fence: number | null;
  readonly sentUs: number;
  /** Null: it never reached the storage. */
  readonly arrivedUs: number | null;
  readonly accepted: boolean;
}

export interface HostSpan extends Interval {
  readonly host: string;
}

export interface RunView {
  readonly scenario: Scenario;
  readonly history: History;
  readonly processes: readonly string[];
  readonly servers: readonly string[];
  readonly clocks: ReadonlyMap<string, ClockTrack>;
  readonly holds: ReadonlyMap<string, HoldView>;
  readonly keys: readonly KeyLife[];
  readonly uses: readonly UseView[];
  readonly pauses: readonly HostSpan[];
  /** From a crash to the restart, or to the end. */
  readonly downs: readonly HostSpan[];
  readonly faults: readonly EventOf<'fault'>[];
  readonly endUs: number;
}

export function buildView(history: History): RunView {
  const { scenario } = history.header;
  const endUs = history.events.at(-1)?.tUs ?? 0;
  const clocks = clockTracks(history.events);
  const holds = holdViews(history.events);
  for (const hold of holds.values()) hold.believes = beliefOf(hold, clocks.get(hold.process), endUs);
  return {
    scenario,
    history,
    processes: [...clocks.keys()].filter((host) => /^p\d+$/.test(host)).sort(byNumber),
    servers: [...clocks.keys()].filter((host) => host.startsWith('redis-')).sort(byNumber),
    clocks,
    holds,
    keys: keyLives(history.events, endUs),
    uses: useViews(history.events),
    pauses: history.events
      .filter((event) => event.kind === 'pause')
      .map(({ host, tUs, untilUs }) => ({ host, fromUs: tUs, untilUs })),
    downs: downSpans(history.events, endUs),
    faults: history.events.filter((event) => event.kind === 'fault'),
    endUs,
  };
}

/** `redis-2` before `redis-10`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function clockTracks(events: readonly HistoryEvent[]): Map<string, ClockTrack> {
  const byHost = new Map<string, EventOf<'clock'>[]>();
  for (const event of events) {
    if (event.kind !== 'clock') continue;
    const list = byHost.get(event.host);
    if (list === undefined) byHost.set(event.host, [event]);
    else list.push(event);
  }
  return new Map([...byHost].map(([host, changes]) => [host, new ClockTrack(changes)]));
}

function holdViews(events: readonly HistoryEvent[]): Map<string, HoldView> {
  const holds = new Map<string, HoldView>();
  for (const event of events) {
    if (event.kind === 'acquire' && event.phase === 'invoke') holds.set(event.hold, newHold(event));
    else if (event.kind === 'crash') crashHolds(holds, event);
    else if ('hold' in event && event.hold !== null && event.hold !== undefined) {
      const hold = holds.get(event.hold);
      if (hold !== undefined) note(hold, event);
    }
  }
  return holds;
}

function newHold({ hold, host, task, resource, tUs }: EventOf<'acquire', 'invoke'>): HoldView {
  return {
    hold,
    process: host,
    task,
    resource,
    askedUs: tUs,
    grantedUs: null,
    failedUs: null,
    fence: null,
    claims: [],
    lostUs: null,
    releaseUs: null,
    releasedUs: null,
    crashedUs: null,
    believes: [],
  };
}

function crashHolds(holds: ReadonlyMap<string, HoldView>, { host, tUs }: EventOf<'crash'>): void {
  for (const hold of holds.values()) if (hold.process === host) hold.crashedUs ??= tUs;
}

function note(hold: HoldView, event: HistoryEvent): void {
  if (event.kind === 'acquire' && event.phase === 'ok') {
    hold.grantedUs = event.tUs;
    hold.fence = event.fence;
    hold.claims.push({ fromUs: event.tUs, claim: event.claim });
  } else if (event.kind === 'acquire' && event.phase === 'fail') hold.failedUs = event.tUs;
  else if (event.kind === 'extend' && (event.phase === 'ok' || event.phase === 'info'))
    hold.claims.push({ fromUs: event.tUs, claim: event.claim });
  else if (event.kind === 'lost') hold.lostUs ??= event.tUs;
  else if (event.kind === 'release' && event.phase === 'invoke') hold.releaseUs ??= event.tUs;
  else if (event.kind === 'release') hold.releasedUs ??= event.tUs;
}

/** From the grant until release, signal or crash, as long as the clock the lock named reads below the claimed end. */
function beliefOf(hold: HoldView, clock: ClockTrack | undefined, endUs: number): Interval[] {
  if (hold.grantedUs === null) return [];
  const stopUs = Math.min(
    hold.releaseUs ?? Infinity,
    hold.lostUs ?? Infinity,
    hold.crashedUs ?? Infinity,
    endUs,
  );
  return hold.claims.flatMap(({ fromUs, claim }, index) => {
    const untilUs = Math.min(hold.claims[index + 1]?.fromUs ?? Infinity, stopUs);
    if (untilUs <= fromUs) return [];
    if (claim === null || clock === undefined) return [{ fromUs, untilUs }];
    return clock.below(claim.clock, claim.endMs, fromUs, untilUs);
  });
}

interface OpenKey {
  fromUs: number;
  setter: string | null;
  hadDeadline: boolean;
}

/** The key is gone. */
export function isEnd(effect: EventOf<'key'>['effect']): boolean {
  return effect === 'deleted' || effect === 'expired' || effect === 'evicted' || effect === 'lost';
}

function keyLives(events: readonly HistoryEvent[], endUs: number): KeyLife[] {
  const open = new Map<string, OpenKey>();
  const lives: KeyLife[] = [];
  const close = (server: string, key: string, untilUs: number, ended: EventOf<'key'> | null): void => {
    const life = open.get(`${server} ${key}`);
    open.delete(`${server} ${key}`);
    if (life !== undefined) lives.push({ server, key, untilUs, ended, ...life });
  };
  for (const event of events) {
    if (event.kind !== 'key') continue;
    const { host, key, tUs, setter, deadlineMs } = event;
    const id = `${host} ${key}`;
    const gone = isEnd(event.effect);
    const current = open.get(id);
    if (gone || (current !== undefined && current.setter !== setter)) close(host, key, tUs, event);
    if (gone) continue;
    const life = open.get(id);
    if (life === undefined) open.set(id, { fromUs: tUs, setter, hadDeadline: deadlineMs !== null });
    else life.hadDeadline ||= deadlineMs !== null;
  }
  for (const id of [...open.keys()]) {
    const space = id.indexOf(' ');
    close(id.slice(0, space), id.slice(space + 1), endUs, null);
  }
  return lives.sort((a, b) => a.fromUs - b.fromUs);
}

function useViews(events: readonly HistoryEvent[]): UseView[] {
  const uses = new Map<number, UseView>();
  for (const event of events) {
    if (event.kind !== 'use') continue;
    const { use, hold, resource, op, fence, tUs } = event;
    if (event.phase === 'invoke')
      uses.set(use, {
        use,
        process: event.host,
        hold,
        resource,
        op,
        fence,
        sentUs: tUs,
        arrivedUs: null,
        accepted: false,
      });
    else
      uses.set(use, {
        use,
        process: event.by,
        hold,
        resource,
        op,
        fence,
        sentUs: event.sentUs,
        arrivedUs: tUs,
        accepted: event.phase === 'ok',
      });
  }
  return [...uses.values()];
}

function downSpans(events: readonly HistoryEvent[], endUs: number): HostSpan[] {
  const spans: HostSpan[] = [];
  const downSince = new Map<string, number>();
  for (const event of events) {
    if (event.kind === 'crash') downSince.set(event.host, event.tUs);
    if (event.kind !== 'restart') continue;
    const fromUs = downSince.get(event.host);
    if (fromUs !== undefined) spans.push({ host: event.host, fromUs, untilUs: event.tUs });
    downSince.delete(event.host);
  }
  for (const [host, fromUs] of downSince) spans.push({ host, fromUs, untilUs: endUs });
  return spans;
}

/** A hold as people call it: by its process alone where that process had only one. */
export function holdName(view: RunView, hold: string | null | undefined): string {
  if (hold === null || hold === undefined) return 'nobody';
  const process = hold.slice(0, hold.indexOf('/'));
  let ofProcess = 0;
  for (const other of view.holds.values()) if (other.process === process) ofProcess++;
  return ofProcess === 1 ? process : hold;
}
