/** What an exploration came to, for people. */
import type { Blame } from '../../properties/verdict.js';
import type { Fault, PropertyId, Scenario } from '../../sim/scenario/schema.js';
import { cut, hanging, type Paint } from './text.js';

/** One property and blame. */
export interface ExploreRow {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly schedules: number;
  /** Of the earliest of the smallest schedules. */
  readonly faults: readonly Fault[];
  /** The command that shows this schedule again, where it has a file of its own. */
  readonly replay: string | null;
}

export interface ExploreView {
  readonly scenario: Scenario;
  readonly title?: string;
  readonly anomalies: number;
  /** In words: which, and for how long. */
  readonly placed: string;
  readonly decisionPoints: number;
  readonly classes: number;
  readonly schedules: number;
  readonly violating: number;
  /** Anomalies of the smallest schedule that violates; null: none does. */
  readonly smallest: number | null;
  readonly rows: readonly ExploreRow[];
  readonly complete: boolean;
  /** Why it is not. */
  readonly unfinished: string;
  readonly seconds: number;
  /** How to go on, or to see the smallest again. */
  readonly commands: readonly (readonly [string, string])[];
  readonly outcome: string;
}

export interface ExploreStyle {
  readonly paint: Paint;
  readonly width: number;
  readonly brief: boolean;
}

export function exploreReport(view: ExploreView, { paint, width, brief }: ExploreStyle): string {
  const lines: string[] = [];
  if (!brief) {
    const { scenario, title } = view;
    lines.push(
      paint('bold', cut(`explore ${scenario.id}${title === undefined ? '' : ` · ${title}`}`, width)),
    );
    lines.push(
      ...hanging('', `lock ${scenario.lock.name}, seed ${scenario.seed}; ${bound(view)}`, width),
      '',
    );
    lines.push(...hanging('', figures(view), width));
    lines.push(...view.rows.flatMap((row) => rowLines(row, paint, width)), '');
    for (const [lead, text] of view.commands) lines.push(`${lead.padEnd(9)}${text}`);
  }
  lines.push(...hanging('Outcome  ', view.outcome, width));
  return lines.join('\n');
}

function bound({ anomalies, placed, decisionPoints, classes }: ExploreView): string {
  const points = `${decisionPoints} decision points${classes === decisionPoints ? '' : `, ${classes} of them not equivalent to others`}`;
  return `at most ${counted(anomalies, 'anomaly', 'anomalies')} (${placed}) at ${points}`;
}

function figures({ schedules, violating, complete, unfinished, seconds, smallest }: ExploreView): string {
  const runs = `${counted(schedules, 'schedule', 'schedules')} in ${seconds.toFixed(1)} s`;
  const found =
    smallest === null
      ? 'none violates'
      : `${violating} ${violating === 1 ? 'violates' : 'violate'}, the smallest with ${smallest === 0 ? 'no anomaly at all' : counted(smallest, 'anomaly', 'anomalies')}`;
  return `${runs}: ${found}; ${complete ? 'complete' : `not complete: ${unfinished}`}`;
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function rowLines(
  { property, blame, schedules, faults, replay }: ExploreRow,
  paint: Paint,
  width: number,
): string[] {
  const lead = `${paint('red', '✗')} ${property}/${blame}`;
  const text = `${counted(schedules, 'schedule', 'schedules')}; ${describeSchedule(faults)}`;
  return [lead, ...hanging('    ', text, width), ...(replay === null ? [] : [`    ${replay}`])];
}

/** Anomalies in words, in the order in which they strike. */
export function describeSchedule(faults: readonly Fault[]): string {
  return faults.length === 0 ? 'without any anomaly' : faults.map(describeAnomaly).join('; then ');
}

/** One anomaly in words: what, how long, when. */
export function describeAnomaly(fault: Fault): string {
  return `${what(fault)} ${when(fault)}`;
}

function what(fault: Fault): string {
  switch (fault.do) {
    case 'pause':
      return `${fault.host} pauses for ${String(fault.forMs)} ms`;
    case 'delay':
      return `${fault.byMs} ms more`;
    case 'hold':
      return `${String(fault.from)} -> ${String(fault.to)} is held for ${fault.forMs} ms`;
    case 'crash':
      return `${fault.host} crashes and is back after ${fault.restartAfterMs} ms`;
    case 'step-clock':
      return `the clock of ${fault.host} steps by ${fault.byMs} ms`;
    case 'promote':
      return `${fault.host} fails over`;
    default:
      return fault.do;
  }
}

function when({ do: kind, on }: Fault): string {
  if (on === undefined) return '';
  const { event, process, server, command, nth } = on;
  const which = `${ordinal(nth)}${command === undefined ? '' : ` ${command}`}`;
  const place = server === undefined ? '' : ` ${server}`;
  switch (event) {
    case 'sent':
      return kind === 'delay'
        ? `for ${process}'s ${which} to${place}`
        : `after ${process} sent its ${which} to${place}`;
    case 'used':
      return kind === 'delay'
        ? `for ${process}'s ${which} of the storage`
        : `after ${process} sent its ${which} to the storage`;
    case 'applied':
      return `after${place} executed ${process}'s ${which}`;
    case 'replied':
      return kind === 'delay'
        ? `for the reply of${place} to ${process}'s ${which}`
        : `after${place} answered ${process}'s ${which}`;
    case 'delivered':
      return `when the answer to its ${which} reaches ${process}`;
    case 'timer':
      return `when the ${which} timer of ${process} fires`;
    case 'clock-read':
      return `after ${process} read its ${on.command === 'WALL' ? 'wall' : 'monotonic'} clock for the ${ordinal(nth)} time`;
    default:
      return `at ${event} ${nth}`;
  }
}

function ordinal(count: number): string {
  const tens = count % 100;
  if (tens >= 11 && tens <= 13) return `${count}th`;
  return `${count}${['th', 'st', 'nd', 'rd'][count % 10] ?? 'th'}`;
}
