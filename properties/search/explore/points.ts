/**
 * Decision points: the moments of a run at which something could go wrong. A probe writes them down, each with the trigger that
 * names it in any run that is the same up to there.
 */
import type { Probe } from '../../../sim/faults/moments.js';
import type { ProcessContext } from '../../../sim/host/process.js';
import type { Trigger, TriggerEvent } from '../../../sim/scenario/schema.js';
import { AbstractState } from './state.js';

/**
 * A message leaves (`sent` to a server, `used` to the storage, `replied` from a server), is delivered, a timer fires, a clock is read,
 * a command is executed.
 */
export const POINT_EVENTS = [
  'sent',
  'used',
  'replied',
  'delivered',
  'timer',
  'clock-read',
  'applied',
] as const satisfies readonly TriggerEvent[];
export type PointEvent = (typeof POINT_EVENTS)[number];

export interface Point {
  readonly event: PointEvent;
  /** Whose doing it is, or was before it reached a server. */
  readonly process: string;
  /** The server concerned; undefined: none, or the storage. */
  readonly server: string | undefined;
  /** Command, kind of use, or the clock that is read (`WALL`, `MONOTONIC`); undefined for timers. */
  readonly command: string | undefined;
  /** Counted from 1 among those that are alike in all of this. */
  readonly nth: number;
  /** True time, or the process's own within a step that a pause pushed forward. */
  readonly atUs: number;
  /** Events that the history had by then. */
  readonly seen: number;
  /** Points of one class are equivalent: see {@link PointProbe}. */
  readonly group: string;
}

/**
 * Two points are of one class when they are the same action of the same host (in steps begun by the same kind of event, at the same
 * place among the step's actions) and the world is in the same state at both, as far as it can be observed.
 */
export class PointProbe implements Probe {
  readonly points: Point[] = [];
  private readonly counts = new Map<string, number>();
  /** What began each process's present step, and how many of its actions have passed. */
  private readonly steps = new Map<string, { begun: string; actions: number; step: number }>();
  private context: ProcessContext | null = null;
  private readonly state = new AbstractState();

  begin(context: ProcessContext): void {
    this.context = context;
  }

  passed(event: TriggerEvent, process: string | null, server?: string, command?: string): void {
    if (process === null || !isPoint(event)) return;
    const { kernel, recorder, running } = this.context!;
    const site = server === 'storage' ? undefined : server;
    const alike = `${event} ${process} ${site ?? ''} ${command ?? ''}`;
    const nth = (this.counts.get(alike) ?? 0) + 1;
    this.counts.set(alike, nth);
    const own = running !== null && running.name === process;
    const place =
      own && event !== 'applied' && event !== 'replied' ? this.place(running.steps, process, alike) : '';
    this.points.push({
      event,
      process,
      server: site,
      command,
      nth,
      atUs: own ? running.nowUs : kernel.nowUs,
      seen: recorder.events.length,
      group: `${this.state.at(kernel.nowUs, recorder.events)} ${alike} ${place}`,
    });
  }

  /** Where in its process's step an action is: what began the step, and how many actions came before. */
  private place(step: number, process: string, alike: string): string {
    let at = this.steps.get(process);
    if (at === undefined) this.steps.set(process, (at = { begun: alike, actions: 0, step }));
    if (at.step !== step) {
      at.step = step;
      at.begun = alike;
      at.actions = 0;
    }
    return `${at.begun} ${at.actions++}`;
  }
}

const POINTS: ReadonlySet<TriggerEvent> = new Set(POINT_EVENTS);

function isPoint(event: TriggerEvent): event is PointEvent {
  return POINTS.has(event);
}

/** The trigger that strikes at the point, in a run that is the same up to there. */
export function triggerOf({ event, process, server, command, nth }: Point): Trigger {
  return {
    event,
    process,
    ...(server === undefined ? {} : { server }),
    ...(command === undefined ? {} : { command }),
    nth,
    every: false,
    chance: 1,
    afterMs: 0,
  };
}

/**
 * The first point of each class, and the last where it is later than that by more than `spreadUs`: the extremes of when it can strike.
 * In the order of the run.
 */
export function representatives(points: readonly Point[], spreadUs: number): readonly number[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  points.forEach(({ group }, index) => {
    if (!first.has(group)) first.set(group, index);
    last.set(group, index);
  });
  const chosen = new Set(first.values());
  for (const [group, index] of last)
    if (points[index]!.atUs - points[first.get(group)!]!.atUs > spreadUs) chosen.add(index);
  return [...chosen].sort((a, b) => a - b);
}
