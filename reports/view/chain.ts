/** The causal chain: the events that lead to the first bad state of a violation; each but the first needs one above it. */
import type { Violation } from '../../properties/verdict.js';
import type { EventOf, HistoryEvent } from '../../sim/history/events.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { Causes, isOddFromTheStart } from './causes.js';
import { describeGroup, sameKind } from './groups.js';
import { isEnd, type RunView } from './model.js';

export interface Link {
  readonly tUs: number;
  readonly text: string;
  /** One of the events that the verdict names as evidence. */
  readonly evidence: boolean;
  /** A fault, or what the world did: not the doing of a process. */
  readonly strike: boolean;
  /** Indexes of the events told in this line: several of one kind on several servers are told in one. */
  readonly events: readonly number[];
  /** Positions in the chain, counted from 0, of what it needed directly. What is needed through those is left out. */
  readonly needs: readonly number[];
}

export interface ChainOptions {
  /** Lines that may be used. */
  readonly limit?: number;
  /**
   * Indexes of the faults without which the run is not violated so: they belong to the chain although no message tells how.
   * Left out where nobody has tried: then whatever struck in the meantime is told.
   */
  readonly needed?: ReadonlySet<number>;
}

export function causalChain(
  view: RunView,
  property: PropertyId,
  violation: Violation,
  { limit = Infinity, needed }: ChainOptions = {},
): Link[] {
  const { events } = view.history;
  const causes = new Causes(view.history);
  const evidence = new Set(violation.evidence);
  const roots = [
    ...violation.evidence,
    ...standingIn(view, property, violation),
    ...(needed === undefined ? strikesWithin(view, violation) : strikesOf(events, needed)),
  ];
  const reached = closure(causes, roots);
  const shown = [...reached]
    .sort((a, b) => a - b)
    .filter((index) => evidence.has(index) || isTold(view, index));
  return shorten(events, linksOf(view, causes, shown, evidence), limit);
}

/** Everything that the roots needed, and the roots. */
function closure(causes: Causes, roots: readonly number[]): Set<number> {
  const reached = new Set<number>();
  const open = [...roots];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    open.push(...causes.of(index));
  }
  return reached;
}

/** What makes the state bad beside its evidence: keys that stand in an asker's way, keys that a grant speaks of and are gone. */
function standingIn(view: RunView, property: PropertyId, { holds, atUs }: Violation): number[] {
  const aboutKeys =
    property === 'quorum-backed' || property === 'honest-validity' || property === 'loss-signalled';
  if (!aboutKeys && property !== 'progress') return [];
  const resources = new Set(holds.map((hold) => view.holds.get(hold)?.resource));
  const latest = new Map<string, EventOf<'key'>>();
  for (const event of view.history.events)
    if (event.kind === 'key' && event.tUs <= atUs) latest.set(`${event.host} ${event.key}`, event);
  return [...latest.values()].flatMap((event) => {
    const own = event.setter !== null && holds.includes(event.setter);
    const gone = isEnd(event.effect);
    const blocks =
      !own && !gone && event.setter !== null && resources.has(view.holds.get(event.setter)?.resource);
    return (aboutKeys && own && gone) || (property === 'progress' && blocks) ? [event.i] : [];
  });
}

/** Events with which the faults struck. */
function strikesOf(events: readonly HistoryEvent[], faults: ReadonlySet<number>): number[] {
  return events.flatMap((event, index) =>
    event.kind === 'fault' && faults.has(event.fault) ? effectsOf(events, index) : [],
  );
}

/** A fault is followed by what it does at the same instant, which tells it better; one that does nothing visible tells itself. */
function effectsOf(events: readonly HistoryEvent[], index: number): number[] {
  const effects: number[] = [];
  for (let next = index + 1; next < events.length; next++) {
    const event = events[next]!;
    if (event.tUs !== events[index]!.tUs || !isEffect(event)) break;
    effects.push(next);
  }
  return effects.length === 0 ? [index] : effects;
}

function isEffect(event: HistoryEvent): boolean {
  switch (event.kind) {
    case 'pause':
    case 'crash':
    case 'restart':
    case 'promote':
    case 'link':
      return true;
    case 'clock':
      return event.cause !== 'initial';
    default:
      return false;
  }
}

/** Between the first asking of a concerned hold and the last piece of evidence. */
function strikesWithin(view: RunView, { holds, evidence, atUs }: Violation): number[] {
  const { events } = view.history;
  const asked = holds.flatMap((hold) => view.holds.get(hold)?.askedUs ?? []);
  const fromUs = asked.length > 0 ? Math.min(...asked) : 0;
  const untilUs = Math.max(atUs, ...evidence.map((index) => events[index]?.tUs ?? 0));
  return events.flatMap((event, index) =>
    event.tUs >= fromUs && event.tUs <= untilUs && isStrike(event) && !isStepOfNothing(view, event)
      ? event.kind === 'fault'
        ? effectsOf(events, index)
        : [index]
      : [],
  );
}

function isStrike(event: HistoryEvent): boolean {
  return event.kind === 'fault' || event.kind === 'trouble' || isEffect(event);
}

