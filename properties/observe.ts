/** Named figures of a run, for what a scenario expects beside verdicts: what each process asked for, and what came of it. */
import type { History } from '../sim/history/events.js';
import { isRange, type Figure } from '../sim/scenario/observation.js';

export interface Figures {
  /** Acquires that were called, and those that were granted. */
  readonly asked: number;
  readonly granted: number;
  /** Commands of acquires that servers executed. */
  readonly commands: number;
  /** The longest time from asking to the grant or the failure, in milliseconds; to the end of the run if neither came. */
  readonly waitedMs: number;
  /** Name of the error with which an acquire failed last; null if none did. */
  readonly error: string | null;
}

/** The figures of one process. */
export function figuresOf({ events }: History, process: string): Figures {
  const open = new Map<string, number>();
  const figures = { asked: 0, granted: 0, commands: 0, waitedUs: 0, error: null as string | null };
  const settled = (hold: string, tUs: number): void => {
    figures.waitedUs = Math.max(figures.waitedUs, tUs - (open.get(hold) ?? tUs));
    open.delete(hold);
  };
  for (const event of events) {
    if (event.kind === 'apply' && event.by === process && event.op === 'acquire') figures.commands++;
    if (event.kind !== 'acquire' || event.host !== process) continue;
    if (event.phase === 'invoke') {
      figures.asked++;
      open.set(event.hold, event.tUs);
    } else if (event.phase === 'ok') {
      figures.granted++;
      settled(event.hold, event.tUs);
    } else if (event.phase === 'fail') {
      figures.error = event.error.name;
      settled(event.hold, event.tUs);
    }
  }
  const endUs = events.at(-1)?.tUs ?? 0;
  for (const hold of [...open.keys()]) settled(hold, endUs);
  const { waitedUs, ...counts } = figures;
  return { ...counts, waitedMs: waitedUs / 1000 };
}

/** A figure that came out otherwise. */
export interface OtherFigure {
  /** `observe.p1.waitedMs` */
  readonly figure: `observe.${string}`;
  readonly expected: string;
  readonly found: string;
}

/** What of `observe` came out otherwise. Its form was checked when the scenario was read. */
export function otherFigures(history: History, observe: unknown): OtherFigure[] {
  if (observe === undefined) return [];
  return Object.entries(observe as Record<string, Record<string, unknown>>).flatMap(([process, expected]) => {
    const figures = figuresOf(history, process);
    return Object.entries(expected).flatMap(([name, wanted]): OtherFigure[] => {
      const found = figures[name as Figure];
      if (fits(found, wanted)) return [];
      const words = isRange(wanted) ? `${wanted[0]} to ${wanted[1]}` : String(wanted);
      return [{ figure: `observe.${process}.${name}`, expected: words, found: String(found) }];
    });
  });
}

function fits(found: number | string | null, wanted: unknown): boolean {
  return isRange(wanted)
    ? typeof found === 'number' && wanted[0] <= found && found <= wanted[1]
    : found === wanted;
}
