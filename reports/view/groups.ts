/** Events of one kind that follow one another, on several servers mostly, told in one line. */
import type { HistoryEvent } from '../../sim/history/events.js';
import { describeEvent, showMs } from './describe.js';
import { holdName, type RunView } from './model.js';

export function sameKind(a: HistoryEvent, b: HistoryEvent): boolean {
  if (a.kind === 'key' && b.kind === 'key')
    return (
      a.effect === b.effect &&
      a.setter === b.setter &&
      a.key === b.key &&
      a.hold === b.hold &&
      (a.effect !== 'set' || ((a.previous ?? null) === null && (b.previous ?? null) === null))
    );
  if (a.kind === 'clock' && b.kind === 'clock')
    return a.tUs === b.tUs && a.cause === b.cause && a.wallUs === b.wallUs && a.wallPpm === b.wallPpm;
  if (a.kind === 'fault' && b.kind === 'fault')
    return a.tUs === b.tUs && a.do === b.do && a.detail === b.detail;
  return a.kind === 'link' && b.kind === 'link' && a.tUs === b.tUs && a.state === b.state;
}

const VERBS: Readonly<Record<string, string>> = {
  set: 'are set',
  expired: 'expire',
  lost: 'are lost',
  deleted: 'are deleted',
  restored: 'are back',
  evicted: 'are evicted',
  deadline: 'get another deadline',
};

/** @param group at least one event, all alike by {@link sameKind} */
export function describeGroup(view: RunView, group: readonly HistoryEvent[]): string {
  const first = group[0]!;
  const last = group.at(-1)!;
  if (group.length === 1) return describeEvent(view, first);
  if (first.kind === 'fault') return `${describeEvent(view, first)} (${group.length} times)`;
  if (first.kind === 'clock') {
    const others = group.slice(1).map(({ host }) => host);
    return `${describeEvent(view, first)} (so ${others.length === 1 ? 'is' : 'are'} ${others.join(', ')})`;
  }
  if (first.kind !== 'key') return `${describeEvent(view, first)} (and ${group.length - 1} more)`;
  const servers = [...new Set(group.map(({ host }) => host.replace('redis-', '')))].join(', ');
  const span = last.tUs === first.tUs ? '' : `, the last at ${showMs(last.tUs)} ms`;
  if (!servers.includes(',')) return `${describeEvent(view, first)} (${group.length} times${span})`;
  const by =
    first.effect === 'deleted' && first.hold !== undefined ? ` by ${holdName(view, first.hold)}` : '';
  return `the keys ${first.key} of ${holdName(view, first.setter)} ${VERBS[first.effect] ?? 'change'} on redis-${servers}${by}${span}`;
}