/** A promoted replica whose clock reads the same shows a step of nothing. */
function isStepOfNothing(view: RunView, event: HistoryEvent): boolean {
  if (event.kind !== 'clock' || event.cause !== 'step') return false;
  return view.clocks.get(event.host)?.stepUs(event) === 0;
}

/** Worth a line of its own; what isn't passes its needs on. */
function isTold(view: RunView, index: number): boolean {
  const { events } = view.history;
  const event = events[index]!;
  switch (event.kind) {
    case 'acquire':
      return event.phase === 'ok';
    case 'use':
      return event.phase !== 'invoke';
    case 'release':
      return event.phase === 'invoke';
    case 'fault':
      return effectsOf(events, index)[0] === index;
    case 'clock':
      return event.cause !== 'initial' || isOddFromTheStart(view.history, event.host);
    case 'apply':
    case 'reply':
    case 'message':
    case 'print':
    case 'extend':
    case 'tail':
    case 'end':
      return false;
    default:
      return true;
  }
}

function linksOf(
  view: RunView,
  causes: Causes,
  shown: readonly number[],
  evidence: ReadonlySet<number>,
): Link[] {
  const { events } = view.history;
  const groups: number[][] = [];
  for (const index of shown) {
    const home = groups.findLast((group) => joins(events, causes, group, index));
    if (home !== undefined && (home === groups.at(-1) || events[home[0]!]!.tUs === events[index]!.tUs))
      home.push(index);
    else groups.push([index]);
  }
  const positions = new Map(
    groups.flatMap((group, position) => group.map((index) => [index, position] as const)),
  );
  return groups.reduce<Link[]>((links, group, position) => {
    const told = group.map((index) => events[index]!);
    const needs = new Set(group.flatMap((index) => toldCauses(causes, index, positions)));
    needs.delete(position);
    links.push({
      tUs: told[0]!.tUs,
      text: describeGroup(view, told),
      evidence: group.some((index) => evidence.has(index)),
      strike: isStrike(told[0]!),
      events: group,
      needs: direct(
        [...needs].filter((need) => need < position),
        links,
      ),
    });
    return links;
  }, []);
}

/** Told in the same line: of one kind, and nothing that it needed comes after the first of them. */
function joins(
  events: readonly HistoryEvent[],
  causes: Causes,
  group: readonly number[],
  index: number,
): boolean {
  const after = (cause: number): boolean => cause > group[0]! && !group.includes(cause);
  const follows = sameKind(events[group.at(-1)!]!, events[index]!);
  return follows && (index - group.at(-1)! === 1 || !causes.of(index).some(after));
}

/** Positions of the nearest causes that have a line. */
function toldCauses(causes: Causes, index: number, positions: ReadonlyMap<number, number>): number[] {
  const found = new Set<number>();
  const seen = new Set<number>();
  const open = [...causes.of(index)];
  for (let cause = open.pop(); cause !== undefined; cause = open.pop()) {
    if (seen.has(cause)) continue;
    seen.add(cause);
    const position = positions.get(cause);
    if (position === undefined) open.push(...causes.of(cause));
    else found.add(position);
  }
  return [...found];
}

/** Needs without those that are needed by another of them. */
function direct(needs: readonly number[], links: readonly Pick<Link, 'needs'>[]): number[] {
  const through = new Set<number>();
  for (const need of needs) {
    const open = [...(links[need]?.needs ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (through.has(next)) continue;
      through.add(next);
      open.push(...(links[next]?.needs ?? []));
    }
  }
  return needs.filter((need) => !through.has(need)).sort((a, b) => a - b);
}

/**
 * Too long a chain keeps its evidence first, with the grants that it needed and what struck one of its events, then other strikes, how keys
 * ended, and what those needed directly; that a key was set goes first, for a grant says as much.
 */
function shorten(events: readonly HistoryEvent[], links: readonly Link[], limit: number): Link[] {
  if (links.length <= limit) return [...links];
  const weighty = new Set(
    links.flatMap((link, position) => (link.evidence || link.strike ? [position, ...link.needs] : [])),
  );
  const needed = new Set(links.flatMap(({ needs }) => needs));
  const shown = new Set(links.flatMap(({ evidence, needs }) => (evidence ? needs : [])));
  const rank = (position: number): number => {
    const { evidence, strike, events: told } = links[position]!;
    if (evidence) return 0;
    if (strike) return needed.has(position) ? 1 : 2;
    const event = events[told[0]!]!;
    if (event.kind === 'acquire' && shown.has(position)) return 1;
    if (event.kind === 'key') return event.effect === 'set' ? 6 : 3;
    return weighty.has(position) ? 4 : 5;
  };
  const kept = links
    .map((_, position) => position)
    .sort((a, b) => rank(a) - rank(b) || a - b)
    .slice(0, Math.max(0, limit))
    .sort((a, b) => a - b);
  const places = new Map(kept.map((position, place) => [position, place]));
  const nearest = (position: number): number[] => {
    const place = places.get(position);
    return place === undefined ? links[position]!.needs.flatMap(nearest) : [place];
  };
  const rewired: Link[] = [];
  for (const position of kept) {
    const link = links[position]!;
    rewired.push({ ...link, needs: direct([...new Set(link.needs.flatMap(nearest))], rewired) });
  }
  return rewired;
}
