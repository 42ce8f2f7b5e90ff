/** The part of a report that explains: what led to the violation, which faults it needs, and what would change it. */
import type { Violation } from '../../properties/verdict.js';
import type { Why } from '../../properties/search/why/why.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { causalChain } from '../view/chain.js';
import { count, showMs } from '../view/describe.js';
import type { RunView } from '../view/model.js';
import type { Change } from '../view/remedy.js';
import { cut, hanging, padEnd, type Paint } from './text.js';

export interface ChainLayout {
  /** Lines that may be used, the heading and the empty line before it included. */
  readonly limit: number;
  readonly why: Why | undefined;
  readonly paint: Paint;
  readonly width: number;
}

/** Each event with its number and, behind the arrow, the numbers of those that it needed. */
export function chainLines(
  view: RunView,
  property: PropertyId,
  violation: Violation,
  { limit, why, paint, width }: ChainLayout,
): string[] {
  const needed = why?.property === property ? neededFaults(why) : undefined;
  const links = causalChain(view, property, violation, {
    limit: limit - 2,
    ...(needed === undefined ? {} : { needed }),
  });
  const column = Math.max(...links.map(({ tUs }) => showMs(tUs).length), 1);
  const digits = String(links.length).length;
  const lines = links.map(({ tUs, text, evidence, strike, needs }, index) => {
    const again = links[index - 1]?.tUs === tUs;
    const time = again ? ' '.repeat(column + 3) : `${showMs(tUs).padStart(column)} ms`;
    const sign = evidence ? paint('red', '●') : strike ? paint('yellow', '▼') : ' ';
    const arrow = needs.length === 0 ? '' : ` ← ${needs.map((need) => need + 1).join(', ')}`;
    const number = paint('dim', String(index + 1).padStart(digits));
    const room = width - column - digits - 11 - arrow.length;
    return `  ${number}  ${time}  ${sign} ${cut(text, room)}${paint('dim', arrow)}`;
  });
  const legend = paint('dim', ' (● evidence, ▼ strikes, ← what it needed)');
  return ['', `${paint('bold', `What led to ${property}`)}${legend}`, ...lines];
}

/** Indexes of the faults that the violation needs. */
export function neededFaults({ faults }: Why): ReadonlySet<number> {
  return new Set(faults.needed.flatMap(({ fault }) => (fault === null ? [] : [fault])));
}

/** Changes that are shown beside a run; `--why` shows all. */
const MOST_CHANGES = 4;

/** Each change beside what it leads to; a fault taken away is told in words, the rest as it is typed. */
export function changeLines(
  changes: readonly Change[],
  why: Why | undefined,
  paint: Paint,
  width: number,
): string[] {
  const rows = changes
    .slice(0, MOST_CHANGES)
    .map(({ what, flags, cures, leaves }): [string, string] => [
      what.startsWith('without') || flags === '' ? what : flags,
      leaves.length === 0
        ? 'nothing is violated'
        : `${cures.join(', ')} ${cures.length === 1 ? 'holds' : 'hold'}, ${leaves.join(', ')} violated`,
    ]);
  const column = Math.min(48, Math.max(0, ...rows.map(([change]) => change.length)));
  const lines = rows.map(([change, effect]) => {
    const good = effect.startsWith('nothing');
    const text = cut(`  ${good ? '✓' : '~'} ${padEnd(cut(change, column), column)}  ${effect}`, width);
    return good ? text.replace('✓', paint('green', '✓')) : text.replace('~', paint('yellow', '~'));
  });
  const rest = why === undefined ? null : restOf(changes.length - rows.length, why);
  return rest === null ? lines : [...lines, paint('dim', cut(`  ${rest}`, width))];
}

