/** The causal chain: the events that lead to the first bad state of a violation, in order. */
import type { Violated } from '../../properties/verdict.js';
import type { EventOf, HistoryEvent } from '../../sim/history/events.js';
import { describeEvent } from './describe.js';
import { holdName, isEnd, type RunView } from './model.js';

export interface Link {
  readonly tUs: number;
  readonly text: string;
  /** One of the events that the verdict names as evidence. */
  readonly evidence: boolean;
  /** A fault, or what the world did: not the doing of a process. */
  readonly strike: boolean;
}

/**
 * Evidence of the verdict, and between the first asking of a concerned hold and the last piece of evidence: what struck,
 * the grants of the concerned holds, how their keys ended, and how they let go.
 */
export function causalChain(view: RunView, violation: Violated, limit: number): Link[] {
  const evidence = new Set(violation.evidence);
  const events = view.history.events;
  // Who touched another's key is named by the evidence only.
  const concerned = new Set([...violation.holds, ...violation.evidence.flatMap((i) => holdOf(events[i]))]);
  const fromUs = firstUs(view, violation);
  const untilUs = Math.max(violation.atUs, ...violation.evidence.map((i) => events[i]?.tUs ?? 0));
  const agreed = new Set<string>();
  const chosen = events.filter((event) => {
    if (evidence.has(event.i)) return true;
    if (event.tUs < fromUs || event.tUs > untilUs) return false;
    if (event.kind === 'sentinel') return isTurn(event, agreed);
    return (isStrike(event) && !isStepOfNothing(view, event)) || belongs(event, concerned);
  });
  return shorten(merge(view, withoutAnnounced(chosen, evidence), evidence), limit);
}

function holdOf(event: HistoryEvent | undefined): string[] {
  return event !== undefined && 'hold' in event && typeof event.hold === 'string' ? [event.hold] : [];
}

function firstUs(view: RunView, { holds }: Violated): number {
  const asked = holds.flatMap((hold) => view.holds.get(hold)?.askedUs ?? []);
  return asked.length > 0 ? Math.min(...asked) : 0;
}

/** What the Sentinels agree on, when the first of them says so: the master is down, another is in its place. */
function isTurn({ what, server }: EventOf<'sentinel'>, agreed: Set<string>): boolean {
  const turn = `${what} ${server}`;
  if ((what !== '+odown' && what !== '+switch-master') || agreed.has(turn)) return false;
  agreed.add(turn);
  return true;
}

function isStrike(event: HistoryEvent): boolean {
  switch (event.kind) {
    case 'fault':
    case 'pause':
    case 'crash':
    case 'restart':
    case 'promote':
    case 'link':
    case 'trouble':
      return true;
    case 'clock':
      return event.cause !== 'initial';
    default:
      return false;
  }
}

/** A promoted replica whose clock reads the same shows a step of nothing. */
function isStepOfNothing(view: RunView, event: HistoryEvent): boolean {
  if (event.kind !== 'clock' || event.cause !== 'step') return false;
  return view.clocks.get(event.host)?.stepUs(event) === 0;
}

function belongs(event: HistoryEvent, concerned: ReadonlySet<string>): boolean {
  switch (event.kind) {
    case 'acquire':
      return event.phase === 'ok' && concerned.has(event.hold);
    case 'lost':
      return concerned.has(event.hold);
    case 'release':
      return event.phase === 'invoke' && concerned.has(event.hold);
    case 'key':
      return (
        event.setter !== null &&
        concerned.has(event.setter) &&
        (isEnd(event.effect) || event.effect === 'restored')
      );
    default:
      return false;
  }
}

/** A fault and what it does come as two events at the same instant; the second says it all. */
function withoutAnnounced(events: readonly HistoryEvent[], evidence: ReadonlySet<number>): HistoryEvent[] {
  return events.filter((event, index) => {
    if (event.kind !== 'fault' || evidence.has(event.i)) return true;
    const next = events.slice(index + 1).find(({ kind }) => kind !== 'fault');
    return !(next !== undefined && isStrike(next) && next.tUs === event.tUs);
  });
}

/** Consecutive ends of the same hold's keys on several servers become one line. */
function merge(view: RunView, events: readonly HistoryEvent[], evidence: ReadonlySet<number>): Link[] {
  const links: Link[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index]!;
    let end = index + 1;
    while (end < events.length && sameKind(event, events[end]!)) end++;
    const group = events.slice(index, end);
    links.push({
      tUs: event.tUs,
      text: group.length === 1 ? describeEvent(view, event) : describeGroup(view, group),
      evidence: group.some(({ i }) => evidence.has(i)),
      strike: isStrike(event),
    });
    index = end - 1;
  }
  return links;
}

function sameKind(a: HistoryEvent, b: HistoryEvent): boolean {
  if (a.kind === 'key' && b.kind === 'key')
    return (
      a.effect === b.effect &&
      a.setter === b.setter &&
      a.key === b.key &&
      a.hold === b.hold &&
      a.effect !== 'set'
    );
  if (a.kind === 'fault' && b.kind === 'fault')
    return a.tUs === b.tUs && a.do === b.do && a.detail === b.detail;
  return a.kind === 'link' && b.kind === 'link' && a.tUs === b.tUs && a.state === b.state;
}

function describeGroup(view: RunView, group: readonly HistoryEvent[]): string {
  const first = group[0]!;
  const last = group.at(-1)!;
  if (first.kind === 'fault') return `${describeEvent(view, first)} (${group.length} times)`;
  if (first.kind !== 'key') return `${describeEvent(view, first)} (and ${group.length - 1} more)`;
  const servers = [...new Set(group.map(({ host }) => host.replace('redis-', '')))].join(', ');
  const span = last.tUs === first.tUs ? '' : `, the last at ${Number((last.tUs / 1000).toFixed(3))} ms`;
  const verb =
    { expired: 'expire', lost: 'are lost', deleted: 'are deleted', restored: 'are back' }[
      first.effect as 'expired'
    ] ?? 'change';
  const by =
    first.effect === 'deleted' && first.hold !== undefined ? ` by ${holdName(view, first.hold)}` : '';
  return `the keys ${first.key} of ${holdName(view, first.setter)} ${verb} on redis-${servers}${by}${span}`;
}

/** Too long a chain keeps its evidence and its strikes first, then its beginning. */
function shorten(links: readonly Link[], limit: number): Link[] {
  if (links.length <= limit) return [...links];
  const ranked = links.map((link, order) => ({ link, order, rank: link.evidence ? 0 : link.strike ? 1 : 2 }));
  const kept = ranked.sort((a, b) => a.rank - b.rank || a.order - b.order).slice(0, limit);
  return kept.sort((a, b) => a.order - b.order).map(({ link }) => link);
}
