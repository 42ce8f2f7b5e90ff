/** Named figures of a run, for what a scenario expects beside verdicts: what each process asked for, and what came of it. */
import type { ErrorInfo, EventOf, History } from '../sim/history/events.js';
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
  /** Name of the error behind it, as a library calls what its adapter has translated; null if there is none. */
  readonly errorCause: string | null;
  /** The longest time from the release to its return or failure, in milliseconds; to the end of the run if neither came. */
  readonly releaseMs: number;
  /** Name of the error with which a release failed last; null if none did. */
  readonly releaseError: string | null;
}

/** The figures of one process. */
export function figuresOf({ events }: History, process: string): Figures {
  const acquires = new Calls();
  const releases = new Calls();
  let asked = 0;
  let granted = 0;
  let commands = 0;
  for (const event of events) {
    if (event.kind === 'apply' && event.by === process && event.op === 'acquire') commands++;
    if (event.kind !== 'acquire' && event.kind !== 'release') continue;
    if (event.host !== process) continue;
    (event.kind === 'acquire' ? acquires : releases).see(event);
    if (event.kind === 'acquire' && event.phase === 'invoke') asked++;
    if (event.kind === 'acquire' && event.phase === 'ok') granted++;
  }
  const endUs = events.at(-1)?.tUs ?? 0;
  return {
    asked,
    granted,
    commands,
    waitedMs: acquires.longestMs(endUs),
    error: acquires.error?.name ?? null,
    errorCause: acquires.error?.cause ?? null,
    releaseMs: releases.longestMs(endUs),
    releaseError: releases.error?.name ?? null,
  };
}

/** The acquires or the releases of one process. */
class Calls {
  /** Of those that have not settled: when they were made. */
  private readonly open = new Map<string, number>();
  private longestUs = 0;
  /** With which one failed last. */
  error: ErrorInfo | null = null;

  see(event: EventOf<'acquire'> | EventOf<'release'>): void {
    if (event.phase === 'invoke') this.open.set(event.hold, event.tUs);
    if (event.phase === 'fail') this.error = event.error;
    if (event.phase === 'ok' || event.phase === 'fail') this.settled(event.hold, event.tUs);
  }

  longestMs(endUs: number): number {
    for (const hold of [...this.open.keys()]) this.settled(hold, endUs);
    return this.longestUs / 1000;
  }

  private settled(hold: string, tUs: number): void {
    this.longestUs = Math.max(this.longestUs, tUs - (this.open.get(hold) ?? tUs));
    this.open.delete(hold);
  }
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

/** The figures that `observe` speaks of, by process, as they came out. */
export type Observed = Readonly<Record<string, Readonly<Record<string, number | string | null>>>>;

export function observed(history: History, observe: unknown): Observed {
  const asked = Object.entries((observe ?? {}) as Record<string, Record<string, unknown>>);
  return Object.fromEntries(
    asked.map(([process, expected]) => {
      const figures = figuresOf(history, process);
      return [
        process,
        Object.fromEntries(Object.keys(expected).map((name) => [name, figures[name as Figure]])),
      ];
    }),
  );
}

function fits(found: number | string | null, wanted: unknown): boolean {
  return isRange(wanted)
    ? typeof found === 'number' && wanted[0] <= found && found <= wanted[1]
    : found === wanted;
}