/** What is not shown: further changes that help, those that don't, those that can't be made. */
function restOf(more: number, { counterfactuals }: Why): string | null {
  const useless = counterfactuals.filter(({ effect }) => effect === 'no help').length;
  const impossible = counterfactuals.filter(({ effect }) => effect === 'not applicable').length;
  const parts = [
    ...(more > 0 ? [`${more} more ${more === 1 ? 'helps' : 'help'}`] : []),
    ...(useless > 0 ? [`${useless} more ${useless === 1 ? 'does' : 'do'} not help`] : []),
    ...(impossible > 0 ? [`${impossible} can't be made here`] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}: --why shows all`;
}

/** Which faults a violation needs, in one sentence. */
export function faultsText({ faults: { needed, spare } }: Why): string {
  if (needed.length + spare.length === 0) return 'none: it needs no fault';
  const names = (all: readonly { readonly what: string }[]): string => joined(all.map(({ what }) => what));
  if (needed.length === 0)
    return `none is needed: left out together, ${names(spare)} ${spare.length === 1 ? 'changes' : 'change'} nothing`;
  const all = needed.length === 1 ? `needed: ${names(needed)}` : `each of them needed: ${names(needed)}`;
  return spare.length === 0 ? all : `${all}; not needed: ${names(spare)}`;
}

/** Alike ones are told together: `crash of redis-1, redis-2`. */
function joined(words: readonly string[]): string {
  const groups = new Map<string, { start: string; hosts: string[]; end: string }>();
  for (const word of words) {
    const [, start = word, host, end = ''] = /^(\S+ of) (\S+)( \(.*\))?$/.exec(word) ?? [];
    const group = groups.get(`${start}${end}`) ?? { start, hosts: [], end };
    groups.set(`${start}${end}`, group);
    if (host !== undefined) group.hosts.push(host);
  }
  return [...groups.values()]
    .map(({ start, hosts, end }) => [start, [...new Set(hosts)].join(' and ')].join(' ').trim() + end)
    .join(', ');
}

/** Everything that `--why` adds: the whole chain, each fault left out, and every change that was tried or could not be. */
export function whyReport(
  view: RunView,
  violation: Violation,
  why: Why,
  paint: Paint,
  width: number,
): string {
  const { property, blame, faults, counterfactuals } = why;
  const heading = (text: string): string => paint('bold', text);
  const chain = chainLines(view, property, violation, { limit: Infinity, why, paint, width }).slice(1);
  const needed = faults.needed.map(
    ({ what, without }) => `  needed      ${what}: without it ${property} is ${without}`,
  );
  const spare = faults.spare.map(({ what }) => `  not needed  ${what}`);
  const lines = needed.length + spare.length === 0 ? ['  none: it needs no fault'] : [...needed, ...spare];
  return [
    ...chain,
    '',
    `${heading('Faults')} (of ${property}, blame ${blame}; ${count(faults.runs, 'run')})`,
    ...lines.map((line) => cut(line, width)),
    '',
    `${heading('Single changes')} (same seed; ✓ nothing is violated, ~ some of it, ✗ no help, - can't be made here)`,
    ...counterfactuals.flatMap((change) => counterfactualLines(change, paint, width)),
  ].join('\n');
}

const SIGNS = { cures: '✓', helps: '~', 'no help': '✗', 'not applicable': '-' } as const;
const WHAT = 50;

function counterfactualLines(
  { what, effect, reason, cures, leaves }: Why['counterfactuals'][number],
  paint: Paint,
  width: number,
): string[] {
  const sign = SIGNS[effect];
  const style = effect === 'cures' ? 'green' : effect === 'helps' ? 'yellow' : 'dim';
  const lead = `  ${paint(style, sign)} ${padEnd(cut(what, WHAT), WHAT)}  `;
  return hanging(lead, effectText(effect, reason, cures, leaves), width, WHAT + 6);
}

function effectText(
  effect: keyof typeof SIGNS,
  reason: string | null,
  cures: readonly PropertyId[],
  leaves: readonly PropertyId[],
): string {
  switch (effect) {
    case 'cures':
      return 'nothing is violated';
    case 'helps':
      return `${cures.join(', ')} ${cures.length === 1 ? 'holds' : 'hold'}; violated: ${leaves.join(', ')}`;
    case 'no help':
      return reason ?? `violated: ${leaves.join(', ')}`;
    case 'not applicable':
      return reason ?? '';
  }
}
